/**
 * The fit map's data, beside the page: coarse first, then finer; a newer question ends an older one.
 * @typedef {{ key: string, values: number[] }} Axis
 * @typedef {{ id: number, scenario: string, x: Axis, y: Axis }} Question
 * @typedef {{ id: number, x: number[], y: number[], needed: Float64Array, usable: number, isLast: boolean, milliseconds: number }} Picture bytes row by
 *   row; -1: refused; usable 0: unknown; milliseconds: of the core, for all that was asked up to here
 */
// @ts-ignore: built beside this file
import create from "./core.mjs";

const kSteps = [8, 4, 1];
const kRowsAtOnce = 16;

/** @type {Promise<Record<string, (...values: string[]) => string>> | undefined} */
let starting;
let newest = 0;

/** @param {{ first: WebAssembly.Module, rest: WebAssembly.Module }} modules compiled by the page */
async function start({ first, rest }) {
  /** @type {WebAssembly.Instance | undefined} */
  let instance;
  const core = await create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(made: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(first, imports).then((made) => receive((instance = made)));
      return {};
    },
  });
  if (instance) await WebAssembly.instantiate(rest, { primary: instance.exports });
  return core;
}

const channel = new MessageChannel();
/** Lets a newer question arrive. */
const others = () => new Promise((resolve) => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(0);
});

/** @param {number[]} values @param {number} step */
const thinned = (values, step) => values.filter((_, index) => index % step === 0 || index === values.length - 1);

/** @param {Question} question */
async function answer({ id, scenario, x, y }) {
  const core = await /** @type {NonNullable<typeof starting>} */ (starting);
  let milliseconds = 0;
  for (const step of kSteps) {
    const [along, down] = [thinned(x.values, step), thinned(y.values, step)];
    const needed = new Float64Array(along.length * down.length).fill(-1);
    /** @type {unknown} */
    let error;
    let usable = 0;
    for (let row = 0; row < down.length; row += kRowsAtOnce) {
      await others();
      if (id !== newest) return;
      const rows = down.slice(row, row + kRowsAtOnce);
      const before = performance.now();
      const words = core.grid(scenario, `${x.key} ${along}\n${y.key} ${rows}`);
      milliseconds += performance.now() - before;
      const made = JSON.parse(words);
      if (made.ok) {
        needed.set(made.value.needed_bytes, row * along.length);
        usable = made.value.usable_bytes;
      } else {
        error ??= made.error;
      }
    }
    if (needed.every((bytes) => bytes < 0)) return postMessage({ id, error });
    postMessage({ id, x: along, y: down, needed, usable, isLast: step === 1, milliseconds }, { transfer: [needed.buffer] });
  }
}

addEventListener("message", ({ data }) => {
  if (data.first) {
    starting = start(data);
  } else {
    newest = data.id;
    answer(data);
  }
});
