/** The calculator in other people's pages: as an element, under their policy, and in a frame of another origin. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { eventually, newContext, root, serve } from "./harness.mjs";

const outputs = process.env.MEMWALL_OUTPUTS ?? path.join(root, "build");
const folder = mkdtempSync(path.join(os.tmpdir(), "memwall-embed-"));
cpSync(path.join(outputs, "site"), path.join(folder, "assets/memwall"), { recursive: true });
/** @type {Awaited<ReturnType<typeof serve>>[]} */
const servers = [];
before(async () => void servers.push(await serve(folder), await serve(folder)));
after(() => {
  for (const { process } of servers) process.kill();
  rmSync(folder, { recursive: true });
});

/** The one line that embedding.html asks a strict policy for, in a policy that allows nothing else. */
const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * @param {string} body
 * @param {{ policy?: string, head?: string }} [options]
 */
async function hostPage(body, { policy = kPolicy, head = "" } = {}) {
  writeFileSync(path.join(folder, "index.html"), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page of somebody else</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="${policy}">${head}
<script type="module" src="assets/memwall/memwall-calculator.mjs"></script></head><body>${body}</body></html>`);
  const context = await newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  /** @type {string[]} */
  const seen = [];
  /** @type {string[]} */
  const requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall due to ReadPixels") && seen.push(message.text()));
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(servers[0].origin);
  return { page, requests, quiet: () => assert.deepEqual(seen, []) };
}
/** @param {import("playwright-core").Page} page @param {number} [index] */
const said = (page, index = 0) => page.locator("memwall-calculator").nth(index).locator(".sentence").innerText();
const kMistral = 'model="mistralai/Mistral-7B-v0.1" gpu="GeForce RTX 4090"';

test("one tag shows a verdict, under a policy that forbids all but the documented line", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="inference"></memwall-calculator>`);
  await page.locator(".sentence").waitFor();
  assert.match(await said(page), /^It fits: 15\.\d+\sGiB needed/);
  assert.match((await page.getByRole("link", { name: "Open in memwall" }).getAttribute("href")) ?? "", /assets\/memwall\/#v1&model\.ref=mistralai/);
  quiet();
});

test("where the page keeps nothing the element does all it does, and it starts no service worker", async () => {
  writeFileSync(path.join(folder, "blocked.mjs"), `for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) Object.defineProperty(window, name, { get: () => { throw new DOMException("blocked", "SecurityError"); } });
const register = ServiceWorkerContainer.prototype.register;
ServiceWorkerContainer.prototype.register = function (...given) { window.registered = true; return register.apply(this, given); };`);
  const { page, requests, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="inference" view="form"></memwall-calculator>`, { head: '<script type="module" src="blocked.mjs"></script>' });
  const sequences = page.getByRole("textbox", { name: "Concurrent sequences" });
  await sequences.waitFor();
  const before = await said(page);
  await sequences.fill("64");
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent !== old, before);
  await page.waitForLoadState("networkidle");
  assert.ok(!requests.some((each) => each.endsWith("sw.js")));
  assert.equal(await page.evaluate(() => "registered" in window), false);
  quiet();
});

test("two on a page share one core, and each has its own scenario", async () => {
  const { page, requests, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="inference"></memwall-calculator><memwall-calculator ${kMistral} task="finetune" view="breakdown"></memwall-calculator>`);
  await page.locator("memwall-calculator").nth(1).locator(".groups > li").first().waitFor();
  assert.match(await said(page, 0), /^It fits/);
  assert.match(await said(page, 1), /^It does not fit/);
  await page.locator(".groups summary").first().click();
  await page.locator(".rows summary").first().click();
  await page.waitForFunction(() => /./.test(document.querySelectorAll("memwall-calculator")[1].shadowRoot?.querySelector("dd[data-text=because]")?.textContent ?? "") &&
    !document.querySelectorAll("memwall-calculator")[1].shadowRoot?.textContent?.includes("Still being loaded"));
  for (const name of ["core.wasm", "style.css", "calculator.mjs", "explanations.txt"]) assert.equal(requests.filter((each) => each.endsWith(`/${name}`)).length, 1, name);
  quiet();
});

