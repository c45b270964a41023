/** Extreme values in every field of the canvas: nothing breaks, nothing is cut off, and a number stays a number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, openCanvas, press, settle, strike, widgets } from "../browser/drawn.mjs";
import { sentence } from "../browser/harness.mjs";

const kOdd = ["-1", "1e308", "9".repeat(40), "0", "<b>&\"模型 💥 NaN", "  ", "8k"];

/** @param {import("playwright-core").Page} page @param {string} kind */
const named = async (page, kind) => [...(await widgets(page)).keys()].filter((name) => name.startsWith(kind));

for (const [task, least] of /** @type {const} */ ([["Finetune", 15], ["Run (inference)", 10]]))
  test(`odd values in every field break nothing (${task})`, async () => {
    const { page, quiet } = await openCanvas({ viewport: { width: 1280, height: 800 } });
    await press(page, `field:task:${task}`);
    for (const section of await named(page, "section:")) await press(page, section);
    const fields = (await named(page, "field:")).filter((name) => !name.startsWith("field:task:"));
    let typed = 0;
    for (const name of fields) {
      if (!(await widgets(page)).has(name)) continue;
      await press(page, name);
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
    assert.ok(typed >= least, `${typed} fields`);
    console.log(`${typed} of ${fields.length} places are typed into`);
    quiet();
  });
