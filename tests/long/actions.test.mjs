/** What 10,000 actions leave behind is what 1,000 did: a page that stays open for a week does not grow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../browser/harness.mjs";

const kMegabyte = 2 ** 20;
const kLimit = 32 * kMegabyte;

/** @typedef {import("playwright-core").Page} Page */

/** Changes numbers, tasks, models and refused values in turn, each answered before the next. @param {Page} page @param {number} from @param {number} to */
const act = (page, from, to) => page.evaluate(async ([first, last]) => {
  const shown = /** @type {HTMLElement} */ (document.querySelector(".page"));
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ ([...document.querySelectorAll("input")].find((input) => input.labels?.[0]?.textContent?.startsWith(name)));
  const type = (/** @type {string} */ name, /** @type {string} */ value) => {
    const input = field(name);
    input.value = value;
    for (const event of ["input", "change"]) input.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const models = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-model]"));
  for (let at = first; at < last; at += 1) {
    const before = shown.dataset.answers;
    if (at % 50 === 0) models[(at / 50) % models.length].click();
    else if (at % 50 === 25) field(at % 100 === 25 ? "Run (inference)" : "Finetune").click();
    else if (at % 10 === 3) type("How many", String(1 + (at % 7)));
    else if (at % 10 === 7) type("How many", "-1");
    else type("How many", String(2 + (at % 61)));
    for (let waited = 0; shown.dataset.answers === before; waited += 1) {
      if (waited === 2000) throw new Error(`action ${at} was not answered`);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}, [from, to]);

test("10,000 actions leave the memory where 1,000 did, below 32 MB", async () => {
  const { page, quiet } = await openPage({ prepare: (made) => made.addInitScript(() => {
    const real = WebAssembly.instantiate;
    /** @type {any} */ (WebAssembly).instantiate = async (/** @type {any[]} */ ...given) => {
      const instance = await /** @type {any} */ (real)(...given);
      const memory = Object.values(instance.exports ?? {}).find((each) => each instanceof WebAssembly.Memory);
      if (memory) Object.assign(window, { memory });
      return instance;
    };
  }) });
  const session = await page.context().newCDPSession(page);
  const used = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = /** @type {{ usedSize: number }} */ (await session.send("Runtime.getHeapUsage"));
    const wasm = await page.evaluate(() => {
      const memory = /** @type {WebAssembly.Memory | undefined} */ (/** @type {any} */ (window).memory);
      return memory?.buffer.byteLength ?? 0;
    });
    return { scripts: usedSize, wasm, elements: await page.evaluate(() => document.querySelectorAll("*").length) };
  };
  await act(page, 1, 1000);
  const early = await used();
  await act(page, 1000, 10000);
  const late = await used();
  assert.ok(early.wasm > 0 && early.scripts > 0, "there is something to measure");
  assert.equal(late.wasm, early.wasm);
  assert.ok(late.scripts < early.scripts + kMegabyte / 2, `${early.scripts}, then ${late.scripts}`);
  assert.ok(late.scripts + late.wasm < kLimit, `${late.scripts} and ${late.wasm}`);
  assert.ok(late.elements < early.elements * 1.1, `${early.elements} elements, then ${late.elements}`);
  quiet();
});
