/**
 * core.wasm by itself, without core-rest.wasm: what a page asks first, the verdict of a language model, is answered, with the same bytes as the whole core;
 * a call that needs the rest ends with an error instead of a wrong answer, whatever is asked.
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

// What most change in the form of an element, each with each, of models that first_calls.mjs does not change them for.
for (const ref of ["Qwen/Qwen2.5-7B", "google/gemma-2-9b", "microsoft/phi-2", "openai-community/gpt2", "tiiuae/falcon-7b", "mistralai/Mistral-7B-v0.1"])
  for (const name of ["full", "freeze", "lora", "qlora"])
    for (const activation_checkpointing of ["none", "full"])
      for (const [zero_stage, count] of [["0", "1"], ["3", "8"]])
        for (const optimizer of ["adamw", "paged_adamw_8bit"]) {
          const scenario = JSON.stringify({ model: { ref }, task: "finetune", accelerator: { name: "GeForce RTX 4090", count }, method: { name },
            savers: { activation_checkpointing }, mesh: { zero_stage }, optimizer: { name: optimizer }, batch: { micro_batch_size: "3", sequence_length: "768" } });
          assert.equal(partial.view(scenario), whole.view(scenario), scenario);
        }

for (const [kind, least] of [["models", 500], ["accelerators", 100]]) {
  const names = partial.names(kind);
  assert.equal(names, whole.names(kind));
  const rows = JSON.parse(whole.catalogue(kind, "")).value;
  assert.ok(rows.length >= Number(least), kind);
  JSON.parse(names).value.forEach((/** @type {any} */ row, /** @type {number} */ at) => {
    const same = Object.fromEntries(Object.keys(row).map((key) => [key, rows[at][key]]));
    assert.deepEqual(row, row.size ? same : { ...same, size: "" });
  });
}

// What is not entered and what is not read stand in the other file: every choice of every field is answered as by the whole core, or not at all.
const kDigits = ["1", "64"];
const fields = JSON.parse(whole.fields("")).value;
const valuesOf = (/** @type {any} */ field) => (field.kind === "integer" ? kDigits : field.kind === "fraction" ? ["0.5"] : field.kind === "flag" ? ["true", "false"] : field.choices);
const kBases = [
  { model: { ref: "meta-llama/Llama-3.1-8B" }, task: "finetune", accelerator: { name: "H100 SXM5 80GB" } },
  { model: { ref: "Qwen/Qwen2.5-7B" }, task: "finetune", accelerator: { name: "GeForce RTX 4090" }, method: { name: "lora" }, savers: { activation_checkpointing: "full" } },
  { model: { ref: "mistralai/Mixtral-8x7B-v0.1" }, task: "pretrain", accelerator: { name: "H100 SXM5 80GB", count: "8" }, mesh: { zero_stage: "3" } },
  { model: { ref: "openai-community/gpt2" }, task: "inference", accelerator: { name: "A100 SXM4 80GB" } },
];
let broken = await core();
let alike = 0;
for (const base of kBases)
  for (const field of fields)
    for (const value of valuesOf(field)) {
      const changed = structuredClone(base);
      const path = field.key.split(".");
      const last = path.pop();
      path.reduce((/** @type {any} */ at, /** @type {string} */ part) => (at[part] ??= {}), changed)[last] = value;
      const scenario = JSON.stringify(changed);
      let answer;
      try {
        answer = broken.view(scenario);
      } catch {
        broken = await core();
        continue;
      }
      assert.equal(answer, whole.view(scenario), scenario);
      ++alike;
    }
assert.ok(alike > 300, String(alike));
