/** Without a network: everything of one build from the cache, also from a folder of a host; newer builds when they are wanted. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { bareBrowser } from "./bare.mjs";
import { follow, newContext, openPage, origin, root, sentence, serve, settled } from "./harness.mjs";

const outputs = process.env.MEMWALL_OUTPUTS ?? path.join(root, "build");
const folder = mkdtempSync(path.join(os.tmpdir(), "memwall-offline-"));
const site = path.join(folder, "docs/tools/memwall");
cpSync(path.join(outputs, "site"), site, { recursive: true });
/** @type {import("node:child_process").ChildProcess[]} */
const servers = [];
after(() => {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true });
});
async function host() {
  const { process, origin } = await serve(folder);
  servers.push(process);
  return { server: process, place: `${origin}/docs/tools/memwall/` };
}

/** The build's files as the worker lists them, after something in them changed. */
function rebuild() {
  cpSync(path.join(root, "web/sw.js"), path.join(site, "sw.js"));
  execFileSync("python3", [path.join(root, "scripts/generate_offline.py"), "--site", site]);
}

/** @param {import("playwright-core").Page} page */
const ready = async (page) => {
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
};
/** @param {import("playwright-core").Page} page */
const kept = async (page) => {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
};

/** What the page asks for by itself (src/README.md, *What is asked for*); the last of each step waits for that of the step before. */
const kLoad = ["index.html", "style.css", "boot.js", "main.mjs", "core.mjs", "shared.mjs", "timeline.mjs", "core.wasm", "icon.svg", "manifest.webmanifest",
  "core-rest.wasm", "form.mjs", "controls.mjs", "fonts.css", "fonts/inter-400.otf", "fonts/inter-600.otf", "explanations.txt", "offline.mjs"];
const kSteps = ["core.wasm", "core-rest.wasm", "explanations.txt", "offline.mjs"];

test("a page asks for its own parts until it is complete, and then for nothing while nobody asks for anything", async () => {
  /** @type {string[]} */
  const asked = [];
  const { page, quiet } = await openPage({ prepare: async (each) => void each.on("request", (request) => asked.push(new URL(request.url()).pathname.slice(1) || "index.html")) });
  for (const end = Date.now() + 20000; !["offline.mjs", "fonts/inter-600.otf"].every((last) => asked.includes(last)); )
    assert.ok(Date.now() < end && (await page.waitForTimeout(100), true), `the last parts come: ${asked}`);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked.filter((name) => !kLoad.includes(name)), [], "no file that is not named");
  assert.deepEqual(asked.filter((name) => kSteps.includes(name)), kSteps, "step after step");
  const complete = asked.length;
  // Looking is not asking: reading on, pointing at things, moving the focus, coming back to the page.
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 4000);
  for (let i = 0; i < 5; ++i) await page.keyboard.press("Tab");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.waitForTimeout(5000);
  assert.deepEqual(asked.slice(complete), []);
  quiet();
});