test("nothing is fetched before it comes near, and what stands inside is shown until then", async () => {
  writeFileSync(path.join(folder, "far.css"), ".far { height: 4000px }");
  const { page, requests, quiet } = await hostPage(`<div class="far"></div><memwall-calculator ${kMistral}><p>Soon</p></memwall-calculator>`, { head: '<link rel="stylesheet" href="far.css">' });
  await page.getByText("Soon").waitFor();
  assert.ok(await page.getByText("Soon").isVisible());
  assert.ok(!requests.some((each) => each.endsWith("core.wasm")), requests.join());
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height > 4200, "its place is kept");
  await page.locator("memwall-calculator").scrollIntoViewIfNeeded();
  await page.locator(".sentence").waitFor();
  assert.ok(await page.getByText("Soon").isHidden());
  quiet();
});

test("the fit map in an element: a worker and a sheet of its own, values taken into its scenario, its own theme", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} view="fit-map" theme="dark"></memwall-calculator>`, { policy: kPolicy.replace("'none'; script", "'none'; worker-src 'self'; script").replace("trusted-types 'none'", "trusted-types memwall-map") });
  await page.waitForSelector(".map-plot:not([aria-busy]) canvas");
  const before = await said(page);
  await page.getByRole("slider", { name: "Micro-batch size" }).press("End");
  await page.getByRole("button", { name: "Use these values" }).click();
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent?.replaceAll("\u00a0", " ") !== old.replaceAll("\u00a0", " "), before);
  assert.equal(await page.locator("memwall-calculator").evaluate((element) => getComputedStyle(element).getPropertyValue("--map-low").trim()), "#16324f");
  quiet();
});

test("methods side by side in an element", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="finetune" view="methods"></memwall-calculator>`);
  await page.locator(".methods li").first().waitFor();
  await page.getByRole("button", { name: "Use it: LoRA", exact: true }).or(page.locator(".methods summary").filter({ hasText: /^LoRA/ })).first().click();
  assert.ok((await page.locator(".methods li").count()) > 10);
  quiet();
});

/** The canvas of an element, when it is drawn and nothing is due any more. @param {import("playwright-core").Page | import("playwright-core").Frame} page @param {number} [index] */
async function drawn(page, index = 0) {
  await page.waitForFunction((at) => {
    const root = document.querySelectorAll("memwall-calculator")[at]?.shadowRoot;
    const { host } = /** @type {any} */ (root?.querySelector(".canvas-host")) ?? {};
    return host && root?.querySelector("form .fields + .fields")?.childElementCount && host.app.widgets().includes("field:") && host.request === 0 && Number(host.app.counts().split(" ")[0]) > 0;
  }, index, { timeout: 30_000 });
}
/** Where a widget of the canvas is in the window. @param {import("playwright-core").Page | import("playwright-core").Frame} page @param {string} name @param {number} [index] @returns {Promise<[number, number]>} */
async function placeOf(page, name, index = 0) {
  const found = await page.evaluate(([name, index]) => {
    const { host } = /** @type {any} */ (document.querySelectorAll("memwall-calculator")[Number(index)].shadowRoot?.querySelector(".canvas-host"));
    const box = host.canvas.getBoundingClientRect();
    const line = host.app.widgets().split("\n").map((/** @type {string} */ each) => each.split("\t")).find((/** @type {string[]} */ each) => each[0] === name);
    return line && [box.left + Number(line[1]) + Number(line[3]) / 2, box.top + Number(line[2]) + Number(line[4]) / 2];
  }, [name, index]);
  assert.ok(found, `no widget ${name}`);
  return /** @type {[number, number]} */ (found);
}

