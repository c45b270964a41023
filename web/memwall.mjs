/**
 * memwall as a module: plain objects in and out, in browsers and in Node from version 18 on.
 *
 *     import { load } from "memwall";
 *     const memwall = await load();
 *     memwall.estimate({ model: { ref: "gpt2" }, accelerator: { name: "4090" }, task: "inference" }).verdict;
 *
 * Nothing is fetched but core.wasm, core-rest.wasm, catalogue.txt and explanations.txt beside this file, or nothing when they are given;
 * check.wasm when check() is called.
 * Results are plain values; no handle has to be freed. Types: memwall.d.ts, generated from the field table.
 */

/** What was wrong with what was given: `where` is a field's key or a place in a file. */
export class MemwallError extends Error {
  /** @param {{ code: string, where: string, message: string, hint: string }} error */
  constructor({ code, where, message, hint }) {
    super(message);
    this.name = "MemwallError";
    this.code = code;
    this.where = where;
    this.hint = hint;
  }

  /** The field that was refused, by its key. */
  get field() {
    return this.where;
  }
}

/** @typedef {Record<string, (...values: string[]) => string>} Core */
/** @typedef {object} Scenario */

// Every answer but estimate()'s comes in this envelope (src/bindings/core_bindings.cpp).
const kSuccess = '{"ok":true,"value":';

/** @param {string} answer */
function valueJson(answer) {
  if (answer.startsWith(kSuccess)) return answer.slice(kSuccess.length, -1);
  throw new MemwallError(JSON.parse(answer).error);
}

/**
 * A scenario as JSON. What JSON would silently leave out or turn into null is refused at its field: NaN and Infinity by the
 * core, which knows what is allowed there.
 * @param {Scenario} scenario
 */
function jsonOf(scenario) {
  const check = (/** @type {unknown} */ value, /** @type {string} */ where) => {
    if (typeof value === "object" && value !== null) {
      for (const [key, part] of Object.entries(value)) check(part, Array.isArray(value) ? where : where ? `${where}.${key}` : key);
    } else if (!["string", "boolean", "number"].includes(typeof value)) {
      throw new MemwallError({ code: "malformed", where, message: `${where || "the scenario"} is ${String(value)}`, hint: "leave the key out for its default" });
    }
  };
  check(scenario, "");
  return JSON.stringify(scenario, (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value));
}

/** Text as the core counts it. @param {string} text */
const bytesIn = (text) => new TextEncoder().encode(text).length;

export class Memwall {
  /** @type {Core} */
  #core;
  /** @type {BufferSource | undefined} check.wasm, where fetching it is not wanted */
  #checkBinary;
  /** @type {Promise<Core> | undefined} */
  #checking;

  /** @param {Core} core @param {BufferSource} [checkBinary] */
  constructor(core, checkBinary) {
    this.#core = core;
    this.#checkBinary = checkBinary;
  }

