/**
 * The page and the canvas in Debian's Firefox: every view by role and label, the canvas by real pointer and keyboard.
 * Firefox draws with WebGL 2 only where there is a screen: Xvfb is one, and Mesa's software renderer its card.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const outputs = path.resolve(process.env.MEMWALL_OUTPUTS ?? "build");
const work = path.join(outputs, "firefox");
const pictures = path.join(outputs, "screenshots");

mkdirSync(work, { recursive: true });
mkdirSync(pictures, { recursive: true });
for (const name of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(path.join(here, name), path.join(work, name));
execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work, stdio: "inherit" });
const { default: puppeteer } = await import(pathToFileURL(createRequire(path.join(work, "package.json")).resolve("puppeteer-core")).href);

/** @typedef {any} Page of puppeteer-core, which is not there before this test has installed it */

/** @type {import("node:child_process").ChildProcess[]} */
const running = [];
/** One for light and one for dark, which is a preference of the whole browser. @type {Map<boolean, any>} */
const browsers = new Map();
let origin = "", display = "";

/** The first thing a program prints that matches. @param {string} program @param {string[]} words @param {RegExp} awaited @param {number} stream */
function started(program, words, awaited, stream) {
  const process = spawn(program, words, { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  running.push(process);
  return new Promise((resolve, reject) => {
    process.on("exit", () => reject(new Error(`${program} did not start`)));
    process.stdio[stream]?.on("data", (data) => {
      const found = awaited.exec(String(data));
      if (found) resolve(found[0]);
    });
  });
}

before(async () => {
  display = await started("Xvfb", ["-displayfd", "3", "-screen", "0", "1440x1000x24", "-nolisten", "tcp"], /\d+/, 3);
  const served = await started("python3", [path.join(root, "scripts/serve.py"), "--port", "0", path.join(outputs, "site")], /http:\S+/, 1);
  origin = served.replace(/\/$/, "");
});

/** @param {boolean} dark */
async function launched(dark) {
  const found = browsers.get(dark);
  if (found) return found;
  const kLight = 1, kDark = 0;
  const browser = await puppeteer.launch({
    browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", headless: false,
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1" },
    extraPrefsFirefox: { "webgl.force-enabled": true, "dom.serviceWorkers.enabled": false, "layout.css.devPixelsPerPx": "1.0", "layout.css.prefers-color-scheme.content-override": dark ? kDark : kLight },
  });
  browsers.set(dark, browser);
  return browser;
}

afterEach(async () => {
  for (const browser of browsers.values())
    for (const page of await browser.pages()) if (page.url() !== "about:blank") await page.close();
});

after(async () => {
  for (const browser of browsers.values()) await browser.close();
  for (const each of running) {
    each.removeAllListeners("exit");
    each.kill();
  }
});

/** @param {{ width?: number, height?: number, hash?: string, dark?: boolean }} [options] */
async function open({ width = 1280, height = 800, hash = "", dark = false } = {}) {
  const page = await (await launched(dark)).newPage();
  /** @type {string[]} */
  const seen = [];
  page.on("console", (/** @type {any} */ message) => ["error", "warn"].includes(message.type()) && seen.push(`console: ${message.text()}`));
  page.on("pageerror", (/** @type {Error} */ error) => seen.push(`exception: ${error.message}`));
  page.on("request", (/** @type {any} */ request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin)) seen.push(`foreign: ${request.url()}`);
  });
  await page.setViewport({ width, height });
  await page.goto(`${origin}/${hash}`);
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
  return { page, quiet: () => assert.deepEqual(seen, []) };
}

/** @param {Page} page */
const settled = (page) => page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));

/** Does what changes the scenario, and waits for its answer. @param {Page} page @param {() => Promise<unknown>} action */
async function act(page, action) {
  const before = await page.$eval(".page", (/** @type {HTMLElement} */ form) => form.dataset.answers);
  await action();
  await page.waitForFunction((/** @type {string} */ last) => /** @type {HTMLElement} */ (document.querySelector(".page")).dataset.answers !== last, {}, before);
  await settled(page);
}

/** @param {Page} page @param {string} role @param {string} name */
const by = (page, role, name) => page.waitForSelector(`aria/${name}[role="${role}"]`, { visible: true });
/** @param {Page} page @param {string} selector */
const text = (page, selector) => page.$eval(selector, (/** @type {HTMLElement} */ found) => found.innerText);
const sentence = (/** @type {Page} */ page) => page.$eval(".sentence", (/** @type {HTMLElement} */ found) => found.textContent);

