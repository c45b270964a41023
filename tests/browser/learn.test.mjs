/** Pages to read: found from the main page, quiet under their own policy, readable on a phone, nothing for axe. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { follow, kDesktop, kPhone, openPage, root, screenshots, sentence, settled } from "./harness.mjs";

const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const kPages = ["index", "memory-wall", "memory-math", "activations", "logits", "optimizers", "zero", "kv-cache", "allocated-reserved", "formulas", "embedding"];
const kAccuracy = { hash: "learn/accuracy.html", expectReady: false };

test("the footer leads to how exact it is", async () => {
  const { page, quiet } = await openPage();
  await page.waitForLoadState("networkidle");
  await page.getByRole("contentinfo").getByRole("link", { name: "How exact" }).click();
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "How exact memwall is");
  await follow(page, "memwall");
  await page.waitForURL(/\/(#.*)?$/);
  await page.waitForLoadState("networkidle");
  quiet();
});

test("the footer leads to the pages to read, and one leads to the next", async () => {
  const { page, quiet } = await openPage();
  await page.waitForLoadState("networkidle");
  await page.locator(".foot").getByRole("link", { name: "Learn" }).click();
  await page.waitForURL(/learn\/$/);
  await page.waitForLoadState("networkidle");
  await page.locator(".pages").getByRole("link", { name: "The memory wall" }).click();
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "The memory wall");
  await page.waitForLoadState("networkidle");
  await page.locator(".learn-foot").getByRole("link", { name: "Memory math" }).scrollIntoViewIfNeeded();
  await page.locator(".sentence").waitFor();
  await follow(page, "Next Memory math");
  assert.match(await page.locator("main").innerText(), /= 56\sGB/);
  await page.waitForLoadState("networkidle");
  quiet();
});

test("every category and every number leads to its term", async () => {
  const { page, quiet } = await openPage();
  const targets = await page.locator(".groups:not(.parameters) .basis a, .numbers a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  assert.ok(targets.length > 8, targets.join(" "));
  await page.waitForLoadState("networkidle");
  await page.locator(".numbers a").first().click();
  for (const target of targets) assert.equal(await page.locator(target.replace("learn/", "")).count(), 1, target);
  quiet();
});

test("headings, the interval and the fields lead to what explains them", async () => {
  const { page, quiet } = await openPage();
  const leads = () => page.locator("h2 a, .verdict .basis a, .about").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  await page.locator("#more > summary").click();
  await page.locator("#more-fields .about").first().waitFor({ state: "attached" });
  const targets = new Set(await leads());
  assert.ok(targets.size > 12, [...targets].join(" "));
  assert.equal(await page.locator(".field-head:not(:has(.about))").count(), 2, "all but the implementation and its version");
  await page.waitForLoadState("networkidle");
  for (const target of targets) {
    await page.goto(new URL(target, page.url().replace(/learn\/.*|#.*/, "")).href, { waitUntil: "domcontentloaded" });
    assert.ok((await page.locator("h1").count()) === 1 && (await page.locator(new URL(page.url()).hash || "h1").count()) === 1, target);
    await page.waitForLoadState("networkidle");
  }
  quiet();
});

test("a page has a live calculator, and leads to the whole one, both with the numbers it was built with", async () => {
  const { page, quiet } = await openPage({ hash: "learn/logits.html", expectReady: false });
  const plain = (/** @type {string} */ text) => text.replaceAll("\u00a0", " ");
  const built = plain((await page.locator(".try b").textContent()) ?? "");
  const link = await page.locator(".try .open").getAttribute("href");
  await page.locator("memwall-calculator").scrollIntoViewIfNeeded();
  await page.locator(".sentence").waitFor();
  assert.equal(plain(await sentence(page)), built);
  await page.getByRole("textbox", { name: "Sequence length" }).fill("1024");
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent?.replaceAll("\u00a0", " ") !== old, built);
  await page.waitForLoadState("networkidle");
  await page.goto(new URL(link ?? "", page.url()).href);
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
  assert.equal(plain(await sentence(page)), built);
  await page.waitForLoadState("networkidle");
  quiet();
});

for (const name of kPages)
  test(`${name} can be read without scripts, on a phone and in the dark, and axe has nothing to say`, async () => {
    const hash = `learn/${name}.html`;
    for (const [colorScheme, viewport] of /** @type {const} */ ([["light", kDesktop], ["dark", kPhone]])) {
      const { page, quiet } = await openPage({ hash, expectReady: false, javaScriptEnabled: false, colorScheme, viewport });
      assert.ok((await page.locator("main").innerText()).length > 1500);
      await page.screenshot({ path: path.join(screenshots, `learn-${name}-${colorScheme}.png`), fullPage: true });
      quiet();
      const { page: checked } = await openPage({ hash, expectReady: false, colorScheme, viewport, bypassCSP: true });
      const overflow = await checked.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, "no sideways scroll");
      await checked.addScriptTag({ content: axe });
      const result = await checked.evaluate((tags) => /** @type {any} */ (window).axe.run({ runOnly: tags }), kTags);
      assert.deepEqual(result.violations.map((/** @type {any} */ found) => `${found.id}: ${found.nodes[0].html.slice(0, 160)}`), []);
    }
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