  /** @param {string} name @param {...string} values */
  #ask(name, ...values) {
    return JSON.parse(valueJson(this.#core[name](...values)));
  }

  /**
   * The bytes of `memwall estimate - --json`.
   * @param {Scenario} scenario
   * @returns {string}
   */
  estimateJson(scenario) {
    const answer = this.#core.estimate(jsonOf(scenario));
    if (answer.startsWith('{"error":')) throw new MemwallError(JSON.parse(answer).error);
    return answer;
  }

  /** @param {Scenario} scenario */
  estimate(scenario) {
    return JSON.parse(this.estimateJson(scenario));
  }

  /**
   * Many scenarios at once, their numbers side by side; NaN and an error where one is refused.
   * @param {readonly Scenario[]} scenarios
   */
  estimateMany(scenarios) {
    const column = () => new Float64Array(scenarios.length).fill(NaN);
    const out = { verdicts: /** @type {string[]} */ ([]), errors: /** @type {(MemwallError | undefined)[]} */ ([]),
      allocated_bytes: column(), reserved_bytes: column(), device_total_bytes: column(), usable_bytes: column() };
    scenarios.forEach((scenario, index) => {
      try {
        const { verdict, numbers } = this.estimate(scenario);
        out.verdicts.push(verdict);
        out.errors.push(undefined);
        for (const key of /** @type {const} */ (["allocated_bytes", "reserved_bytes", "device_total_bytes", "usable_bytes"])) out[key][index] = numbers?.[key] ?? NaN;
      } catch (error) {
        if (!(error instanceof MemwallError)) throw error;
        out.verdicts.push("cannot_say");
        out.errors.push(error);
      }
    });
    return out;
  }

  /** @param {Scenario} scenario */
  view(scenario) {
    return this.#ask("view", jsonOf(scenario));
  }

  /** @param {Scenario} scenario @returns {string} */
  markdown(scenario) {
    return this.#ask("markdown", jsonOf(scenario));
  }

  /** @param {Scenario} scenario @param {string} field key of a whole number, such as "batch.micro_batch_size" */
  solve(scenario, field) {
    return this.#ask("solve", jsonOf(scenario), field);
  }

  /**
   * What every pair of values needs, row by row; -1 where it is refused.
   * @param {Scenario} scenario
   * @param {{ field: string, values: number[] }} x at most 256 values of a field of whole numbers
   * @param {{ field: string, values: number[] }} y
   */
  grid(scenario, x, y) {
    return this.#ask("grid", jsonOf(scenario), `${x.field} ${x.values}\n${y.field} ${y.values}`);
  }

  /** What PyTorch's caching allocator would reserve, simulated over two steps, beside the estimate. @param {Scenario} scenario */
  allocator(scenario) {
    return this.#ask("allocator", jsonOf(scenario));
  }

  /** Every accelerator of the catalogue: those that suffice first, the cheapest before. @param {Scenario} scenario */
  shortlist(scenario) {
    return this.#ask("shortlist", jsonOf(scenario));
  }

  /**
   * Methods of finetuning side by side; the first row is not to finetune.
   * @param {Scenario} scenario
   * @param {{ methods?: string[], lastLayers?: number }} [options] lastLayers: how many train under freezing
   */
  compare(scenario, { methods = [], lastLayers } = {}) {
    return this.#ask("compare", jsonOf(scenario), `${methods} ${lastLayers ?? ""}`);
  }

  /** Scenarios side by side on one scale, with what they differ in. @param {readonly Scenario[]} scenarios 1 to 32 */
  lineup(scenarios) {
    return this.#ask("lineup", scenarios.map(jsonOf).join("\n"));
  }

  /**
   * Measured records against predictions, as `memwall check FILES --json`. What it needs is loaded at the first call.
   * @param {string | readonly { name: string, text: string }[]} records lines of JSON, or files of them
   * @param {{ only?: string }} [options] which of them: "kind=train,implementation=litgpt"
   * @returns {Promise<object>}
   */
  async check(records, { only = "" } = {}) {
    const files = typeof records === "string" ? [{ name: "standard input", text: records }] : records;
    const { check } = await (this.#checking ??= loadCheck(this.#checkBinary).catch((error) => {
      this.#checking = undefined;
      throw error;
    }));
    const answer = JSON.parse(check(files.map(({ name, text }) => `${name.replaceAll("\n", " ")} ${bytesIn(text)}\n${text}`).join(""), only));
    if (answer.error) throw new MemwallError(answer.error);
    return answer;
  }

  /** @param {Scenario} scenario */
  params(scenario) {
    return this.#ask("params", jsonOf(scenario));
  }

  /** @param {string} kind @param {string} [filter] any part of the name */
  catalogue(kind, filter = "") {
    return this.#ask("catalogue", kind, filter);
  }

  fields() {
    return this.#ask("fields");
  }

  /** @param {string} name of the file @param {string} text */
  importText(name, text) {
    return this.#ask("import_text", name, text);
  }

  /** @param {Scenario} scenario @returns {string} */
  shareFromScenario(scenario) {
    return this.#ask("share_from_scenario", jsonOf(scenario));
  }

  /** @param {string} fragment with or without its "#" */
  scenarioFromShare(fragment) {
    return this.#ask("scenario_from_share", fragment);
  }

  /** @returns {string} */
  version() {
    return this.#core.version();
  }
}

/** Whole literals, which bundlers look for. */
const kCore = new URL("./core.wasm", import.meta.url);
const kRest = new URL("./core-rest.wasm", import.meta.url);
const kCheck = new URL("./check.wasm", import.meta.url);
const kTexts = new URL("./catalogue.txt", import.meta.url);
const kExplanations = new URL("./explanations.txt", import.meta.url);

/** @param {URL} file beside this one @returns {Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>} */
async function bytesOf(file) {
  if (file.protocol === "file:") {
    const files = "node:fs/promises"; // not a literal, so that bundlers for browsers leave it alone
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)).readFile(file);
  }
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file.href}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** @param {URL} file */
const textOf = async (file) => new TextDecoder().decode(await bytesOf(file));

/** @param {BufferSource | undefined} given @param {URL} file */
const compiled = async (given, file) => WebAssembly.compile(given ?? (await bytesOf(file)));

/** @param {BufferSource | undefined} given @returns {Promise<Core>} */
async function loadCheck(given) {
  // @ts-ignore: built beside this file
  const [module, { default: create }] = await Promise.all([compiled(given, kCheck), import("./check.mjs")]);
  return create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(made: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(module, imports).then(receive);
      return {};
    },
  });
}

/**
 * What no first verdict calls, what only lists show, and reasons, sources and help do not stand in core.wasm: a page that wants a
 * verdict need not wait for them. Here all of it is there.
 * @param {{ wasmBinary?: BufferSource, restBinary?: BufferSource, checkBinary?: BufferSource, texts?: string, explanations?: string }} [options]
 *   core.wasm, core-rest.wasm, check.wasm, catalogue.txt and explanations.txt, where fetching them is not wanted
 * @returns {Promise<Memwall>}
 */
export async function load({ wasmBinary, restBinary, checkBinary, texts, explanations } = {}) {
  const reading = [texts ?? textOf(kTexts), explanations ?? textOf(kExplanations)];
  const modules = [compiled(wasmBinary, kCore), compiled(restBinary, kRest)];
  // @ts-ignore: built beside this file
  const { default: create } = await import("./core.mjs");
  const [[first, rest], words] = await Promise.all([Promise.all(modules), Promise.all(reading)]);
  /** @type {WebAssembly.Instance | undefined} */
  let instance;
  /** @type {Core} */
  const core = await create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(made: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(first, imports).then((made) => receive((instance = made)));
      return {};
    },
  });
  if (instance) await WebAssembly.instantiate(rest, { primary: instance.exports });
  for (const each of words) valueJson(core.take_texts(each));
  return new Memwall(core, checkBinary);
}