test("Firefox: the verdict is there, and a model, a card and a batch change it by role and label", async () => {
  const { page, quiet } = await open();
  assert.match(await sentence(page), /GiB/);
  const models = await by(page, "combobox", "Search models");
  await models.click({ count: 3 });
  await models.type("gpt2");
  await page.waitForFunction(() => [...document.querySelectorAll("[role=option]")].some((each) => each.textContent?.includes("gpt2")));
  await act(page, () => page.keyboard.press("Enter"));
  assert.match(await text(page, ".title"), /gpt2/);
  const first = await sentence(page);
  const batch = await by(page, "textbox", "Micro-batch size");
  await batch.click({ count: 3 });
  await act(page, () => batch.type("64"));
  assert.notEqual(await sentence(page), first);
  const [scrolls, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(scrolls <= shown, "no horizontal scroll");
  await page.screenshot({ path: path.join(pictures, "firefox-1280x800.png") });
  quiet();
});

for (const dark of [false, true])
  test(`Firefox: every view of the form opens, on a phone too, ${dark ? "dark" : "light"}`, async () => {
    const { page, quiet } = await open({ width: 390, height: 844, dark });
    const folded = await page.$$eval("main details > summary", (/** @type {HTMLElement[]} */ all) => all.filter((each) => each.offsetParent).length);
    assert.ok(folded >= 5, `${folded} views`);
    for (let at = 0; at < folded; ++at) {
      await page.evaluate((/** @type {number} */ which) => {
        const summary = [...document.querySelectorAll("main details > summary")].filter((each) => /** @type {HTMLElement} */ (each).offsetParent)[which];
        if (!(/** @type {HTMLDetailsElement} */ (summary.parentElement).open)) /** @type {HTMLElement} */ (summary).click();
      }, at);
      await settled(page);
    }
    await page.waitForFunction(() => document.querySelectorAll("table").length >= 2);
    const [scrolls, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(scrolls <= shown, `${scrolls} of ${shown} pixels`);
    assert.equal(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches), dark);
    assert.doesNotMatch(await text(page, "body"), /NaN|undefined|\[object/);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: path.join(pictures, `firefox-390x844-${dark ? "dark" : "light"}.png`) });
    quiet();
  });

/** @param {Page} page */
async function drawn(page) {
  await settled(page);
  await page.evaluate(async () => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    do await new Promise((done) => requestAnimationFrame(done));
    while (host.request !== 0);
  });
}

async function openCanvas() {
  const opened = await open({ width: 1000, height: 640 });
  await (await by(opened.page, "button", "Canvas view")).click();
  await opened.page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host, { timeout: 60_000 });
  await drawn(opened.page);
  return opened;
}

/** The middle of a widget, scrolled into sight. @param {Page} page @param {string} name @returns {Promise<[number, number]>} */
async function middle(page, name) {
  for (let tries = 0; ; ++tries) {
    const [x, y] = await page.evaluate((/** @type {string} */ wanted) => {
      const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
      const box = host.canvas.getBoundingClientRect();
      const line = host.app.widgets().trim().split("\n").map((/** @type {string} */ each) => each.split("\t")).find((/** @type {string[]} */ each) => each[0] === wanted);
      if (!line) return [-1, -1];
      const [left, top, width, height] = line.slice(1).map(Number);
      return [box.left + left + width / 2, box.top + top + height / 2];
    }, name);
    assert.notEqual(x, -1, `no widget ${name}`);
    if ((y > 80 && y < 600) || tries === 3) return [x, y];
    await page.evaluate((/** @type {number} */ by_) => scrollBy(0, by_), y - 300);
    await drawn(page);
  }
}

/** @param {Page} page @param {string} name */
async function press(page, name) {
  await page.mouse.click(...(await middle(page, name)));
  await drawn(page);
}

/** @param {Page} page @param {string} name */
const ask = (page, name) => page.evaluate((/** @type {string} */ each) => /** @type {any} */ (document.querySelector(".canvas-host")).host.app[each](), name);

test("Firefox: the canvas draws with WebGL 2, and pointer, keyboard and its mirror drive it", async () => {
  const { page, quiet } = await openCanvas();
  const before = await sentence(page);
  await press(page, "field:model.ref");
  await page.keyboard.type("gpt2");
  await drawn(page);
  await page.keyboard.press("Enter");
  await drawn(page);
  await press(page, "more:batch.micro_batch_size");
  assert.notEqual(await sentence(page), before);
  await press(page, "field:batch.sequence_length");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type("512");
  await drawn(page);
  await press(page, "field:task:Run (inference)");
  assert.match(await page.$eval(".title", (/** @type {HTMLElement} */ title) => title.textContent), /inference/);
  await press(page, "undo");
  assert.match(await page.$eval(".title", (/** @type {HTMLElement} */ title) => title.textContent), /finetune/);
  assert.equal(await ask(page, "overflows"), "", "no text is cut off");
  await page.evaluate(() => scrollTo(0, 0));
  await drawn(page);
  await page.screenshot({ path: path.join(pictures, "firefox-canvas-1000x640.png") });
  await (await by(page, "button", "Form view")).click();
  assert.equal(await (await by(page, "textbox", "Sequence length")).evaluate((/** @type {HTMLInputElement} */ field) => field.value), "512");
  quiet();
});

