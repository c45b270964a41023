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

/** @param {string} name of a file beside this one */
const beside = (name) => new URL(name, import.meta.url).href;
/** Compiled while it arrives; at the end where its server calls it something else. @param {string} name */
const compile = (name) =>
  WebAssembly.compileStreaming(fetch(beside(name))).catch(async () => WebAssembly.compile(await (await fetch(beside(name))).arrayBuffer()));
/** Compiled once, while the rest of the page arrives. */
const compiling = compile("core.wasm");
compiling.catch(() => {}); // start() says so

/** What sizes are written in: GiB or GB. */
let units = "GiB";

/** @param {WebAssembly.Module} [rest] without it the core gives verdicts (scripts/first_calls.mjs) @returns {Promise<Core>} */
async function start(rest) {
  const [{ default: create }, module] = await Promise.all([import(beside("core.mjs")), compiling]);
  /** @type {WebAssembly.Instance | undefined} */
  let first;
  const core = await create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(instance: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(module, imports).then((made) => receive((first = made)));
      return {};
    },
  });
  if (rest && first) await WebAssembly.instantiate(rest, { primary: first.exports });
  core.units(units);
  return core;
}

export class Engine {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
    /** @type {WebAssembly.Module | undefined} */
    this.rest = undefined;
    /** @type {Promise<void> | undefined} */
    this.completing = undefined;
    /** @type {string | undefined} */
    this.explanations = undefined;
  }

  static async load() {
    return new Engine(await start());
  }

  /** @param {string} name GiB or GB; answers from now on are in these */
  showUnits(name) {
    units = name;
    this.core.units(name);
  }

  units() {
    return units;
  }

  /** What no first verdict needs comes behind it: lists, imports, search, refusals. */
  complete() {
    return (this.completing ??= (async () => {
      const rest = await compile("core-rest.wasm");
      this.core = await start(rest);
      this.rest = rest;
    })().catch((error) => {
      this.completing = undefined;
      throw error;
    }));
  }

  /** What a worker needs for a core of its own. */
  async modules() {
    await this.complete();
    return { first: await compiling, rest: this.rest };
  }

  /** After a failed call: what failed because the core was not whole is asked again. @param {unknown} error @param {() => void} ask */
  again(error, ask) {
    if (this.rest) throw error;
    this.complete().then(ask, () => {}); // the page says so
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
      if (this.rest)
        start(this.rest).then((core) => {
          this.core = core;
          if (this.explanations) core.take_texts(this.explanations);
        });
      throw error;
    }
  }

  /** Reasons, sources and help do not stand in core.wasm: a verdict need not wait for them. */
  async explain() {
    const [arrived] = await Promise.all([fetch(beside("explanations.txt")), this.complete()]);
    if (!arrived.ok) throw new Error(`explanations.txt: ${arrived.status}`);
    this.explanations = await arrived.text();
    const taken = this.call("take_texts", this.explanations);
    if (!taken.ok) throw new Error(sentenceOf(taken.error));
  }
}
