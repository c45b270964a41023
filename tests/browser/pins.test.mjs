/** Scenarios side by side: pinned, named, moved, shown again, kept by the browser or not. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { act, kDesktop, kPhone, openPage, root, screenshots, sentence, typefaceShown } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */
const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");

/** @param {Page} page @param {number} count entries, the one that is shown among them */
const listed = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll(".pins > li").length === wanted, count);
/** @param {Page} page */
const names = (page) => page.locator(".pins .pin-name").evaluateAll((all) => all.map((each) => (each instanceof HTMLInputElement ? each.value : each.textContent)));
/** @param {Page} page @param {string} row label of a row of the table */
const cells = (page, row) => page.locator("#pins tr").filter({ has: page.getByRole("rowheader", { name: row, exact: true }) }).locator("td").allInnerTexts();
/** @param {string} words */
const plain = (words) => words.replaceAll("\u00a0", " ").trim();

/** The page's own scenario and one with a larger batch, pinned. @param {Parameters<typeof openPage>[0]} [options] */
async function pinned(options) {
  const opened = await openPage(options);
  const { page } = opened;
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await listed(page, 2);
  assert.match(await page.locator("#done").innerText(), /^Pinned as /);
  await act(page, () => page.getByRole("textbox", { name: /^Micro-batch size/ }).fill("4"));
  await page.getByRole("button", { name: "Pin what is shown" }).click();
  await listed(page, 3);
  return opened;
}

test("pins stand on one scale and say what differs", async () => {
  const { page, quiet } = await pinned();
  const [first, second, shown] = await cells(page, "Micro-batch size");
  assert.deepEqual([first, second, shown], ["1", "4", "4"]);
  const needed = (await cells(page, "Needed")).map(plain);
  assert.match(needed[1], /GiB\s+\+[\d.]+ GiB$/);
  assert.ok(plain(await sentence(page)).includes(needed[2].split(/\s*\n/)[0]), "the last is what the page shows");
  const widths = await page.locator(".pins .method-bar").evaluateAll((all) => all.map((svg) => [...svg.querySelectorAll("rect")].reduce((sum, rect) => sum + rect.getBoundingClientRect().width, 0)));
  assert.ok(widths[1] > widths[0], `${widths}`);
  quiet();
});

test("they are named, moved, shown again and removed", async () => {
  const { page, quiet } = await pinned();
  const name = page.getByRole("textbox", { name: "Pin 2" });
  await name.fill("<b>larger</b>");
  await name.press("Tab");
  await page.getByRole("button", { name: "Move <b>larger</b> up" }).click();
  assert.deepEqual((await names(page)).slice(0, 1), ["<b>larger</b>"]);
  assert.match((await cells(page, "Needed"))[1], /−/, "differences are told against the first");
  const last = page.locator(".pins > li").nth(1).getByRole("button", { name: /^Show / });
  await act(page, () => last.click());
  assert.equal(await page.getByRole("textbox", { name: /^Micro-batch size/ }).inputValue(), "1");
  await page.getByRole("button", { name: "Remove <b>larger</b>" }).click();
  await listed(page, 2);
  quiet();
});

test("they are there again after a reload, until they are forgotten", async () => {
  const { page, quiet } = await pinned();
  const before = await names(page);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await page.getByText("Pin scenarios and compare them").click();
  await listed(page, 3);
  assert.deepEqual(await names(page), before);
  await page.getByRole("button", { name: "Forget all pins" }).click();
  await listed(page, 1);
  assert.equal(await page.evaluate(() => localStorage.getItem("memwall-pins")), "[]");
  quiet();
});

test("what the storage holds of somebody else, and a storage that is full or refused, do no harm", async () => {
  for (const trouble of ["garbage", "shape", "refused", "full"]) {
    const { page, quiet } = await openPage({ prepare: (made) => made.addInitScript((kind) => {
      if (kind === "garbage") localStorage.setItem("memwall-pins", "{");
      if (kind === "shape") localStorage.setItem("memwall-pins", '[{"name":1},{"name":"old","scenario":"{\\"mesh\\":{\\"tp\\":8}}"},null]');
      if (kind === "full") Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
      if (kind === "refused") Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
    }, trouble) });
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await listed(page, trouble === "shape" ? 3 : 2);
    if (trouble === "shape") assert.match(await page.locator(".pins > li").first().innerText(), /Not computed: /);
    assert.match(await page.locator("#pins [role=status]").innerText(), trouble === "refused" || trouble === "full" ? /keeps nothing/ : /kept in this browser/);
    quiet();
  }
});

for (const viewport of [kDesktop, { width: 1000, height: 700 }, { width: 768, height: 1024 }, kPhone])
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    test(`${viewport.width} × ${viewport.height}, ${colorScheme}: nothing beside the page, axe finds nothing`, async () => {
      const { page } = await pinned({ viewport, colorScheme, bypassCSP: true, reducedMotion: "reduce" });
      await typefaceShown(page);
      await page.locator("#pins").screenshot({ path: path.join(screenshots, `pins-${viewport.width}-${colorScheme}.png`) });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      await page.addScriptTag({ content: axe });
      const result = await page.evaluate(() => /** @type {any} */ (window).axe.run("#pins", { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
      assert.deepEqual(result.violations.map((/** @type {any} */ found) => `${found.id}: ${found.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).join(" | ")}`), []);
    });
