/**
 * The package in bundles of Vite, webpack and esbuild, each built as its own documentation says and run in a browser:
 * the bytes of the command line, with nothing in the console and nothing that was not found.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { newContext, serve } from "../browser/harness.mjs";

const outputs = path.resolve(process.env.MEMWALL_OUTPUTS ?? "build");
const here = path.dirname(fileURLToPath(import.meta.url));
const work = path.join(outputs, "bundlers");
const app = path.join(work, "app");

// A project as a user has it: its own folder, the package installed in node_modules.
mkdirSync(work, { recursive: true });
for (const name of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(path.join(here, name), path.join(work, name));
execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work, stdio: "inherit" });
cpSync(path.join(outputs, "npm"), path.join(work, "node_modules/memwall"), { recursive: true });
rmSync(app, { recursive: true, force: true });
cpSync(path.join(here, "app"), app, { recursive: true });

const require = createRequire(path.join(work, "package.json"));
/** @param {string} name of a package in the project @returns {Promise<any>} */
const tool = (name) => import(pathToFileURL(require.resolve(name)).href);

/** @type {Record<string, (folder: string) => Promise<void>>} */
const kBundlers = {
  async vite(folder) {
    const { build } = await tool("vite");
    await build({ root: app, base: "./", logLevel: "error", build: { outDir: folder, target: "es2022" } });
  },
  async webpack(folder) {
    const { default: webpack } = await tool("webpack");
    const entry = path.join(app, "main.mjs");
    const stats = await new Promise((resolve, reject) =>
      webpack({ mode: "production", context: app, entry, experiments: { outputModule: true }, performance: { hints: false },
        output: { path: folder, filename: "main.mjs", module: true, publicPath: "auto" } },
      (/** @type {Error | null} */ error, /** @type {unknown} */ made) => (error ? reject(error) : resolve(made))));
    const { errors, warnings } = stats.toJson();
    assert.deepEqual([...errors, ...warnings].map(({ message }) => message), []);
    copyFileSync(path.join(app, "index.html"), path.join(folder, "index.html"));
  },
  async esbuild(folder) {
    const { build } = await tool("esbuild");
    const { errors, warnings } = await build({ entryPoints: [path.join(app, "main.mjs")], bundle: true, format: "esm", minify: true, outfile: path.join(folder, "main.mjs"), logLevel: "silent" });
    assert.deepEqual([...errors, ...warnings], []);
    copyFileSync(path.join(app, "index.html"), path.join(folder, "index.html"));
    // esbuild leaves addresses of files as they are: they are copied beside the bundle (README.md says so).
    for (const name of ["core.wasm", "core-rest.wasm", "check.wasm", "catalogue.txt", "explanations.txt"]) copyFileSync(require.resolve(`memwall/${name}`), path.join(folder, name));
  },
};

const given = (/** @type {string} */ name) => new RegExp(`data-${name}='([^']+)'`).exec(readFileSync(path.join(here, "app/index.html"), "utf8"))?.[1] ?? "";
const native = (/** @type {string} */ verb, /** @type {string} */ input) => spawnSync(path.join(outputs, "native/memwall"), [verb, "-", "--json"], { input, encoding: "utf8" }).stdout.trim();
const expected = native("estimate", given("scenario"));
const checked = JSON.parse(native("check", given("record")));
assert.equal(checked.records[0].error_pct, 0);

/** @param {string} folder that is served @param {(page: import("playwright-core").Page) => Promise<void>} look */
async function inBrowser(folder, look) {
  const { process: server, origin } = await serve(folder);
  try {
    const page = await (await newContext()).newPage();
    /** @type {string[]} */
    const seen = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && seen.push(message.text()));
    page.on("pageerror", (error) => seen.push(error.message));
    page.on("response", (response) => response.status() >= 400 && seen.push(`${response.status()} ${response.url()}`));
    await page.goto(origin);
    await page.locator("body[data-done=true]").waitFor({ state: "attached", timeout: 20000 }).catch(() => assert.deepEqual(seen, []));
    await look(page);
    assert.deepEqual(seen, []);
  } finally {
    server.kill();
  }
}

for (const [name, bundle] of Object.entries(kBundlers))
  test(`bundled by ${name}, it answers with the command line's bytes`, async () => {
    const folder = path.join(work, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await bundle(folder);
    await inBrowser(folder, async (page) => {
      assert.equal((await page.locator("body").innerText()).trim(), expected);
      assert.deepEqual(JSON.parse((await page.locator("body").getAttribute("data-checked")) ?? ""), checked);
    });
  });

test("as it lies, in a page's own worker, with check's module only when it is asked for", async () => {
  const folder = path.join(work, "plain");
  rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(outputs, "npm"), folder, { recursive: true });
  writeFileSync(path.join(folder, "worker.mjs"), `import { load } from "./memwall.mjs";
const memwall = await load();
onmessage = async ({ data: { scenario, record } }) => {
  const json = memwall.estimateJson(JSON.parse(scenario));
  const asked = () => performance.getEntriesByType("resource").filter(({ name }) => /check\\./.test(name)).length;
  const before = asked();
  postMessage({ json, before, report: await memwall.check(record), after: asked() });
};
postMessage("ready");`);
  writeFileSync(path.join(folder, "index.html"), readFileSync(path.join(here, "app/index.html"), "utf8"));
  writeFileSync(path.join(folder, "main.mjs"), `const worker = new Worker("worker.mjs", { type: "module" });
worker.onmessage = ({ data }) => {
  if (data === "ready") return worker.postMessage({ ...document.body.dataset });
  window.told = data;
  document.body.dataset.done = "true";
};`);
  await inBrowser(folder, async (page) => {
    const told = await page.evaluate(() => /** @type {any} */ (window).told);
    assert.equal(told.json.trim(), expected);
    assert.deepEqual(told.report, checked);
    assert.deepEqual([told.before, told.after], [0, 2]);
  });
});
