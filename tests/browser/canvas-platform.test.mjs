/** What the canvas does as a part of a page: clipboard, files, cursors, sizes, sight and motion. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ask, middle, openCanvas, press, settle, strike } from "./drawn.mjs";
import { eventually } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
const frames = async (page) => Number((await ask(page, "counts")).split(" ")[0]);
/** The darkest a pixel of a part of the canvas is, 0 to 255, in a frame that is drawn for it. @param {Page} page @param {{ x: number, y: number, width: number, height: number }} box */
const darkest = (page, box) => page.evaluate(({ x, y, width, height }) => {
  const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
  host.draw();
  const at = host.canvas.getBoundingClientRect();
  const copy = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (copy.getContext("2d"));
  context.drawImage(host.canvas, x - at.left, y - at.top, width, height, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data.filter((_, index) => index % 4 === 1).reduce((least, each) => Math.min(least, each), 255);
}, box);

/** @param {Page} page @param {string} name */
const typed = (page, name) => page.getByRole("textbox", { name: new RegExp(`^${name}`), includeHidden: true }).inputValue();

test("the table is copied as text, all fields are reset, and the fit map is a file of values", async () => {
  const { page, quiet } = await openCanvas({ permissions: ["clipboard-read", "clipboard-write"] });
  const standard = await typed(page, "Micro-batch size");
  await press(page, "more:batch.micro_batch_size");
  await eventually(async () => assert.notEqual(await typed(page, "Micro-batch size"), standard));
  await press(page, "copy-text");
  const total = (await page.locator(".sentence").textContent())?.match(/[\d.,]+\s(?:GiB|MiB)/)?.[0].replaceAll("\u00a0", " ") ?? "";
  await eventually(async () => {
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /Weights\t.*GiB/);
    assert.ok(copied.includes(total), `${total} in ${copied.slice(0, 200)}`);
  });
  await press(page, "reset-all");
  await eventually(async () => assert.equal(await typed(page, "Micro-batch size"), standard));
  await press(page, "panel:map:open");
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "panel:map:csv")]);
  const [heads, ...lines] = readFileSync(await download.path(), "utf8").trim().split("\n");
  assert.match(heads, /micro_batch_size.*sequence_length|sequence_length.*micro_batch_size/);
  assert.ok(lines.length > 100, `${lines.length} lines`);
  quiet();
});

test("an answer that is no longer the form's says so on the canvas, until the field is put right", async () => {
  const { page, quiet } = await openCanvas();
  const kSentence = { x: 380, y: 110, width: 500, height: 60 };
  assert.ok((await darkest(page, kSentence)) < 60);
  const before = await ask(page, "content_height"); // of the answers, which are higher than the form
  await press(page, "field:batch.micro_batch_size");
  await strike(page, "Control+a");
  await page.keyboard.insertText("-3");
  await eventually(async () => assert.match((await page.locator("#stale").textContent()) ?? "", /"-3" is negative/));
  await eventually(async () => assert.ok((await ask(page, "content_height")) > before + 30, "the sentence stands above the verdict"));
  assert.equal(await ask(page, "overflows"), "");
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  const faded = await darkest(page, kSentence);
  assert.ok(faded > 100 && faded < 180, `${faded}: what was answered stands back`);
  await strike(page, "Control+a");
  await page.keyboard.insertText("2");
  await eventually(async () => assert.ok(await page.locator("#stale").isHidden()));
  await page.evaluate(() => scrollTo(0, 0));
  await eventually(async () => assert.ok((await darkest(page, kSentence)) < 60));
  quiet();
});

test("the cursor has the shape of what is under it", async () => {
  const { page, quiet } = await openCanvas();
  const shape = () => page.evaluate(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.canvas.style.cursor);
  for (const [name, wanted] of [["field:batch.sequence_length", "text"], ["undo", "pointer"], ["learn:numbers", "pointer"], ["group:weights", "pointer"]]) {
    if (name === "undo") await press(page, "more:batch.micro_batch_size");
    await page.mouse.move(...(await middle(page, name)));
    await eventually(async () => assert.equal(await shape(), wanted, name));
  }
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  await page.mouse.move(3, 300);
  await eventually(async () => assert.equal(await shape(), "default"));
  quiet();
});

test("another size of the window is drawn before it is seen, and nothing moves by itself", async () => {
  const { page, quiet } = await openCanvas();
  // Behind the host's own observer in the same turn: what it finds is what is painted.
  await page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const drawn = () => Number(host.app.counts().split(" ")[0]);
    let before = drawn();
    /** @type {any} */ (window).sizes = [];
    new ResizeObserver(() => {
      const { width, height } = host.stick.getBoundingClientRect();
      /** @type {any} */ (window).sizes.push([host.canvas.width === Math.round(width), host.canvas.height === Math.round(height), drawn() > before]);
      before = drawn();
    }).observe(host.stick);
  });
  for (const width of [900, 640, 1100]) await page.setViewportSize({ width, height: 500 + width / 10 });
  await eventually(async () => assert.ok((await page.evaluate(() => /** @type {any} */ (window).sizes.length)) >= 3));
  for (const [wide, high, drawn] of (await page.evaluate(() => /** @type {any} */ (window).sizes)).slice(1)) assert.deepEqual([wide, high, drawn], [true, true, true]);
  // With reduced motion and without it: frames follow what was pressed, and are the same few.
  const kFew = 12;
  for (const reducedMotion of /** @type {const} */ (["reduce", "no-preference"])) {
    await page.emulateMedia({ reducedMotion });
    await settle(page);
    const [x, y] = await middle(page, "group:weights");
    const before = await frames(page);
    await page.mouse.click(x, y);
    await settle(page);
    const count = (await frames(page)) - before;
    assert.ok(count > 0 && count <= kFew, `${count} frames`);
  }
  quiet();
});

test("a document that is hidden draws nothing, and is drawn when it is seen again", async () => {
  const { page, quiet } = await openCanvas();
  const hide = (/** @type {boolean} */ isHidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  await hide(true);
  const before = await frames(page);
  await page.evaluate(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.wake());
  await page.locator("#canvas-switch").focus(); // a change that would be drawn
  await page.waitForTimeout(500);
  assert.equal(await frames(page), before);
  await hide(false);
  await eventually(async () => assert.ok((await frames(page)) > before));
  quiet();
});
