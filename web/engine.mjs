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
  // What a verb of the command line would list cannot be listed here.
  if (!hint || hint.includes("`memwall ")) return message;
  return /[.!?:;]$/.test(message) ? `${message} ${hint}` : `${message}; ${hint}`;
}

const kCore = new URL("./core.wasm", import.meta.url);
const kExplanations = new URL("./explanations.txt", import.meta.url);
/** Compiled once, while it arrives and while the rest of the page does; at the end where its server calls it something else. */
const compiling = WebAssembly.compileStreaming(fetch(kCore)).catch(async () => WebAssembly.compile(await (await fetch(kCore)).arrayBuffer()));
compiling.catch(() => {}); // start() says so

/** @returns {Promise<Core>} */
async function start() {
  const [{ default: create }, module] = await Promise.all([import(new URL("./core.mjs", import.meta.url).href), compiling]);
  return create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(instance: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(module, imports).then(receive);
      return {};
    },
  });
}

export class Engine {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
    /** @type {string | undefined} */
    this.explanations = undefined;
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
      start().then((core) => {
        this.core = core;
        if (this.explanations) core.take_texts(this.explanations);
      });
      throw error;
    }
  }

  /** Reasons, sources and help do not stand in core.wasm: a verdict need not wait for them. */
  async explain() {
    const arrived = await fetch(kExplanations);
    if (!arrived.ok) throw new Error(`explanations.txt: ${arrived.status}`);
    this.explanations = await arrived.text();
    const taken = this.call("take_texts", this.explanations);
    if (!taken.ok) throw new Error(sentenceOf(taken.error));
  }
}
