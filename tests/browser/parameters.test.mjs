/** The parameter calculator on the page: modules, tensors with shapes, and the count that feeds the estimate. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage } from "./harness.mjs";

test("parameters stand by module and tensor with their shapes, and follow the model", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("button", { name: "GPT-2" }).click());
  const numbers = (/** @type {string[]} */ texts) => texts.map((words) => Number(words.replace(/\D/g, "")));
  const groups = page.locator(".parameters > li");
  assert.ok((await groups.count()) >= 4);
  for (const summary of await groups.locator("summary").all()) await summary.click();
  const rows = groups.locator("tbody tr");
  const shapes = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")));
  const embedding = shapes.find(([name]) => /wte|embed_tokens|word_embeddings/.test(name));
  assert.match(embedding?.[1] ?? "", /50,257\s×\s768/);
  // Counted over the model code of transformers: 124,439,808 with the tied head once.
  const counts = numbers(shapes.map((cells) => cells.at(-1) ?? "").filter((words) => /\d/.test(words)));
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 124_439_808);
  assert.match(await page.locator(".facts").innerText(), /124,439,808/);
  quiet();
});
