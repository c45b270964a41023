/** The canvas view in tests: opened, asked where its widgets are, pressed and typed into. */
import assert from "node:assert/strict";
import { eventually, openPage, settled } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** Small, because here every pixel is drawn by the processor. */
export const kWindow = { width: 1000, height: 600 };

/** @param {Parameters<typeof openPage>[0]} [options] */
export async function openCanvas(options) {
  const opened = await openPage({ viewport: kWindow, ...options });
  await opened.page.getByRole("button", { name: "Canvas view" }).click();
  await opened.page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host, null, { timeout: 30_000 });
  await settle(opened.page);
  return opened;
}

/** Until no frame is due any more, and what frames asked for is answered and drawn. @param {Page} page */
export async function settle(page) {
  for (let isStill = false; !isStill; ) {
    await page.evaluate(async () => {
      const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
      do await new Promise((done) => requestAnimationFrame(done));
      while (host.request !== 0);
    });
    await settled(page);
    isStill = await page.evaluate(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.request === 0);
  }
}

/** What an export of the module says. @param {Page} page @param {string} name @returns {Promise<any>} */
export const ask = (page, name) => page.evaluate((each) => /** @type {any} */ (document.querySelector(".canvas-host")).host.app[each](), name);

/** @param {Page} page @returns {Promise<Map<string, { x: number, y: number, width: number, height: number }>>} in pixels of the window */
export async function widgets(page) {
  const [lines, left, top] = await page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const box = host.canvas.getBoundingClientRect();
    return [host.app.widgets(), box.left, box.top];
  });
  return new Map(lines.trim().split("\n").map((/** @type {string} */ line) => {
    const [name, x, y, width, height] = line.split("\t");
    return [name, { x: left + Number(x), y: top + Number(y), width: Number(width), height: Number(height) }];
  }));
}

/** Where a widget is, as soon as it is there and nothing above it moves it any more. @param {Page} page @param {string} name */
const placeOf = (page, name) => eventually(async () => {
  const read = async () => (await widgets(page)).get(name);
  const before = await read();
  await settle(page);
  const box = await read();
  assert.ok(box, `no widget ${name}`);
  assert.deepEqual(box, before, `${name} moves`);
  return box;
});

/** The names of the widgets that begin so, as soon as there are any. @param {Page} page @param {string} beginning */
export const named = (page, beginning) => eventually(async () => {
  const names = [...(await widgets(page)).keys()].filter((name) => name.startsWith(beginning));
  assert.ok(names.length > 0, `no widget ${beginning}…`);
  return names;
});

/** The middle of a widget, scrolled into sight. @param {Page} page @param {string} name @returns {Promise<[number, number]>} */
export async function middle(page, name) {
  for (let tries = 0; ; ++tries) {
    const box = await placeOf(page, name);
    const y = box.y + box.height / 2;
    if ((y > 80 && y < (page.viewportSize()?.height ?? 0) - 20) || tries === 3) return [box.x + box.width / 2, y];
    await page.evaluate((by) => scrollBy(0, by), y - 300);
    await settle(page);
  }
}

/** @param {Page} page @param {string} name */
export async function press(page, name) {
  await page.mouse.click(...(await middle(page, name)));
  await settle(page);
}

/** @param {Page} page @param {string} key */
export async function strike(page, key) {
  await page.keyboard.press(key);
  await settle(page);
}
