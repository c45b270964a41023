/**
 * What every browser test needs: the built site behind the project's own server, Debian's Chromium, and a
 * page that remembers everything that must not happen: console errors and warnings, exceptions, failed and
 * foreign requests. `quiet` asserts that nothing of that was seen.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { after, afterEach, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const outputs = process.env.MEMWALL_OUTPUTS ?? path.join(root, "build");
export const screenshots = path.join(outputs, "screenshots");
mkdirSync(screenshots, { recursive: true });

const kFlags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
export const kDesktop = { width: 1280, height: 800 };
export const kPhone = { width: 390, height: 844 };
/** MEMWALL_CPU_SLOWDOWN=6 runs every page as on a machine six times as slow: what a test reads too early shows itself. */
const kSlowdown = Number(process.env.MEMWALL_CPU_SLOWDOWN ?? 1);

/** @type {import("node:child_process").ChildProcess} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string} */
export let origin;

/**
 * The project's own server for a folder.
 * @param {string} folder
 * @returns {Promise<{ process: import("node:child_process").ChildProcess, origin: string }>}
 */
export function serve(folder) {
  const process = spawn("python3", [path.join(root, "scripts/serve.py"), "--port", "0", folder], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    process.stdout?.on("data", (/** @type {Buffer} */ data) => {
      const address = /http:\S+/.exec(data.toString());
      if (address) resolve({ process, origin: address[0].replace(/\/$/, "") });
    });
    process.on("exit", () => reject(new Error("the server did not start")));
  });
}

/** A context that the test opens pages in itself. @param {import("playwright-core").BrowserContextOptions} [options] */
export const newContext = (options) => browser.newContext({ viewport: kDesktop, colorScheme: "light", ...options });

before(async () => {
  ({ process: server, origin } = await serve(path.join(outputs, "site")));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: kFlags });
});

// A page left open goes on taking processor time from the tests after it.
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

after(async () => {
  await browser?.close();
  server?.kill();
});

/** The processor is slow, and what opens by a click says so late, as the standard allows. @param {import("playwright-core").Page} page */
async function slowDown(page) {
  await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: kSlowdown });
  await page.addInitScript((milliseconds) => {
    const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (type !== "toggle" || typeof listener !== "function") return add.call(this, type, listener, options);
      add.call(this, type, (event) => setTimeout(() => listener.call(this, event), milliseconds), options);
    };
  }, 50 * kSlowdown);
}

/**
 * @param {import("playwright-core").BrowserContextOptions & { hash?: string, expectReady?: boolean, until?: "load" | "domcontentloaded",
 *   prepare?: (page: import("playwright-core").Page) => Promise<unknown> }} [options]
 */
export async function openPage({ hash = "", expectReady = true, until = "load", prepare, ...context } = {}) {
  // A worker would fetch the whole site for every test; offline.test.mjs is about it.
  const inContext = await newContext({ serviceWorkers: "block", ...context });
  const page = await inContext.newPage();
  /** @type {string[]} */
  const seen = [];
  // Taking a picture of a canvas reads its pixels, which the driver remarks upon.
  const isOfTests = (/** @type {string} */ text) => text.includes("GPU stall due to ReadPixels") || text.includes("blocked by Playwright");
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isOfTests(message.text()) && seen.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => seen.push(`exception: ${error.message}`));
  // A browser that leaves a page lets go of its icon.
  const isLetGo = (/** @type {import("playwright-core").Request} */ request) => request.url().endsWith("icon.svg") && request.failure()?.errorText === "net::ERR_ABORTED";
  page.on("requestfailed", (request) => isLetGo(request) || seen.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const { protocol, origin: from } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && from !== origin) seen.push(`foreign: ${request.url()}`);
  });
  if (kSlowdown > 1) await slowDown(page);
  await prepare?.(page);
  await page.goto(`${origin}/${hash}`, { waitUntil: until });
  if (expectReady) {
    await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
    await settled(page);
  }
  return { page, seen, quiet: () => assert.deepEqual(seen, []) };
}

/**
 * Waits until the page shows the answer to what its form says.
 * @param {import("playwright-core").Page} page
 */
export const settled = (page) => page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));

/**
 * What follows an action is asserted until it holds: a page answers when it can, not when a test reads.
 * @template T
 * @param {() => T | Promise<T>} check throws as long as it does not hold
 * @param {number} [milliseconds]
 * @returns {Promise<T>}
 */
export async function eventually(check, milliseconds = 15_000) {
  for (const end = Date.now() + milliseconds; ; ) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

/**
 * Does what changes the scenario, and waits until that change is answered, be it by a refusal. What a test reads after
 * a change it reads after this.
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} action
 */
export async function act(page, action) {
  const answers = () => /** @type {HTMLElement} */ (document.querySelector(".page")).dataset.answers;
  const before = await page.evaluate(answers);
  await action();
  await page.waitForFunction((last) => /** @type {HTMLElement} */ (document.querySelector(".page")).dataset.answers !== last, before);
  await settled(page);
}

/**
 * Follows a link as somebody who has let the page finish: what it still asks for would be cancelled, and count as failed.
 * @param {import("playwright-core").Page} page
 * @param {string} name of the link
 */
export async function follow(page, name) {
  await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name }).click();
}

/**
 * Opens a <details>, and waits for what is made only then.
 * @param {import("playwright-core").Page} page
 * @param {import("playwright-core").Locator} summary
 * @param {string} inside selector of the first thing in it
 */
export async function unfold(page, summary, inside) {
  await summary.click();
  await page.locator(inside).first().waitFor({ state: "attached" });
}

/**
 * Waits until the typeface, which is asked for after the first answer, has taken the place of its stand-in.
 * @param {import("playwright-core").Page} page
 */
export const typefaceShown = (page) =>
  page.waitForFunction(() => [...document.fonts].filter((face) => face.family.includes("Inter tabular") && face.status === "loaded").length === 2);

/** @param {import("playwright-core").Page} page */
export const sentence = (page) => page.locator(".sentence").innerText();

/**
 * Chooses in a combobox as a user does: types, waits for the list, presses Enter.
 * @param {import("playwright-core").Page} page
 * @param {string} name of the combobox
 * @param {string} words
 */
export async function choose(page, name, words) {
  const box = page.getByRole("combobox", { name });
  await box.click();
  await box.fill(words);
  await page.getByRole("option").first().waitFor();
  await act(page, () => box.press("Enter"));
}
