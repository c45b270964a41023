/** Every instant of a step: a part as a chart, the whole by its slider, the rows of each. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { act, kDesktop, kPhone, openPage, outputs, screenshots, typefaceShown, unfold } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */
const plain = (/** @type {string} */ words) => words.replaceAll("\u00a0", " ");

/** The small model's step, opened. @param {Parameters<typeof openPage>[0]} [options] */
async function opened(options) {
  const made = await openPage(options);
  const { page } = made;
  await act(page, () => page.locator('[data-model="openai-community/gpt2"]').click());
  await unfold(page, page.getByText("The step operator by operator"), "#instants .area");
  return made;
}
/** @param {Page} page */
const said = async (page) => plain(await page.locator("#instants [role=status]").innerText());

test("it begins at the highest, and is as long as the command line's", async () => {
  const { page, quiet } = await opened();
  const { stdout } = spawnSync(path.join(outputs, "native/memwall"), ["timeline", "--every", "--json", "--model", "openai-community/gpt2", "--gpu", "H100 SXM5 80GB"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const { instants } = JSON.parse(stdout);
  const [, from, to, count] = /^Instants ([\d,]+) to ([\d,]+) of ([\d,]+): most is/.exec(await said(page))?.map((number) => Number(number.replaceAll(",", ""))) ?? [];
  assert.equal(count, instants.length);
  const peak = instants.reduce((/** @type {number} */ best, /** @type {any} */ each, /** @type {number} */ at) => (each.bytes > instants[best].bytes ? at : best), 0);
  assert.ok(from <= peak + 1 && peak + 1 <= to, `${peak} in ${from} to ${to}`);
  quiet();
});

test("its slider goes over the whole step, and every instant names its operator and its rows", async () => {
  const { page, quiet } = await opened();
  const part = page.getByRole("slider", { name: "Part of the step" });
  await part.press("Home");
  await page.waitForFunction(() => document.querySelector("#instants [role=status]")?.textContent?.startsWith("Instants 1 to"));
  const chart = page.locator("#instants .chart");
  await chart.getByText("What is in memory at this instant").click();
  const one = page.getByRole("slider", { name: "Instant of this part" });
  await one.fill("60");
  await chart.locator("tbody tr[data-key]").first().waitFor();
  assert.match(await chart.locator(".readout").innerText(), /first step, forward, layer 1 of 12, \w+/);
  const first = await chart.locator(".readout b").innerText();
  await one.fill("61");
  await page.waitForFunction((before) => document.querySelector("#instants .readout b")?.textContent !== before, first);
  await page.getByRole("button", { name: "Go to the highest" }).click();
  await page.waitForFunction(() => !document.querySelector("#instants [role=status]")?.textContent?.startsWith("Instants 1 to"));
  quiet();
});

test("it follows the scenario", async () => {
  const { page, quiet } = await opened();
  const before = await said(page);
  await act(page, () => page.getByRole("textbox", { name: /^Micro-batch size/ }).fill("4"));
  await page.waitForFunction((last) => document.querySelector("#instants [role=status]")?.textContent?.replaceAll("\u00a0", " ") !== last, before);
  quiet();
});

for (const viewport of [kDesktop, kPhone])
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    test(`${viewport.width} wide, ${colorScheme}: nothing lies beside the page`, async () => {
      const { page, quiet } = await opened({ viewport, colorScheme });
      await typefaceShown(page);
      await page.locator("#instants").screenshot({ path: path.join(screenshots, `instants-${viewport.width}-${colorScheme}.png`) });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      quiet();
    });