test("what most change in a form asks for nothing more of the core; a rare method does, and is answered", async () => {
  const { page, requests, quiet } = await hostPage(`<memwall-calculator ${kMistral} view="form"></memwall-calculator>`);
  const form = page.locator("memwall-calculator");
  /** @param {() => Promise<unknown>} act */
  const answered = async (act) => {
    await form.evaluate((element) => { element.dataset.answered = ""; element.addEventListener("memwall-change", () => (element.dataset.answered = "yes"), { once: true }); });
    await act();
    await page.waitForFunction(() => document.querySelector("memwall-calculator")?.getAttribute("data-answered") === "yes");
    assert.equal(await form.evaluate((element) => element.shadowRoot?.querySelector(".stale:not([hidden])")?.textContent ?? ""), "");
  };
  const field = (/** @type {string} */ name) => form.getByLabel(name, { exact: true });
  await field("Micro-batch size").waitFor();
  const before = requests.length;
  for (const [name, words] of [["Search models", "qwen2.5-7b"], ["Search GPUs", "l40s"]])
    await answered(async () => {
      await form.getByRole("combobox", { name }).fill(words);
      await form.getByRole("listbox").getByRole("option").first().click();
    });
  await answered(() => field("Micro-batch size").fill("4"));
  await answered(() => field("Sequence length").fill("4096"));
  await answered(() => field("How many").fill("8"));
  await answered(() => field("Precision").selectOption("bf16"));
  await answered(() => field("Optimizer").selectOption("adamw_8bit"));
  for (const method of ["freeze", "lora", "qlora"]) await answered(() => field("Method").selectOption(method));
  await answered(() => form.getByText("Run (inference)", { exact: true }).click());
  await answered(() => field("Concurrent sequences").fill("16"));
  assert.deepEqual(requests.slice(before).filter((each) => !each.endsWith(".otf")), []);
  assert.ok(!requests.some((each) => each.endsWith("core-rest.wasm")), requests.join());
  await answered(() => form.getByText("Finetune", { exact: true }).click());
  await answered(() => field("Method").selectOption("dora"));
  assert.ok(requests.some((each) => each.endsWith("core-rest.wasm")));
  quiet();
});

test("terms of an element lead to the pages beside its script, in a tab of their own; on its canvas too", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} view="form"></memwall-calculator><memwall-calculator ${kMistral} view="canvas"></memwall-calculator>`);
  await page.locator("memwall-calculator").first().locator(".about").first().waitFor({ state: "attached" });
  const links = await page.locator("memwall-calculator").first().evaluate((element) => [...(element.shadowRoot?.querySelectorAll("a") ?? [])].map((link) => [link.href, link.target]));
  assert.ok(links.length > 10, links.join());
  for (const [href, target] of links) {
    assert.equal(target, "_blank", href);
    assert.equal((await page.request.get(href.replace(/#.*/, ""))).status(), 200, href);
  }
  assert.ok(links.some(([href]) => href.endsWith("/assets/memwall/learn/activations.html#growth")), links.join());
  await page.locator("memwall-calculator").nth(1).scrollIntoViewIfNeeded();
  await drawn(page, 1);
  for (const [name, place] of /** @type {const} */ ([["learn:task", /memwall\/learn\/memory-math\.html#two-sums$/], ["learn:interval", /memwall\/learn\/#interval$/]])) {
    const [opened] = await Promise.all([page.waitForEvent("popup"), page.mouse.click(...(await placeOf(page, name, 1)))]);
    await opened.waitForURL(place, { waitUntil: "commit" });
    await opened.close();
  }
  quiet();
});

test("the canvas in an element: as large as the page says, its own scenario, and the page keeps its keys and its scroll", async () => {
  writeFileSync(path.join(folder, "sized.css"), "memwall-calculator { width: 700px; height: 500px } .far { height: 3000px }");
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="inference" view="canvas" locked="gpu"></memwall-calculator><div class="far"></div>`, { head: '<link rel="stylesheet" href="sized.css">' });
  assert.match(await said(page), /^It fits/, "the answer is there before");
  await drawn(page);
  const shape = await page.evaluate(() => {
    const root = document.querySelector("memwall-calculator")?.shadowRoot;
    const { host } = /** @type {any} */ (root?.querySelector(".canvas-host"));
    const twin = root?.querySelector(".memwall")?.getBoundingClientRect();
    return { canvas: [host.canvas.width, host.canvas.height], twin: twin?.width, cut: host.app.overflows(), page: document.documentElement.scrollHeight, fixed: !host.app.widgets().includes("field:accelerator.name") };
  });
  assert.deepEqual(shape.canvas, [700, 500]);
  assert.equal(shape.twin, 1, "the form is out of sight");
  assert.equal(shape.cut, "");
  assert.ok(shape.page > 3400);
  assert.ok(shape.fixed, "what is locked is said, not asked");

  const before = await said(page);
  await page.mouse.click(...(await placeOf(page, "field:task:Pretrain")));
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent !== old, before);
  assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector("memwall-calculator")).scenario.task), "pretrain");
  // The wheel moves what is inside first, and the page at the end of it; keys are the page's while nothing inside has the focus.
  const scrolls = () => page.evaluate(() => [scrollY, document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".canvas-scroll")?.scrollTop ?? 0]);
  await page.mouse.move(400, 450);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".canvas-scroll")?.scrollTop === 200);
  assert.equal((await scrolls())[0], 0);
  await page.mouse.click(900, 700);
  await page.keyboard.press("End");
  await page.waitForFunction(() => scrollY > 1000);
  await page.evaluate(() => document.querySelector("memwall-calculator")?.setAttribute("view", "verdict"));
  await page.waitForFunction(() => !document.querySelector("memwall-calculator")?.shadowRoot?.querySelector("canvas"));
  quiet();
});

