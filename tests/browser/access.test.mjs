/** The accessible face: axe finds nothing, and the tree says what the eye sees. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openCanvas, press } from "./drawn.mjs";
import { act, kDesktop, kPhone, openPage, root, unfold } from "./harness.mjs";

const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** @param {import("playwright-core").Page} page */
async function violations(page) {
  const result = await page.evaluate((tags) => /** @type {any} */ (window).axe.run({ runOnly: tags }), kTags);
  return result.violations.map((/** @type {any} */ found) => `${found.id}: ${found.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).join(" | ")}`);
}

for (const colorScheme of /** @type {const} */ (["light", "dark"]))
  for (const viewport of [kDesktop, kPhone])
    test(`axe finds nothing (${colorScheme}, ${viewport.width} wide)`, async () => {
      // The policy forbids what axe is injected by; what it finds does not depend on it.
      const { page } = await openPage({ colorScheme, viewport, bypassCSP: true });
      await page.addScriptTag({ content: axe });
      assert.deepEqual(await violations(page), []);
      await unfold(page, page.locator("#more > summary"), "#more-fields .field");
      await page.locator(".group > summary").first().click();
      await page.locator(".row > summary").first().click();
      await unfold(page, page.getByText("The same as a table"), ".twin tbody tr");
      assert.deepEqual(await violations(page), [], "with everything open");
      await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
      await act(page, () => page.getByRole("textbox", { name: /^Sequence length/ }).fill("-5"));
      assert.ok(await page.locator("#stale").isVisible());
      assert.deepEqual(await violations(page), [], "with a refused value");
      await page.getByRole("combobox", { name: "Search GPUs" }).fill("rtx");
      assert.deepEqual(await violations(page), [], "with an open list");
    });

test("axe finds nothing while the canvas is shown", async () => {
  const { page } = await openCanvas({ bypassCSP: true });
  await page.addScriptTag({ content: axe });
  assert.deepEqual(await violations(page), []);
  await press(page, "panel:shortlist:open");
  await page.waitForSelector("#shortlist tbody tr", { state: "attached" });
  await press(page, "panel:pins:open");
  assert.deepEqual(await violations(page), [], "with panels open");
});

test("the tree has the form, the answer and the breakdown", async () => {
  const { page } = await openPage();
  const tree = await page.locator("body").ariaSnapshot();
  for (const part of [/heading "memwall/, /combobox "Search models"/, /radiogroup "Task"/, /textbox "Sequence length/, /status.*needed/, /img "Gauge/, /slider "Instant"/,
    /heading "Where it goes"/, /button "Copy link"/])
    assert.match(tree, part);
});

test("the page can be used without a pointer", async () => {
  const { page, quiet } = await openPage();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "answer");
  quiet();
});
