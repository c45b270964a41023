/** Pictures to look at, in build/screenshots, and that nothing in them is cut off or overlaps. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { kDesktop, kPhone, openPage, screenshots, typefaceShown } from "./harness.mjs";

const kSizes = [[1280, 800], [1000, 700], [768, 1024], [390, 844]];

/** Elements whose text does not fit into their box. */
const cutOff = () =>
  [...document.querySelectorAll("p, dd, dt, label, legend, h1, h2, h3, li, td, th, button, summary > *, .chip")]
    .filter((element) => element.getClientRects().length > 0 && !element.closest(".vh, .listbox, .scroll") && getComputedStyle(element).clipPath === "none")
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && getComputedStyle(element).display !== "inline")
    .map((element) => `${element.className || element.tagName}: ${element.textContent?.trim().slice(0, 60)}`);

for (const [width, height] of kSizes)
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    test(`${width} × ${height}, ${colorScheme}`, async () => {
      const { page, quiet } = await openPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      await typefaceShown(page);
      const name = path.join(screenshots, `${width}x${height}-${colorScheme}`);
      await page.screenshot({ path: `${name}.png` });
      await page.screenshot({ path: `${name}-whole.png`, fullPage: true });
      assert.deepEqual(await page.evaluate(cutOff), []);
      await page.locator(".group > summary").first().click();
      await page.locator(".row > summary").first().click();
      assert.deepEqual(await page.evaluate(cutOff), [], "with an open row");
      await page.screenshot({ path: `${name}-row.png`, fullPage: true });
      quiet();
    });

test("digits have one width", async () => {
  const { page } = await openPage();
  await typefaceShown(page);
  const widths = await page.evaluate(() => {
    const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    context.font = "600 100px \"Inter tabular\"";
    return [..."0123456789"].map((digit) => context.measureText(digit).width);
  });
  assert.ok(Math.max(...widths) - Math.min(...widths) < 0.5, widths.join(" "));
});

for (const viewport of [kDesktop, kPhone])
  test(`nothing moves when the typeface arrives (${viewport.width} wide)`, async () => {
    /** @type {() => void} */
    let letThrough = () => {};
    const held = new Promise((resolve) => (letThrough = () => resolve(undefined)));
    // What is held back also holds back the end of loading, when the page is ready before that.
    const { page, quiet } = await openPage({ viewport, until: "domcontentloaded", prepare: (each) => each.route("**/fonts.css", (route) => held.then(() => route.continue())) });
    const edges = () => page.evaluate(() => [".sentence", ".gauge", ".facts-row", ".actions", "#details", ".groups", "#timeline", ".foot", "#form fieldset:last-of-type", "#more"]
      .map((selector) => `${selector} ${document.querySelector(selector)?.getBoundingClientRect().top}`));
    const before = await edges();
    letThrough();
    await typefaceShown(page);
    assert.deepEqual(await edges(), before);
    quiet();
  });
