/**
 * The canvas against the pictures in references/, which somebody has looked at: at most 0.1 % of the pixels differ.
 * MEMWALL_REFERENCES=write replaces them by what is drawn now; look at every one of them before it is committed.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openPage, outputs, screenshots, settled } from "../browser/harness.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const references = path.join(here, "references");
const work = path.join(outputs, "pictures");
const kLargestShare = 0.001;

mkdirSync(work, { recursive: true });
for (const name of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(path.join(here, name), path.join(work, name));
execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work, stdio: "inherit" });
const require = createRequire(path.join(work, "package.json"));
/** @param {string} name @returns {Promise<any>} */
const tool = (name) => import(pathToFileURL(require.resolve(name)).href);
const { default: pixelmatch } = await tool("pixelmatch");
const { PNG } = (await tool("pngjs")).default;

/** @param {string} name @param {Buffer} drawn */
function compare(name, drawn) {
  const file = path.join(references, `${name}.png`);
  if (process.env.MEMWALL_REFERENCES === "write") return writeFileSync(file, drawn);
  assert.ok(existsSync(file), `${name} has no reference`);
  const [now, then] = [PNG.sync.read(drawn), PNG.sync.read(readFileSync(file))];
  assert.deepEqual([now.width, now.height], [then.width, then.height], name);
  const difference = new PNG({ width: now.width, height: now.height });
  const pixels = pixelmatch(then.data, now.data, difference.data, now.width, now.height, { threshold: 0.1 });
  const share = pixels / (now.width * now.height);
  if (share > kLargestShare) {
    writeFileSync(path.join(screenshots, `${name}-now.png`), drawn);
    writeFileSync(path.join(screenshots, `${name}-difference.png`), PNG.sync.write(difference));
  }
  assert.ok(share <= kLargestShare, `${name}: ${(share * 100).toFixed(3)} % of the pixels differ`);
}

for (const [width, height] of [[1280, 800], [1000, 700], [768, 1024], [390, 844]])
  for (const deviceScaleFactor of [1, 2])
    test(`the canvas at ${width} × ${height}, ${deviceScaleFactor} to a pixel, light and dark`, async () => {
      const { page, quiet } = await openPage({ viewport: { width, height }, deviceScaleFactor });
      await page.getByRole("button", { name: "Canvas view" }).click();
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host, null, { timeout: 60_000 });
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await settled(page);
        await page.evaluate(async () => {
          const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
          do await new Promise((done) => requestAnimationFrame(done));
          while (host.request !== 0);
        });
        compare(`canvas-${width}x${height}-at-${deviceScaleFactor}-${colorScheme}`, await page.screenshot());
      }
      quiet();
    });
