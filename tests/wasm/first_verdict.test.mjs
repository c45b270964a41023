/**
 * core.wasm by itself, without core-rest.wasm: what a page asks first, the verdict of a language model, is answered, with the same bytes as the whole core;
 * a call that needs the rest ends with an error instead of a wrong answer.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = join(resolve(process.env.MEMWALL_OUTPUTS ?? "build"), "npm");
const { default: create } = await import(pathToFileURL(join(folder, "core.mjs")).href);
const compiled = async (/** @type {string} */ name) => WebAssembly.compile(await readFile(join(folder, name)));
const [first, rest] = await Promise.all([compiled("core.wasm"), compiled("core-rest.wasm")]);

async function core({ isWhole = false } = {}) {
  /** @type {any} */
  let instance;
  const made = await create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(made: WebAssembly.Instance) => void} */ receive) => {
      WebAssembly.instantiate(first, imports).then((each) => receive((instance = each)));
      return {};
    },
  });
  if (isWhole) await WebAssembly.instantiate(rest, { primary: instance.exports });
  return made;
}

const [partial, whole] = [await core(), await core({ isWhole: true })];
const catalogue = (await readFile(new URL("../../src/catalogue/models.jsonl", import.meta.url), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
const models = catalogue.filter((row) => row.vocab_size > 0 && !row.num_encoder_layers).map((row) => row.id);
assert.ok(models.length > 370, String(models.length));
for (const ref of models)
  for (const [task, name] of [["finetune", "GeForce RTX 4090"], ["inference", "A100 SXM4 80GB"]]) {
    const scenario = JSON.stringify({ model: { ref }, accelerator: { name }, task });
    const answer = partial.view(scenario);
    assert.equal(answer, whole.view(scenario), scenario);
    const { share } = JSON.parse(answer).value;
    assert.equal(partial.scenario_from_share(share), whole.scenario_from_share(share), share);
  }

assert.throws(() => partial.catalogue("models", ""), /null/);