test("three views on a page share what is loaded; a canvas that is moved or taken away and put back is drawn again", async () => {
  const { page, requests, quiet } = await hostPage(`<div id="one"><memwall-calculator ${kMistral} task="inference" view="canvas"></memwall-calculator></div><div id="two"></div>
<memwall-calculator ${kMistral} task="finetune" view="canvas" theme="dark"></memwall-calculator><memwall-calculator ${kMistral} view="form"></memwall-calculator>`);
  await drawn(page, 0);
  await page.locator("memwall-calculator").nth(2).scrollIntoViewIfNeeded();
  await page.getByRole("textbox", { name: "Micro-batch size" }).nth(1).waitFor({ state: "attached" });
  await page.locator("memwall-calculator").nth(1).scrollIntoViewIfNeeded();
  await drawn(page, 1);
  for (const name of ["core.wasm", "app.wasm", "canvas.css", "canvas-element.mjs", "calculator-form.mjs"]) assert.equal(requests.filter((each) => each.endsWith(`/${name}`)).length, 1, name);
  const picture = () => page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".canvas-host"));
    host.draw();
    return host.canvas.toDataURL();
  });
  await page.evaluate(() => scrollTo(0, 0));
  await drawn(page, 0);
  const before = await picture();
  await page.evaluate(() => document.getElementById("two")?.append(/** @type {Element} */ (document.querySelector("#one > *"))));
  await drawn(page, 0);
  assert.ok((await picture()) === before, "moved");
  await page.evaluate(async () => {
    const element = /** @type {Element} */ (document.querySelector("#two > *"));
    element.remove();
    await new Promise((done) => setTimeout(done, 200));
    if (element.shadowRoot?.querySelector("canvas")) throw new Error("its canvas is still there");
    document.getElementById("one")?.append(element);
  });
  await drawn(page, 0);
  assert.ok((await picture()) === before, "taken away and put back");
  assert.equal(requests.filter((each) => each.endsWith("/app.wasm")).length, 1);
  quiet();
});

test("without WebGL 2 an element that should be a canvas stays a form with its verdict, and says why", async () => {
  writeFileSync(path.join(folder, "no-webgl.mjs"), `const original = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, options) { return kind === "webgl2" ? null : original.call(this, kind, options); };`);
  const { page } = await hostPage(`<memwall-calculator ${kMistral} task="inference" view="canvas"></memwall-calculator>`, { head: '<script type="module" src="no-webgl.mjs"></script>' });
  await page.getByText("The canvas could not be shown").waitFor();
  assert.match(await said(page), /^It fits/);
  await page.getByRole("textbox", { name: "Concurrent sequences" }).fill("4");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("memwall-calculator")).scenario.serving?.concurrent_sequences === "4");
  assert.equal(await page.locator("memwall-calculator canvas").count(), 0);
});