test("with the network off and the server stopped, every part is still there", async () => {
  const { server, place } = await host();
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(place);
  await ready(page);
  await kept(page);
  const said = await sentence(page);
  server.kill();
  await context.setOffline(true);

  const again = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  again.on("pageerror", (error) => errors.push(error.message));
  again.on("requestfailed", (request) => errors.push(request.url()));
  await again.goto(`${place}?from=somewhere`);
  await ready(again);
  assert.equal(await sentence(again), said);
  await again.getByRole("button", { name: "Canvas view" }).click();
  await again.locator("#canvas-place canvas").waitFor();
  await again.waitForLoadState("networkidle");
  await again.goto(`${place}learn/`);
  await follow(again, "Memory math");
  await again.getByRole("heading", { level: 1, name: "Memory math" }).waitFor();
  await again.waitForLoadState("networkidle");
  await again.goto(`${place}licenses.html`);
  await again.waitForLoadState("networkidle");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a newer build waits until it is taken by a click, which reloads every open page in place with its scenario; the older cache goes", async () => {
  const { place } = await host();
  const browser = await bareBrowser();
  const isReady = 'document.documentElement.hasAttribute("data-ready") && !document.querySelector("[aria-busy=true]")';
  const isKept = 'navigator.serviceWorker.controller?.state === "activated"';
  const batch = 'document.querySelector("#field-batch-micro_batch_size").value';
  const newer = 'getComputedStyle(document.querySelector(".brand")).getPropertyValue("--newer")';
  const click = (/** @type {string} */ selector) => `document.querySelector('${selector}').click()`;
  try {
    const page = await browser.open(`${place}#v1&model.ref=openai-community/gpt2&accelerator.name=GeForce%20RTX%204090`);
    await page.until(`${isReady} && ${isKept}`);
    const other = await browser.open(`${place}#v1&model.ref=openai-community/gpt2&batch.micro_batch_size=7`);
    await other.until(`${isReady} && ${isKept}`);
    await page.evaluate('caches.open("of somebody else")');
    const [before] = (await page.evaluate("caches.keys()")).filter((/** @type {string} */ name) => name.startsWith("memwall /docs/tools/memwall/ "));
    assert.ok(before);
    assert.equal(await page.evaluate('document.querySelectorAll(".update").length'), 0, "the first build is no news");

    appendFileSync(path.join(site, "style.css"), ".brand{--newer:1}");
    rebuild();
    await page.evaluate("location.reload()");
    await page.until('document.querySelector(".update button")');
    assert.equal(await page.evaluate(newer), "", "still the build it began with");
    await page.evaluate(click('button[aria-label="Increase Micro-batch size"]'));
    await page.until(`${isReady} && ${batch} === "2"`);
    const address = await page.evaluate("location.pathname");
    await page.evaluate(click(".update button"));
    await page.until(`${isReady} && ${newer} === "1"`);
    assert.deepEqual([await page.evaluate(batch), await page.evaluate("location.pathname")], ["2", address]);
    await other.until(`${isReady} && ${newer} === "1"`);
    assert.equal(await other.evaluate(batch), "7", "the other page went over too");
    const names = await page.evaluate("caches.keys()");
    assert.ok(!names.includes(before), names.join());
    assert.ok(names.includes("of somebody else"), names.join());
    assert.equal(await page.evaluate('document.querySelectorAll(".update").length'), 0, "the notice is gone");
  } finally {
    await browser.close();
  }
});

test("where workers are blocked the page works as before", async () => {
  const { page, quiet } = await openPage({ prepare: (page) => page.addInitScript(() => {
    Object.defineProperty(navigator, "serviceWorker", { value: { register: () => Promise.reject(new DOMException("no", "SecurityError")) } });
  }) });
  await page.waitForLoadState("networkidle");
  assert.match(await sentence(page), /needed/);
  quiet();
});

test("the page can be installed: its manifest, icons and what it opens", async () => {
  const context = await newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const value = { setConsumer: (/** @type {any} */ consume) => (/** @type {any} */ (window).openFiles = consume) };
    Object.defineProperty(window, "launchQueue", { value });
  });
  await page.goto(origin);
  await ready(page);
  const session = await context.newCDPSession(page);
  const { errors, url } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.match(url, /manifest\.webmanifest$/);
  const manifest = JSON.parse(readFileSync(path.join(outputs, "site/manifest.webmanifest"), "utf8"));
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== "any") assert.equal(size, sizes);
  }
  assert.deepEqual(Object.values(manifest.file_handlers[0].accept).flat().sort(), [".gguf", ".json", ".safetensors", ".yaml", ".yml"]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);

  await page.waitForFunction(() => "openFiles" in window);
  await page.evaluate(() => {
    const text = JSON.stringify({ model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32, intermediate_size: 8192, vocab_size: 32000 });
    const file = new File([text], "config.json");
    return /** @type {any} */ (window).openFiles({ files: [{ getFile: async () => file }] });
  });
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector("#field-model-config-hidden_size"))?.value === "2048");
  await context.close();
});
