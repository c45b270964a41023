/** Extreme values in every field of the canvas: nothing breaks, nothing is cut off, and a number stays a number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, openCanvas, press, settle, strike, widgets } from "../browser/drawn.mjs";
import { sentence } from "../browser/harness.mjs";

const kOdd = ["-1", "1e308", "9".repeat(40), "0", "<b>&\"模型 💥 NaN", "  ", "8k"];

/** @param {import("playwright-core").Page} page @param {string} kind */
const named = async (page, kind) => [...(await widgets(page)).keys()].filter((name) => name.startsWith(kind));

const kLlama = "#v1&model.ref=meta-llama/Llama-3.2-1B&accelerator.name=A100&task=finetune";
/** Each opens fields that the ones before it have not: what was typed into is not typed into again. */
const kForms = [
  { title: "Finetune", hash: "", presses: ["field:task:Finetune"] },
  { title: "Run (inference)", hash: "", presses: ["field:task:Run (inference)"] },
  { title: "adapters", hash: `${kLlama}&method.name=lora`, presses: [] },
  { title: "a model by hand", hash: kLlama, presses: ["field:way:By hand"] },
  { title: "a model by its size", hash: kLlama, presses: ["field:way:Size only"] },
  { title: "phases and a mesh", hash: `${kLlama}&optimizer.name=galore&mesh.dp_shard=8&phases.loading=cast&phases.evaluation_batch_size=4`, presses: [] },
];

/** @type {Set<string>} */
const done = new Set();

for (const { title, hash, presses } of kForms)
  test(`odd values in every field break nothing (${title})`, async () => {
    const { page, quiet } = await openCanvas({ viewport: { width: 1280, height: 800 }, hash });
    for (const each of presses) await press(page, each);
    for (const section of await named(page, "section:")) await press(page, section);
    const fields = (await named(page, "field:")).filter((name) => !/^field:(task|way):/.test(name) && !done.has(name));
    let typed = 0;
    for (const name of fields) {
      if (!(await widgets(page)).has(name)) continue;
      await press(page, name);
      done.add(name);
      if ((await ask(page, "caret")).split(" ")[2] === "0") {
        await strike(page, "Escape"); // a list of choices
        continue;
      }
      typed += 1;
      for (const odd of kOdd) {
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(odd);
        await settle(page);
        assert.doesNotMatch(await sentence(page), /NaN|undefined|\[object|Infinity/, `${odd} in ${name}`);
        assert.equal(await ask(page, "overflows"), "", `${odd} in ${name}`);
      }
      await page.keyboard.press("Control+a");
      await strike(page, "Backspace");
      await strike(page, "Escape");
    }
    console.log(`${title}: ${typed} of ${fields.length} new places are typed into`);
    quiet();
  });

test("every field of numbers and words of the field table was typed into", () => {
  const typed = [...done].map((name) => name.slice("field:".length));
  for (const key of ["batch.micro_batch_size", "method.rank", "method.alpha", "method.dropout", "method.first_trainable_layer", "method.prompt_length", "model.config.hidden_size", "model.config.num_hidden_layers", "model.params", "optimizer.rank", "mesh.dp_shard", "phases.evaluation_samples"])
    assert.ok(typed.includes(key), `${key} is not in ${typed.join(" ")}`);
  console.log(`${typed.length} places`);
});
