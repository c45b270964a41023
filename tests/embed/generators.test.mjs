/**
 * The calculator in what documentation is made with: VitePress, Docusaurus, Sphinx, a notebook saved as HTML. Each example in this
 * folder is built here and driven below /handbook/ of a host: two calculators on a page, the generator's own switch of light and
 * dark, its navigation without reload where it has one, and a script that the browser checks against its digest.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newContext, outputs, serve } from "../browser/harness.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const work = path.join(outputs, "embed");
const site = path.join(outputs, "site");
const host = path.join(work, "host");
const digest = createHash("sha384").update(readFileSync(path.join(site, "memwall-calculator.mjs"))).digest("base64");
const environment = { ...process.env, MEMWALL_INTEGRITY: `sha384-${digest}` };

/** @param {string} program @param {string[]} words */
const run = (program, words) => execFileSync(program, words, { cwd: work, stdio: ["ignore", "ignore", "inherit"], env: environment });
const python = "/usr/bin/python3"; // Debian's, for which its Sphinx is installed

/** @type {Record<string, { files: string, build(): void, built: string }>} where the site of memwall goes, and what comes out */
const kGenerators = {
  vitepress: { files: "vitepress/public/memwall", build: () => run("npx", ["vitepress", "build", "vitepress"]), built: "vitepress/.vitepress/dist" },
  docusaurus: { files: "docusaurus/static/memwall", build: () => run("npx", ["docusaurus", "build", "docusaurus", "--out-dir", "build"]), built: "docusaurus/build" },
  sphinx: { files: "sphinx/_static/memwall", build: () => run(python, ["-m", "sphinx", "-q", "-b", "html", "sphinx", "sphinx/_build"]), built: "sphinx/_build" },
  notebook: { files: "notebook/memwall", build: () => run(python, ["/usr/bin/jupyter-nbconvert", "--log-level=ERROR", "--to", "html", "--output", "index", "notebook/notebook.ipynb"]), built: "notebook" },
};

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
  mkdirSync(work, { recursive: true });
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(path.join(here, name), path.join(work, name));
  const lock = path.join(work, "node_modules/.lock");
  const wanted = readFileSync(path.join(work, "package-lock.json"));
  const has = (() => { try { return readFileSync(lock).equals(wanted); } catch { return false; } })();
  if (!has) run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(lock, wanted);
  mkdirSync(host, { recursive: true });
  server = await serve(host);
});
after(() => server?.process.kill());

/** The example of a generator, built and hosted as /handbook/, opened. @param {string} name */
async function opened(name) {
  const { files, build, built } = kGenerators[name];
  rmSync(path.join(work, name), { recursive: true, force: true });
  cpSync(path.join(here, name), path.join(work, name), { recursive: true });
  cpSync(site, path.join(work, files), { recursive: true });
  build();
  rmSync(path.join(host, "handbook"), { recursive: true, force: true });
  cpSync(path.join(work, built), path.join(host, "handbook"), { recursive: true });
  const page = await (await newContext({ serviceWorkers: "block" })).newPage();
  /** @type {string[]} what went wrong with the calculator; generators have worries of their own */
  const seen = [];
  page.on("console", (message) => message.type() === "error" && /memwall|integrity/i.test(`${message.text()} ${message.location().url}`) && seen.push(message.text()));
  page.on("pageerror", (error) => (error.stack ?? "").includes("memwall/") && seen.push(error.message));
  page.on("requestfailed", (request) => request.url().includes("/memwall/") && seen.push(request.url()));
  await page.route((url) => url.origin !== server.origin, (route) => route.abort()); // typefaces and scripts from elsewhere
  await page.goto(`${server.origin}/handbook/`);
  return { page, quiet: () => assert.deepEqual(seen, []) };
}

/** @param {import("playwright-core").Page} page @param {number} [index] */
const said = (page, index = 0) => page.locator("memwall-calculator").nth(index).locator(".sentence").innerText();
/** @typedef {import("playwright-core").Page} Page */
/** @param {Page} page */
const isDark = (page) => page.locator("memwall-calculator").first().evaluate((element) => getComputedStyle(element).colorScheme === "dark");
/** @param {import("playwright-core").Page} page @param {boolean} dark */
const becomes = (page, dark) => page.waitForFunction((wanted) => (getComputedStyle(/** @type {Element} */ (document.querySelector("memwall-calculator"))).colorScheme === "dark") === wanted, dark, { timeout: 5000 });

/** @param {string} button @returns {(page: Page) => Promise<unknown>} */
const click = (button) => (page) => page.locator(`${button} >> visible=true`).first().click();
/** What furo's button does; Debian's furo comes without a script that the button needs. @param {Page} page */
const furo = (page) => page.evaluate(() => void (document.body.dataset.theme = document.body.dataset.theme === "dark" ? "light" : "dark"));

/** @type {[name: string, appearance: (page: Page) => Promise<unknown>, then: string | undefined][]} its switch, the link to another page */
const kHandbooks = [
  ["vitepress", click("button.VPSwitchAppearance"), "Serving"],
  ["docusaurus", click("button[class*=colorMode i], button[title*=mode i]"), "Serving"],
  ["sphinx", furo, undefined],
];

for (const [name, appearance, link] of kHandbooks)
  test(`${name}: two calculators, its switch of light and dark${link ? ", navigation without reload" : ""}, a checked script`, async () => {
    const { page, quiet } = await opened(name);
    assert.match(await said(page, 0), /^It fits/);
    await page.locator("memwall-calculator").nth(1).scrollIntoViewIfNeeded();
    assert.match(await said(page, 1), /^It does not fit/);
    assert.equal(await page.locator("script[integrity][src$='memwall-calculator.mjs']").count(), 1);
    await page.locator("memwall-calculator").first().getByRole("textbox", { name: "Micro-batch size" }).fill("100000");
    await page.waitForFunction(() => document.querySelector("memwall-calculator")?.shadowRoot?.querySelector(".sentence")?.textContent?.startsWith("It does not fit"));

    for (let turn = 0, dark = await isDark(page), changed = false; !changed; turn += 1) {
      assert.ok(turn < 3, "three clicks go through light, dark and the system's");
      await appearance(page);
      changed = await becomes(page, !dark).then(() => true, () => false);
    }

    if (link) {
      await page.evaluate(() => void Object.assign(window, { same: true }));
      await page.getByRole("link", { name: link, exact: true }).first().click();
      await page.locator('memwall-calculator[task="inference"]').locator(".sentence").waitFor();
      assert.match(await said(page), /^It fits/);
      await page.goBack();
      await page.locator('memwall-calculator[view="form"]').locator(".sentence").waitFor();
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).same), true, "without a reload");
    }
    quiet();
  });

test("notebook: an output cell holds a calculator", async () => {
  const { page, quiet } = await opened("notebook");
  await page.locator("memwall-calculator").scrollIntoViewIfNeeded();
  assert.match(await said(page), /^It fits/);
  quiet();
});

test("a script that is not the one of the digest does not run, and the page keeps what stands in the element", async () => {
  const { page } = await opened("sphinx");
  const script = path.join(host, "handbook/_static/memwall/memwall-calculator.mjs");
  writeFileSync(script, `${readFileSync(script, "utf8")}\n`);
  await page.reload();
  assert.equal(await page.evaluate(() => customElements.get("memwall-calculator")), undefined);
  assert.ok(await page.getByText("Loading the calculator").isVisible());
});