test("a page that says nothing of its colours is known by the ground it paints", async () => {
  const { page } = await hostPage(`<memwall-calculator ${kMistral}></memwall-calculator>`);
  await page.locator(".sentence").waitFor();
  const scheme = () => page.locator("memwall-calculator").evaluate((element) => getComputedStyle(element).colorScheme);
  const paint = (/** @type {string} */ colour) => page.evaluate((ground) => new Promise((resolve) => {
    document.body.style.background = ground;
    requestAnimationFrame(() => resolve(undefined));
  }), colour);
  assert.equal(await scheme(), "light");
  await paint("#14181d");
  assert.equal(await scheme(), "dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await paint("#fff");
  assert.equal(await scheme(), "light", "also where the system is dark");
});

test("attributes, the property and the method; every answer is told", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="finetune" view="timeline" locked="all"></memwall-calculator>`);
  await page.locator(".sentence").waitFor();
  const next = (/** @type {string} */ change) => page.evaluate((source) => new Promise((resolve) => {
    const element = /** @type {any} */ (document.querySelector("memwall-calculator"));
    document.addEventListener("memwall-change", async (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      resolve({ ...detail, estimate: await detail.estimate(), kept: element.scenario });
    }, { once: true });
    if (source === "attribute") element.setAttribute("task", "inference");
    if (source === "scenario") element.scenario = { model: { ref: "openai-community/gpt2" }, accelerator: { name: "4090" }, batch: { micro_batch_size: 2 } };
    if (source === "view") element.setAttribute("view", "breakdown");
  }), change);
  const first = /** @type {any} */ (await next("attribute"));
  assert.equal(first.verdict.state, "fits");
  assert.equal(first.scenario.task, "inference");
  assert.equal(first.estimate.verdict, "fits");
  const second = /** @type {any} */ (await next("scenario"));
  assert.equal(second.kept.batch.micro_batch_size, 2);
  await next("view");
  await page.locator(".groups > li").first().waitFor();
  const estimate = /** @type {any} */ (await page.evaluate(() => /** @type {any} */ (document.querySelector("memwall-calculator")).estimate()));
  assert.equal(estimate.scenario.model.ref, "openai-community/gpt2");
  assert.ok(estimate.rows.length > 10);
  quiet();
});

test("the form asks, what is locked cannot be changed, and the page keeps its keys and its scroll", async () => {
  const { page, requests, quiet } = await hostPage(`<memwall-calculator ${kMistral} task="finetune" view="form" locked="gpu,batch.sequence_length"></memwall-calculator>`);
  const batch = page.getByRole("textbox", { name: "Micro-batch size" });
  await batch.waitFor();
  const asked = (/** @type {string} */ name) => requests.some((each) => each.endsWith(name));
  assert.ok(!asked("core-rest.wasm") && !asked("explanations.txt"), "until something is asked the form needs what its verdict needs");
  const before = await said(page);
  await batch.fill("4");
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent !== old, before);
  await batch.fill(""); // emptied it goes back to its default
  await page.waitForFunction((old) => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent === old, before);
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await page.getByRole("combobox", { name: "Search GPUs" }).isDisabled(), true);
  assert.equal(await page.getByRole("textbox", { name: "Sequence length" }).isDisabled(), true);
  await page.getByRole("combobox", { name: "Search models" }).fill("gpt2");
  await page.locator("[role=option]").first().click(); // the choices of a select are options too
  await page.waitForFunction(() => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".title")?.textContent?.includes("gpt2"));
  await batch.fill("x");
  await page.getByRole("alert").waitFor();
  quiet();
});

test("its colours follow the page's switch, the system, or its own attribute", async () => {
  const { page, quiet } = await hostPage(`<memwall-calculator ${kMistral}></memwall-calculator>`);
  await page.locator(".sentence").waitFor();
  // The element hears of a change in a task of its own.
  const becomes = (/** @type {string} */ colour) => page.waitForFunction((wanted) => {
    const element = /** @type {Element} */ (document.querySelector("memwall-calculator"));
    return getComputedStyle(element).getPropertyValue("--ground").trim() === wanted;
  }, colour);
  await becomes("#f7f7f5");
  await page.emulateMedia({ colorScheme: "dark" });
  await becomes("#111418");
  await page.evaluate(() => void document.documentElement.style.setProperty("color-scheme", "light"));
  await becomes("#f7f7f5");
  await page.locator("memwall-calculator").evaluate((element) => element.setAttribute("theme", "dark"));
  await becomes("#111418");
  quiet();
});

test("in a frame of another origin it says its height and its answers to that page only, and takes scenarios from it", async () => {
  const frame = `${servers[1].origin}/assets/memwall/embed.html?view=verdict#v1&model.ref=openai-community/gpt2&accelerator.name=GeForce%20RTX%204090`;
  writeFileSync(path.join(folder, "frame.mjs"), `addEventListener("message", (event) => (window.told ??= []).push({ origin: event.origin, ...event.data }));`);
  const { page, quiet } = await hostPage(`<iframe title="memwall" width="700" height="300" src="${frame.replaceAll("&", "&amp;")}"></iframe>`, {
    policy: "default-src 'self'; frame-src http:; script-src 'self'; img-src data:", head: '<script type="module" src="frame.mjs"></script>' });
  const told = (/** @type {string} */ type) => page.waitForFunction((type) => /** @type {any} */ (window).told?.findLast((/** @type {any} */ each) => each.type === type), type).then((handle) => handle.jsonValue());
  const change = await told("memwall-change");
  assert.equal(change.origin, servers[1].origin);
  assert.equal(change.schema, 1);
  assert.equal(change.verdict.state, "fits");
  assert.ok((await told("memwall-height")).height > 100);
  const send = (/** @type {object} */ message) => page.evaluate((message) => document.querySelector("iframe")?.contentWindow?.postMessage(message, "*"), message);
  await send({ type: "memwall-scenario", schema: 2, scenario: { model: { ref: "Qwen/Qwen2.5-7B" } } });
  await send({ type: "memwall-scenario", schema: 1, scenario: { model: { ref: "meta-llama/Llama-3.1-8B" }, accelerator: { name: "GeForce RTX 4090" } } });
  await page.waitForFunction(() => /** @type {any} */ (window).told.findLast((/** @type {any} */ each) => each.type === "memwall-change").verdict.state === "does_not_fit");
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).told.filter((/** @type {any} */ each) => each.scenario?.model.ref.startsWith("Qwen"))), [], "another schema is not read");
  quiet();
});

