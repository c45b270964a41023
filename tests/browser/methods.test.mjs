/** Methods side by side: fetched when opened, what the core says, usable without seeing it, and nothing cut off. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { act, kDesktop, kPhone, openPage, root, screenshots, settled, typefaceShown } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const kSizes = [[1280, 800], [1000, 700], [768, 1024], [390, 844], [360, 740]];

/** @param {Page} page */
async function open(page) {
  await page.locator("#methods > summary").click();
  await page.locator(".methods > li").first().waitFor();
}

/** @param {Page} page @param {string | RegExp} label */
const row = (page, label) => page.locator(".methods > li").filter({ has: page.locator(".label b", { hasText: label }) });

/** Elements whose text does not fit into their box, and whatever makes the page wider than the window. */
const misplaced = () => [
  ...[...document.querySelectorAll("#methods :is(p, dd, dt, li, h3, b, label, .label, .amount, .verdict-word, button)")]
    .filter((element) => element.getClientRects().length > 0 && !element.closest(".scroll"))
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && getComputedStyle(element).display !== "inline")
    .map((element) => `cut off: ${element.className || element.tagName}: ${element.textContent?.slice(0, 60)}`),
  ...(document.documentElement.scrollWidth > innerWidth ? [`page is ${document.documentElement.scrollWidth} wide`] : []),
];

for (const [width, height] of kSizes)
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    test(`${width} × ${height}, ${colorScheme}`, async () => {
      const { page, quiet } = await openPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      await typefaceShown(page);
      await open(page);
      assert.deepEqual(await page.evaluate(misplaced), []);
      await row(page, "Houlsby").locator("summary").click();
      assert.deepEqual(await page.evaluate(misplaced), [], "with the costs of one method");
      await page.locator("#methods").screenshot({ path: path.join(screenshots, `methods-${width}-${colorScheme}.png`) });
      await page.locator("#methods .twin > summary").click();
      assert.deepEqual(await page.evaluate(misplaced), [], "with the table");
      quiet();
    });

test("nothing of it is fetched before somebody opens it, and it begins with not to finetune", async () => {
  /** @type {string[]} */
  const asked = [];
  const { page, quiet } = await openPage({ prepare: async (made) => made.on("request", (request) => asked.push(new URL(request.url()).pathname)) });
  await page.waitForLoadState("networkidle");
  assert.ok(!asked.some((name) => /methods|catalogue/.test(name)), asked.join(" "));
  await open(page);
  assert.ok(asked.some((name) => name.endsWith("/methods.mjs")));
  assert.equal(await page.locator(".questions li").count(), 5);
  const labels = await page.locator(".methods .label b").allInnerTexts();
  assert.equal(labels[0], "Do not finetune");
  assert.ok(labels.includes("LoRA") && labels.includes("Full training") && labels.includes("QLoRA"), labels.join());
  assert.match(await row(page, "BitFit").innerText(), /Not computed: .*trains nothing/);
  quiet();
});

test("the last layers that train are slid, and every number follows", async () => {
  const { page, quiet } = await openPage();
  await open(page);
  const slider = page.getByRole("slider", { name: "Freezing trains the last layers" });
  assert.equal(await slider.getAttribute("max"), "32");
  const frozen = row(page, "Freezing layers");
  await frozen.locator("summary").click();
  const before = await frozen.locator(".amount").innerText();
  await slider.fill("3");
  await page.waitForFunction((last) => [...document.querySelectorAll(".methods .amount")].every((each) => each.textContent !== last), before);
  assert.match(await frozen.innerText(), /the last 3 of 32 layers train[^]*9\.4\s%\sof those in layers/);
  assert.equal(await page.locator(".last-layers output").innerText(), "3 of 32");
  quiet();
});

test("it follows the page's scenario, and a method can be taken from it", async () => {
  const { page, quiet } = await openPage();
  await open(page);
  const lora = row(page, /^LoRA$/);
  const before = await lora.locator(".amount").innerText();
  await act(page, () => page.getByRole("textbox", { name: /^Sequence length/ }).fill("4096"));
  await page.waitForFunction((last) => ![...document.querySelectorAll(".methods .amount")].some((each) => each.textContent === last), before);
  await lora.locator("summary").click();
  const needed = (await lora.locator(".amount").innerText()).trim();
  await act(page, () => page.getByRole("button", { name: "Use it: LoRA", exact: true }).click());
  await settled(page);
  assert.ok((await page.locator(".sentence").innerText()).includes(needed), "the answer is that of the row");
  assert.ok(await page.evaluate(() => document.activeElement?.hasAttribute("data-use")), "the focus stays");
  quiet();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"]))
  for (const viewport of [kDesktop, kPhone])
    test(`axe finds nothing (${colorScheme}, ${viewport.width} wide)`, async () => {
      const { page } = await openPage({ colorScheme, viewport, bypassCSP: true });
      await page.addScriptTag({ content: axe });
      await open(page);
      for (const label of ["Do not finetune", "Houlsby"]) await row(page, label).locator("summary").click();
      await page.locator("#methods .twin > summary").click();
      const result = await page.evaluate((tags) => /** @type {any} */ (window).axe.run("#methods", { runOnly: tags }), kTags);
      assert.deepEqual(result.violations.map((/** @type {any} */ found) => `${found.id}: ${found.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).join(" | ")}`), []);
    });

test("the tree says what the eye sees", async () => {
  const { page } = await openPage();
  await open(page);
  const tree = await page.locator("#methods").ariaSnapshot();
  for (const part of [/heading "Needed, or only wanted\?"/, /slider "Freezing trains the last layers"/, /img "LoRA: [\d.]+.GiB of [\d.]+.GiB\* usable"/])
    assert.match(tree, part);
});
