/** Settings: colours, units and the last scenario, kept where the browser keeps anything, on page and canvas; and all of it forgotten. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { act, kDesktop, kPhone, openPage, screenshots, sentence, settled } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {() => Promise<unknown>} change that is answered */
async function set(page, change) {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("dialog", { name: "Settings" }).waitFor();
  await act(page, change);
}
/** @param {Page} page @param {string} group @param {string} value */
const choose = (page, group, value) => page.getByRole("radiogroup", { name: group }).getByText(value, { exact: true }).click();
const close = (/** @type {Page} */ page) => page.getByRole("button", { name: "Close" }).click();
/** @param {Page} page */
const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ground").trim());
/** @param {Page} page */
async function reload(page) {
  await page.waitForLoadState("networkidle"); // what is still asked for would be cancelled, and count as failed
  await page.goto(page.url().replace(/#.*/, ""));
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
}
const kLight = "#f7f7f5";
const kDark = "#111418";

test("colours stay as chosen whatever the system says, before anything is painted", async () => {
  const { page, quiet } = await openPage();
  assert.equal(await ground(page), kLight);
  await set(page, () => choose(page, "Colours", "Dark"));
  assert.equal(await ground(page), kDark);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.addInitScript(() => new MutationObserver((_, observer) => {
    if (!document.body) return;
    Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true }));
  await reload(page);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).themeAtFirst), "dark");
  assert.equal(await ground(page), kDark);
  await page.emulateMedia({ colorScheme: "dark" });
  await set(page, () => choose(page, "Colours", "Light"));
  assert.equal(await ground(page), kLight);
  await act(page, () => choose(page, "Colours", "Auto"));
  assert.equal(await ground(page), kDark);
  quiet();
});

test("whoever begins with the canvas has the form's answer first, then the canvas in its place", async () => {
  const { page, quiet } = await openPage();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await choose(page, "Begin with", "Canvas");
  await close(page);
  await reload(page);
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host, null, { timeout: 30_000 });
  assert.match(await sentence(page), /159\.5\sGiB needed/);
  await page.getByRole("button", { name: "Form view" }).click();
  assert.equal(await page.locator(".canvas-host").count(), 0);
  quiet();
});

test("sizes are written in GB where that is wished, on the page, in what is opened later, and in no link", async () => {
  const { page, quiet } = await openPage();
  assert.match(await sentence(page), /159\.5\sGiB needed/);
  for (const id of ["methods", "accuracy"]) await page.locator(`#${id} > summary`).click();
  await page.locator("#accuracy tbody tr").first().waitFor();
  await page.locator("#methods [data-method]").first().waitFor();
  await set(page, () => choose(page, "Units", "GB"));
  await close(page);
  // What was open already follows.
  await page.waitForFunction(() => ["methods", "accuracy"].every((id) => {
    const words = document.getElementById(id)?.innerText ?? "";
    return /\d\sGB/.test(words) && !/\d\sGiB/.test(words);
  }));
  assert.match(await sentence(page), /171\.3\sGB needed/);
  assert.doesNotMatch(await page.locator("main").innerText(), /\dGiB|\d\sGiB/);
  assert.doesNotMatch((await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("main")).innerText)) ?? "", /\bwas=/);
  await page.locator("#shortlist > summary").click();
  await page.locator("#shortlist tbody tr").first().waitFor();
  assert.match(await page.locator("#shortlist").innerText(), /\d\sGB/);
  assert.doesNotMatch(await page.locator("#shortlist").innerText(), /\d\sGiB/);
  await reload(page);
  assert.match(await sentence(page), /171\.3\sGB needed/);
  await page.goto(`${page.url()}#v1&model.ref=openai-community/gpt2&accelerator.name=GeForce%20RTX%204090&was=4.14%20GiB@0.1.0`);
  await page.waitForFunction(() => document.querySelector(".title")?.textContent?.includes("gpt2"));
  await settled(page);
  assert.ok(await page.locator("#trouble").isHidden(), "the link's number is the same in other units");
  quiet();
});

