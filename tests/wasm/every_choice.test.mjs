/**
 * Every value of every field that is computed, and odd numbers in every other one, for a model of the
 * catalogue and for one described by hand: an answer or a refusal, never an assertion or a trap.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const outputs = resolve(process.env.MEMWALL_OUTPUTS ?? "build");
const { load, MemwallError } = await import(pathToFileURL(join(outputs, "npm", "memwall.mjs")).href);
const wasmBinary = await readFile(join(outputs, "npm", "core.wasm"));
const fresh = () => load({ wasmBinary });

const kAccelerator = { name: "H100 SXM5 80GB" };
const kLlama = { num_hidden_layers: 4, hidden_size: 512, num_attention_heads: 8, num_key_value_heads: 2, intermediate_size: 1024, vocab_size: 32000 };
const kModels = [{ ref: "meta-llama/Llama-3.2-1B" }, { ref: "openai-community/gpt2" }, { config: kLlama }, { params: "7B" }];
const kOdd = ["-1", "0", "1", "2", "3", "7", "1.5", "8k", "1e308", "NaN", "9".repeat(40), "<b>"];

/** @param {Record<string, any>} scenario @param {string} key @param {unknown} value */
function withField(scenario, key, value) {
  const copy = structuredClone(scenario);
  const path = key.split(".");
  const last = /** @type {string} */ (path.pop());
  let at = copy;
  for (const part of path) at = at[part] ??= {};
  at[last] = value;
  return copy;
}

let memwall = await fresh();
/** @type {string[]} */
const broken = [];
for (const field of memwall.fields().filter((/** @type {any} */ row) => row.computed)) {
  const values = field.kind === "choice" || field.kind === "set" ? field.computed_choices : field.kind === "flag" ? [true, false] : kOdd;
  for (const model of kModels)
    for (const task of ["finetune", "inference"])
      for (const value of values) {
        const scenario = withField({ model, accelerator: kAccelerator, task }, field.key, value);
        try {
          memwall.view(scenario);
        } catch (error) {
          if (error instanceof MemwallError) continue;
          broken.push(`${JSON.stringify(scenario)}: ${error instanceof Error ? error.message : error}`);
          memwall = await fresh();
        }
      }
}
assert.deepEqual(broken, []);
