/**
 * Time from navigation to the first chosen result: a click on another model, as early as the page can be seen, until its
 * sentence stands in the page. Time from the click on "Canvas view" to its first frame. Printed; only a hang fails, because
 * machines differ.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./harness.mjs";

const kRuns = 7;
const kHangMs = 10_000;

async function measureOnce() {
  const { page } = await openPage({
    expectReady: false,
    prepare: (each) => each.addInitScript(() => {
      const marks = /** @type {any} */ (window).marks = {};
      const watch = () => {
        const button = document.querySelector('[data-model="openai-community/gpt2"]');
        if (button instanceof HTMLElement && document.documentElement.hasAttribute("data-running") && !marks.clicked) {
          marks.clicked = performance.now();
          button.click();
        }
        const title = document.querySelector(".title")?.textContent ?? "";
        if (marks.clicked && title.includes("gpt2")) marks.done = performance.now();
        else requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
    }),
  });
  await page.waitForFunction(() => /** @type {any} */ (window).marks?.done, null, { timeout: kHangMs });
  const times = await page.evaluate(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    return { .../** @type {any} */ (window).marks, paint };
  });
  await page.context().close();
  return times;
}

test("time to the first chosen result", async () => {
  const runs = [];
  for (let i = 0; i < kRuns; ++i) runs.push(await measureOnce());
  const median = (/** @type {string} */ key) => runs.map((run) => run[key]).sort((a, b) => a - b)[kRuns >> 1];
  console.log(`first verdict painted ${median("paint").toFixed(0)} ms, click ${median("clicked").toFixed(0)} ms, first chosen result ${median("done").toFixed(0)} ms after navigation (median of ${kRuns})`);
  assert.ok(median("done") < kHangMs);
});

test("time to the first frame of the canvas", async () => {
  const runs = [];
  for (let i = 0; i < kRuns; ++i) {
    const { page } = await openPage({ prepare: (each) => each.addInitScript(() => {
      const marks = /** @type {any} */ (window).marks = {};
      // The picture that is drawn last in a frame is handed over behind it.
      const watch = () => {
        const host = /** @type {any} */ (document.querySelector(".canvas-host"))?.host;
        if (host && Number(host.app.counts().split(" ")[0]) > 0) marks.drawn = performance.now();
        else requestAnimationFrame(watch);
      };
      document.addEventListener("click", () => {
        marks.clicked ??= performance.now();
        watch();
      }, true);
    }) });
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: "Canvas view" }).click();
    await page.waitForFunction(() => /** @type {any} */ (window).marks.drawn, null, { timeout: kHangMs });
    runs.push(await page.evaluate(() => /** @type {any} */ (window).marks.drawn - /** @type {any} */ (window).marks.clicked));
    await page.context().close();
  }
  const median = runs.sort((a, b) => a - b)[kRuns >> 1];
  console.log(`first frame of the canvas ${median.toFixed(0)} ms after the click that asks for it (median of ${kRuns})`);
  assert.ok(median < kHangMs);
});