test("the last scenario comes again where that is wished, a link comes before it, and what nobody can answer is passed over", async () => {
  const { page, quiet } = await openPage();
  const batch = () => page.getByRole("textbox", { name: "Micro-batch size" }).inputValue();
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  await reload(page);
  assert.equal(await batch(), "1", "nothing is kept unasked");
  await set(page, () => page.getByLabel("Open with the last scenario").check());
  await close(page);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  await reload(page);
  assert.equal(await batch(), "2");
  await page.goto(`${page.url()}#v1&model.ref=openai-community/gpt2&batch.micro_batch_size=5`);
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector("#field-batch-micro_batch_size"))?.value === "5");
  for (const odd of [{ batch: { micro_batch_size: -1 } }, [1], { nonsense: { of: "another version" } }]) {
    await page.evaluate((kept) => localStorage.setItem("memwall-last", JSON.stringify(kept)), odd);
    await reload(page);
    assert.match(await sentence(page), /159\.5\sGiB needed/);
    assert.ok(await page.locator("#stale").isHidden());
  }
  quiet();
});

test("everything that is kept is forgotten at once, pins too", async () => {
  const { page, quiet } = await openPage();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.locator("#pins .pins li").nth(1).waitFor();
  await set(page, () => choose(page, "Colours", "Dark"));
  await act(page, () => page.getByLabel("Open with the last scenario").check());
  await act(page, () => page.getByRole("button", { name: "Forget settings, scenario and pins" }).click());
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  assert.equal(await ground(page), kLight);
  assert.match(await page.getByRole("dialog").innerText(), /Forgotten/);
  await page.waitForFunction(() => document.querySelectorAll("#pins .pins li").length === 1);
  quiet();
});

for (const [how, prepare] of /** @type {const} */ ([
  ["refuses", () => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("blocked", "SecurityError"); } })],
  ["is full", () => void (Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); })],
]))
  test(`where the storage ${how} settings hold as long as the page, and it says so`, async () => {
    const { page, quiet } = await openPage({ prepare: (each) => each.addInitScript(prepare) });
    await set(page, () => choose(page, "Colours", "Dark"));
    await act(page, () => choose(page, "Units", "GB"));
    await act(page, () => page.getByLabel("Open with the last scenario").check());
    assert.match(await page.getByRole("dialog").innerText(), /keeps nothing here/);
    await close(page);
    assert.equal(await ground(page), kDark);
    assert.match(await sentence(page), /171\.3\sGB needed/);
    await set(page, async () => page.getByRole("button", { name: "Forget settings, scenario and pins" }).click());
    assert.equal(await ground(page), kLight);
    quiet();
  });

test("the canvas follows colours and units", async () => {
  const { page, quiet } = await openPage({ viewport: { width: 1000, height: 600 } });
  await page.getByRole("button", { name: "Canvas view" }).click();
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host?.request === 0, null, { timeout: 30_000 });
  const corner = () => page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    host.draw();
    const pixel = new Uint8Array(4);
    host.canvas.getContext("webgl2").readPixels(4, 4, 1, 1, 6408, 5121, pixel);
    return pixel[0];
  });
  const light = await corner();
  await set(page, () => choose(page, "Colours", "Dark"));
  assert.ok((await corner()) < light - 100, `${light}`);
  await act(page, () => choose(page, "Units", "GB"));
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.request === 0);
  await close(page);
  await page.screenshot({ path: path.join(screenshots, "settings-canvas-dark.png") });
  quiet();
});

for (const viewport of [kDesktop, kPhone])
  test(`the settings at ${viewport.width}`, async () => {
    const { page, quiet } = await openPage({ viewport });
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await page.screenshot({ path: path.join(screenshots, `settings-${viewport.width}-light.png`) });
    await act(page, () => choose(page, "Colours", "Dark"));
    await page.screenshot({ path: path.join(screenshots, `settings-${viewport.width}-dark.png`) });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    quiet();
  });
