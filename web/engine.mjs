/**
 * The core behind plain calls: JSON text in, the envelope's value out. What a user did wrong comes back as
 * a Refusal; a bug (an assertion of the core) ends the instance, and the next call starts a fresh one.
 */

/** @typedef {{ code: string, where: string, message: string, hint: string }} Refusal */
/** @template T @typedef {{ ok: true, value: T } | { ok: false, error: Refusal }} Answer */
/** @typedef {Record<string, (...values: string[]) => string>} Core */

/**
 * What was wrong and what is allowed, as one text.
 * @param {Refusal} refusal
 */
export function sentenceOf({ message, hint }) {
  if (!hint) return message;
  return /[.!?:;]$/.test(message) ? `${message} ${hint}` : `${message}; ${hint}`;
}

/** @returns {Promise<Core>} */
async function start() {
  const { default: create } = await import(new URL("./core.mjs", import.meta.url).href);
  return create({ locateFile: (/** @type {string} */ name) => new URL(name, import.meta.url).href });
}

export class Engine {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
  }

  static async load() {
    return new Engine(await start());
  }

  /**
   * @template T
   * @param {string} name of a binding (src/bindings/core_bindings.cpp)
   * @param {...string} values
   * @returns {Answer<T>}
   */
  call(name, ...values) {
    return JSON.parse(this.raw(name, ...values));
  }

  /**
   * The text as it comes, for what is handed on byte for byte.
   * @param {string} name
   * @param {...string} values
   */
  raw(name, ...values) {
    try {
      return this.core[name](...values);
    } catch (error) {
      start().then((core) => (this.core = core));
      throw error;
    }
  }
}
