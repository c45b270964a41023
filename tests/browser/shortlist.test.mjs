/** The list of GPUs on which the scenario fits: sorted, followed by what is changed, and one of them taken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, kPhone, openPage, sentence, unfold } from "./harness.mjs";

const kRows = "#shortlist tbody tr";
/** @param {import("playwright-core").Page} page */
const states = (page) => page.locator(kRows).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-state") ?? ""));

test("GPUs that suffice come first, and the list follows the scenario", async () => {
  const { page, quiet } = await openPage();
  await unfold(page, page.getByText("On which GPUs it fits"), kRows);
  const large = await states(page);
  assert.deepEqual([...large].sort((a, b) => ["fits", "tight", "does_not_fit"].indexOf(a) - ["fits", "tight", "does_not_fit"].indexOf(b)), large);
  await act(page, () => page.locator('[data-model="openai-community/gpt2"]').click());
  const fits = (/** @type {string[]} */ all) => all.filter((state) => state === "fits").length;
  await page.waitForFunction((before) => document.querySelectorAll("#shortlist tr[data-state=fits]").length > before, fits(large));
  quiet();
});

test("a GPU of the list is taken, and says what the list said", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.locator('[data-model="openai-community/gpt2"]').click());
  await unfold(page, page.getByText("On which GPUs it fits"), kRows);
  const row = page.locator(kRows).nth(3);
  const [name, , left] = await row.locator("td").allInnerTexts();
  await act(page, () => row.getByRole("button").click());
  assert.ok((await page.locator(".title").innerText()).includes(name));
  const plain = (/** @type {string} */ words) => words.replaceAll("\u00a0", " ");
  assert.ok(plain(await sentence(page)).includes(`${left} left`));
  quiet();
});

test("all of them can be shown, also on a phone", async () => {
  const { page, quiet } = await openPage({ viewport: kPhone });
  await unfold(page, page.getByText("On which GPUs it fits"), kRows);
  const few = (await states(page)).length;
  await page.locator("#shortlist").getByRole("button", { name: /^Show all/ }).click();
  assert.ok((await states(page)).length > 4 * few);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  quiet();
});

test("on a phone no name is broken inside a word", async () => {
  const { page, quiet } = await openPage({ viewport: kPhone });
  await unfold(page, page.getByText("On which GPUs it fits"), kRows);
  const narrow = await page.locator("#shortlist tbody button").evaluateAll((all) => all.filter((button) => {
    const range = document.createRange();
    const text = /** @type {Text} */ (button.firstChild);
    return [...text.data.matchAll(/\S+/g)].some((word) => {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return new Set([...range.getClientRects()].map((rect) => rect.top)).size > 1;
    });
  }).map((button) => button.textContent));
  assert.deepEqual(narrow, []);
  quiet();
});