/** A view that the page fetches when it is opened, on the canvas and in its mirror. @param {Page} page @param {string} key @param {string} inTwin */
async function openPanel(page, key, inTwin) {
  await press(page, `panel:${key}:open`);
  await page.waitForSelector(inTwin, { timeout: 60_000 });
  await drawn(page);
}

test("Firefox: every view that is opened is on the canvas and in its mirror", async () => {
  const { page, quiet } = await openCanvas();
  await openPanel(page, "allocator", "#allocator tbody tr");
  await openPanel(page, "shortlist", "#shortlist tbody tr");
  await openPanel(page, "methods", "#methods .methods li");
  await openPanel(page, "pins", "#pins .pins li");
  await openPanel(page, "accuracy", "#accuracy tbody tr");
  await openPanel(page, "map", ".map-plot:not([aria-busy]) canvas");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#map > div"))?.panel?.image, { timeout: 60_000 });
  await drawn(page);
  const read = () => page.$eval("#map .readout", (/** @type {HTMLElement} */ each) => each.textContent);
  const before = await read();
  await page.mouse.move(...(await middle(page, "panel:map:picture")));
  await page.waitForFunction((/** @type {string} */ old) => document.querySelector("#map .readout")?.textContent !== old, { timeout: 60_000 }, before);
  const first = await sentence(page);
  await press(page, "panel:map:picture");
  assert.notEqual(await sentence(page), first, "the values are taken");
  const names = async () => (await ask(page, "widgets")).split("\n").map((/** @type {string} */ line) => line.split("\t")[0]).filter((/** @type {string} */ name) => name.startsWith("timeline:"));
  await press(page, "timeline:alive");
  await press(page, (await names())[0]);
  assert.equal((await names()).length, 5, "a part of the step, and the ways out of it");
  assert.equal(await ask(page, "overflows"), "", "no text is cut off");
  quiet();
});

test("Firefox: the canvas draws nothing while nothing happens, and comes back after its context was lost", async () => {
  const { page } = await openCanvas();
  await page.mouse.move(10, 10);
  await drawn(page);
  const before = await ask(page, "counts");
  await new Promise((done) => setTimeout(done, 2000));
  assert.equal(await ask(page, "counts"), before);
  const same = await page.evaluate(async () => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const picture = () => {
      host.draw();
      return host.canvas.toDataURL();
    };
    const first = picture();
    const loss = host.canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
    const restored = new Promise((done) => host.canvas.addEventListener("webglcontextrestored", () => setTimeout(done), { once: true }));
    loss.loseContext();
    setTimeout(() => loss.restoreContext(), 50);
    await restored;
    return picture() === first;
  });
  assert.ok(same, "the same picture");
});

test("Firefox: the canvas follows the density when that changes, with nothing else happening", async () => {
  const { page, quiet } = await openCanvas();
  const size = () => page.evaluate(() => [devicePixelRatio, document.querySelector("canvas")?.width, document.querySelector(".canvas-stick")?.clientWidth]);
  assert.deepEqual(await size(), [1, 1000, 1000]);
  for (const deviceScaleFactor of [2, 1.5, 1]) {
    await page.setViewport({ width: 1000, height: 640, deviceScaleFactor });
    await page.waitForFunction((/** @type {number} */ wide) => document.querySelector("canvas")?.width === wide, {}, 1000 * deviceScaleFactor);
    await drawn(page);
    assert.equal(await ask(page, "overflows"), "", `at ${deviceScaleFactor}`);
  }
  quiet();
});

test("Firefox: what an input method composes is typed into a field when it is done", async () => {
  const { page, quiet } = await openCanvas();
  await press(page, "field:model.ref");
  // As Firefox tells of it: a composition, its text in the agent, and the end of it.
  await page.evaluate(() => {
    const agent = /** @type {HTMLTextAreaElement} */ (document.querySelector(".canvas-agent"));
    agent.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    agent.value = "ｑｗ";
    agent.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true, inputType: "insertCompositionText", data: "ｑｗ" }));
  });
  await page.waitForSelector(".canvas-agent[data-composing]");
  assert.ok(!(await ask(page, "widgets")).includes("option:Qwen/Qwen2.5-7B\t"));
  await page.evaluate(() => {
    const agent = /** @type {HTMLTextAreaElement} */ (document.querySelector(".canvas-agent"));
    agent.value = "qwen2.5-7b";
    agent.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "qwen2.5-7b" }));
    agent.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: "qwen2.5-7b" }));
  });
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.app.widgets().includes("option:Qwen/Qwen2.5-7B"));
  quiet();
});