test("in a frame of another origin, without permission for the clipboard, what is copied on the canvas is pasted there", async () => {
  const frame = `${servers[1].origin}/assets/memwall/embed.html?view=canvas#v1&model.ref=openai-community/gpt2&accelerator.name=GeForce%20RTX%204090`;
  const { page, quiet } = await hostPage(`<iframe title="memwall" width="900" height="720" src="${frame.replaceAll("&", "&amp;")}"></iframe>`, {
    policy: "default-src 'self'; frame-src http:; script-src 'self'; img-src data:" });
  const inner = /** @type {import("playwright-core").Frame} */ (page.frames().find((each) => each.url().startsWith(servers[1].origin)));
  await inner.waitForSelector("memwall-calculator");
  await drawn(inner);
  const outer = /** @type {{ x: number, y: number }} */ (await page.locator("iframe").boundingBox());
  const press = async (/** @type {string} */ name) => {
    const [x, y] = await placeOf(inner, name);
    await page.mouse.click(outer.x + x, outer.y + y);
    await drawn(inner);
  };
  /** @param {string} field */
  const value = (field) => inner.evaluate((key) => /** @type {any} */ (document.querySelector("memwall-calculator")).scenario.batch?.[key], field);
  await press("field:batch.sequence_length");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("48");
  await eventually(async () => assert.equal(String(await value("sequence_length")), "48"));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await press("field:batch.micro_batch_size");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
  await eventually(async () => assert.equal(String(await value("micro_batch_size")), "48"));
  quiet();
});

test("a frame in a page of a third origin says nothing to it", async () => {
  const frame = `${servers[1].origin}/assets/memwall/embed.html?origin=https://docs.example`;
  const { page } = await hostPage(`<iframe title="memwall" width="700" height="300" src="${frame}"></iframe>`, {
    policy: "default-src 'self'; frame-src http:; script-src 'self'; img-src data:", head: '<script type="module" src="frame.mjs"></script>' });
  await page.frameLocator("iframe").locator(".sentence").waitFor();
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).told), undefined);
});

test("the page about embedding writes the code of the scenario that is set on it", async () => {
  const context = await newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(`${servers[0].origin}/assets/memwall/learn/embedding.html`);
  const batch = page.getByRole("textbox", { name: "Micro-batch size" });
  await page.locator("memwall-calculator").scrollIntoViewIfNeeded();
  await batch.fill("3");
  await page.waitForFunction(() => document.getElementById("embed-tag")?.textContent?.includes("&quot;micro_batch_size&quot;:&quot;3&quot;"));
  await page.getByLabel("View").selectOption("breakdown");
  await page.waitForFunction(() => /view=breakdown.*#v1.*micro_batch_size=3/.test(document.getElementById("embed-frame")?.textContent ?? ""));
  const tag = await page.locator("#embed-tag").innerText();
  const frame = await page.locator("#embed-frame").innerText();
  assert.match(tag, /view="breakdown"/);
  const { page: other, quiet } = await hostPage(`${tag.split("\n")[1]}`);
  await other.locator(".groups > li").first().waitFor();
  const shown = await said(other);
  assert.equal(await said(page), shown);
  await page.goto(/src="([^"]*)"/.exec(frame)?.[1].replaceAll("&amp;", "&") ?? "");
  await page.locator(".sentence").waitFor();
  assert.equal(await said(page), shown);
  quiet();
});
