/** Pages to read: found from the main page, quiet under their own policy, readable on a phone, nothing for axe. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { follow, kDesktop, kPhone, openPage, root, screenshots } from "./harness.mjs";

const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const kAccuracy = { hash: "learn/accuracy.html", expectReady: false };

test("the footer leads to how exact it is", async () => {
  const { page, quiet } = await openPage();
  await follow(page, "How exact");
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "How exact memwall is");
  await follow(page, "memwall");
  await page.waitForURL(/\/(#.*)?$/);
  await page.waitForLoadState("networkidle");
  quiet();
});

test("every table has figures, and the ledger's say how many runs were met", async () => {
  const { page, quiet } = await openPage(kAccuracy);
  for (const name of ["PyTorch's ledger against prediction", "Published measurements against prediction", "Verdicts on user cases", "The 90 % interval by kind of scenario",
    "The largest errors", "Not predicted yet"]) {
    const rows = page.getByRole("table", { name }).locator("tbody tr");
    assert.ok((await rows.count()) > 0, name);
  }
  assert.match(await page.locator(".numbers").innerText(), /\d+(\.\d)? %\s+/);
  assert.doesNotMatch(await page.locator("main").innerText(), /NaN|undefined|None|(^|\s)[+-]?(inf|nan)\b/);
  quiet();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"]))
  for (const viewport of [kDesktop, kPhone])
    test(`how exact it is can be read (${colorScheme}, ${viewport.width} wide)`, async () => {
      const { page } = await openPage({ ...kAccuracy, colorScheme, viewport, bypassCSP: true });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, "no sideways scroll");
      await page.screenshot({ path: path.join(screenshots, `accuracy-${colorScheme}-${viewport.width}.png`), fullPage: true });
      await page.addScriptTag({ content: axe });
      const result = await page.evaluate((tags) => /** @type {any} */ (window).axe.run({ runOnly: tags }), kTags);
      assert.deepEqual(result.violations.map((/** @type {any} */ found) => `${found.id}: ${found.nodes[0].html.slice(0, 160)}`), []);
    });
