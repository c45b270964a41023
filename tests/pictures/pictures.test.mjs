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
import { middle, named, openCanvas, press, settle } from "../browser/drawn.mjs";
import { outputs, screenshots } from "../browser/harness.mjs";

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

const kSizes = [[1280, 800], [1000, 700], [768, 1024], [390, 844]];
const kSchemes = /** @type {const} */ (["light", "dark"]);

for (const [width, height] of kSizes)
  for (const deviceScaleFactor of [1, 2])
    test(`the canvas at ${width} × ${height}, ${deviceScaleFactor} to a pixel, light and dark`, async () => {
      const { page, quiet } = await openCanvas({ viewport: { width, height }, deviceScaleFactor, reducedMotion: "reduce" });
      for (const colorScheme of kSchemes) {
        await page.emulateMedia({ colorScheme });
        await settle(page);
        compare(`canvas-${width}x${height}-at-${deviceScaleFactor}-${colorScheme}`, await page.screenshot());
      }
      quiet();
    });

for (const [width, height] of [kSizes[0], kSizes[3]])
  test(`what lies below, at ${width} × ${height}, light and dark: a row with its reasons, the timeline, other GPUs, methods`, async () => {
    const { page, quiet } = await openCanvas({ viewport: { width, height }, reducedMotion: "reduce" });
    await press(page, "group:weights");
    await press(page, (await named(page, "row:"))[0]);
    for (const [panel, first] of [["shortlist", "panel:shortlist:use "], ["methods", "panel:methods:use "]]) {
      await press(page, `panel:${panel}:open`);
      await named(page, first);
    }
    await page.mouse.move(0, 0);
    for (const colorScheme of kSchemes) {
      await page.emulateMedia({ colorScheme });
      for (const [name, widget] of [["row", "group:weights"], ["timeline", "timeline"], ["shortlist", "panel:shortlist:open"], ["methods", "panel:methods:open"]]) {
        await middle(page, widget);
        await settle(page);
        compare(`canvas-${width}x${height}-${name}-${colorScheme}`, await page.screenshot());
      }
    }
    quiet();
  });
