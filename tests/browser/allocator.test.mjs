/** The caching allocator, simulated beside the estimate. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, kPhone, openPage, unfold } from "./harness.mjs";

test("what is reserved is simulated when somebody asks, and follows the scenario", async () => {
  const { page, quiet } = await openPage();
  await unfold(page, page.locator("#allocator > summary"), "#allocator tbody tr");
  const rows = page.locator("#allocator tbody tr");
  assert.deepEqual(await rows.locator("th").allInnerTexts(), ["Estimate (allocator slack)", "Simulated, PyTorch's default", "Simulated, expandable_segments"]);
  const words = async (/** @type {import("playwright-core").Locator} */ place) => (await place.innerText()).replace(/\s/g, " ");
  const reserved = page.locator("[data-number=reserved] b");
  assert.equal(await words(rows.nth(0).locator("td").first()), await words(reserved), "the estimate's own number stands first");
  assert.match(await rows.nth(1).innerText(), /GiB\s+\d[\d.]* %\s+\d/);
  const before = await rows.nth(1).innerText();
  await act(page, () => page.getByRole("button", { name: "GPT-2" }).click());
  await page.waitForFunction((last) => /** @type {HTMLElement | null} */ (document.querySelector("#allocator tbody tr:nth-child(2)"))?.innerText !== last, before);
  assert.equal(await words(rows.nth(0).locator("td").first()), await words(reserved));
  const [scrolls, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(scrolls <= shown);
  quiet();
});

test("on a phone the simulation lies within the page", async () => {
  const { page, quiet } = await openPage({ viewport: kPhone });
  await unfold(page, page.locator("#allocator > summary"), "#allocator tbody tr");
  const [scrolls, shown] = await page.locator("#allocator .scroll").evaluate((region) => [region.scrollWidth, region.clientWidth]);
  assert.ok(scrolls <= shown, `${scrolls} of ${shown} pixels`);
  quiet();
});
