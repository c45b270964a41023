/** The fit map: drawn by the shader, read by sliders, pointer and table, and its values taken into the scenario. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { act, eventually, kPhone, openPage, sentence, unfold } from "./harness.mjs";
import { valuesOf } from "../../web/fit-map.mjs";

/** @param {import("playwright-core").Page} page */
const drawn = (page) => page.waitForSelector(".map-plot:not([aria-busy]) canvas");

/** @param {Parameters<typeof openPage>[0]} [options] */
async function openMap(options) {
  const opened = await openPage(options);
  const { page } = opened;
  await act(page, () => page.locator('[data-model="openai-community/gpt2"]').click());
  await page.getByText("What fits over two numbers at once").click();
  await drawn(page);
  return opened;
}

/** Different colours of the picture. @param {import("playwright-core").Page} page */
const colours = (page) => page.locator(".map-plot canvas").evaluate((/** @type {HTMLCanvasElement} */ canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (copy.getContext("2d"));
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  return seen.size;
});

test("the map is drawn, and a point says the core's sentence", async () => {
  const { page, quiet } = await openMap();
  assert.ok((await colours(page)) > 50);
  const readout = page.locator("#map .readout");
  const plain = (/** @type {string} */ words) => words.replaceAll("\u00a0", " ");
  assert.equal(plain(await readout.locator("span").innerText()), plain(await sentence(page)), "it begins where the scenario is");
  await page.getByRole("slider", { name: "Micro-batch size" }).press("End");
  await page.waitForFunction(() => /does not fit|missing/.test(document.querySelector("#map .readout")?.textContent ?? ""));
  quiet();
});

test("128 × 128 values are computed, all different, with powers of two and what is asked among them", async (context) => {
  for (const [low, high, multiple, asked] of [[1, 64, 1, 1], [1, 64, 1, 37], [128, 8192, 32, 2048], [128, 8192, 32, 1000], [128, 32768, 32, 100_000], [1, 256, 1, 8]]) {
    const values = valuesOf({ key: "", label: "", low, high, multiple }, asked);
    assert.equal(values.length, 128);
    assert.ok(values.every((value, at) => at === 0 || value > values[at - 1]), values.join());
    assert.ok(values.includes(asked) && values.includes(low * 4) && values[127] >= Math.max(high, asked), `${asked} in ${values}`);
  }
  assert.deepEqual(valuesOf({ key: "", label: "", low: 1, high: 8, multiple: 1, most: 8 }, 2), [1, 2, 3, 4, 5, 6, 7, 8], "a field that has no more");
  const { page, quiet } = await openMap();
  const { cells, milliseconds } = await page.evaluate(() => ({ .../** @type {HTMLElement} */ (document.querySelector(".map-plot")).dataset }));
  assert.equal(cells, "128 128");
  context.diagnostic(`${milliseconds} ms of the worker's core for the map, coarse and fine`);
  assert.ok(Number(milliseconds) < 2000, `${milliseconds} ms: on a machine with nothing else to do it is below 100`);
  const cross = page.locator(".map-cross");
  await eventually(async () => assert.ok((await sentence(page)).replaceAll("\u00a0", " ").includes(`${await cross.innerText()} needed`), "what is needed stands at the cross"));
  assert.equal(await page.locator(".map-hair").count(), 2);
  quiet();
});

test("the map comes coarse first and then finer, and a newer question ends an older one", async () => {
  const { page, quiet } = await openMap({
    prepare: (each) => each.addInitScript(() => {
      const spied = /** @type {any} */ (window);
      spied.told = [];
      window.Worker = class extends Worker {
        /** @param {string | URL} address @param {WorkerOptions} [options] */
        constructor(address, options) {
          super(address, options);
          spied.worker = this;
          this.addEventListener("message", ({ data }) => spied.told.push({ id: data.id, wide: data.x?.length, isLast: data.isLast }));
        }

        /** @param {any} message @param {any} [rest] */
        postMessage(message, rest) {
          if (message.scenario) spied.question = message;
          super.postMessage(message, rest);
        }
      };
    }),
  });
  /** @returns {Promise<{ id: number, wide: number, isLast: boolean }[]>} */
  const told = () => page.evaluate(() => /** @type {any} */ (window).told);
  const [{ id }] = await told();
  const first = (await told()).filter((each) => each.id === id);
  assert.deepEqual(first.map(({ isLast }) => isLast), [false, false, true]);
  assert.ok(first[0].wide < first[1].wide && first[1].wide < first[2].wide, JSON.stringify(first));
  assert.equal(first[2].wide, 128);
  await page.evaluate(() => {
    const { worker, question } = /** @type {any} */ (window);
    for (const other of [9001, 9002]) worker.postMessage({ ...question, id: other });
  });
  await page.waitForFunction(() => /** @type {any} */ (window).told.some((/** @type {any} */ each) => each.id === 9002 && each.isLast));
  assert.ok(!(await told()).some((each) => each.id === 9001), "nothing of what is no longer asked");
  quiet();
});

test("values of the map are taken into the scenario", async () => {
  const { page, quiet } = await openMap();
  await page.getByRole("slider", { name: "Sequence length" }).press("Home");
  await act(page, () => page.getByRole("button", { name: "Use these values" }).click());
  assert.equal(await page.getByRole("textbox", { name: /^Sequence length/ }).inputValue(), "128");
  await drawn(page);
  await page.evaluate(() => document.querySelector(".map-plot")?.scrollIntoView({ block: "center" }));
  const { width } = /** @type {{ width: number }} */ (await page.locator(".map-plot").boundingBox());
  await act(page, () => page.locator(".map-plot").click({ position: { x: width - 2, y: 2 } }));
  assert.equal(await page.getByRole("textbox", { name: /^Sequence length/ }).inputValue(), "1024", "the model's last position is the upper edge");
  quiet();
});

test("the axes are chosen, and follow the task", async () => {
  const { page, quiet } = await openMap();
  await page.getByRole("combobox", { name: "Across" }).selectOption("accelerator.count");
  await drawn(page);
  assert.ok(await page.getByRole("slider", { name: "Accelerators" }).isVisible());
  await act(page, () => page.getByRole("radio", { name: "Run (inference)" }).check());
  await page.getByRole("slider", { name: "Context tokens" }).waitFor();
  quiet();
});

test("any other whole number of the form can stand on an axis", async () => {
  const { page, quiet } = await openMap();
  const across = page.getByRole("combobox", { name: "Across" });
  const offered = await across.locator("option").evaluateAll((all) => all.map((option) => /** @type {HTMLOptionElement} */ (option).value));
  const other = /** @type {string} */ (offered.find((key) => !/^(batch|accelerator|method)\./.test(key)));
  assert.ok(offered.length > 6 && other, offered.join());
  await across.selectOption(other);
  const name = await across.locator("option:checked").innerText();
  await drawn(page);
  assert.ok(await page.getByRole("slider", { name, exact: true }).isVisible());
  assert.match((await page.locator("#map .readout b").textContent()) ?? "", new RegExp(`^${name} \\d`));
  quiet();
});

test("the wall as a table holds exact values: what fits, fits", async () => {
  const { page, quiet } = await openMap();
  await unfold(page, page.getByText("How far it fits, as a table"), "#map tbody tr");
  const rows = await page.locator("#map tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
  assert.ok(rows.length > 5);
  for (const [, fits, needed] of rows) assert.match(`${fits} ${needed}`, /^[\d,]+ [\d.,]+.(GiB|MiB)$/);
  quiet();
});

test("every cell is downloaded as CSV", async () => {
  const { page, quiet } = await openMap();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
  assert.equal(lines[0], "batch.micro_batch_size,batch.sequence_length,needed_bytes");
  assert.match(lines[1], /^1,128,\d{9,}$/);
  assert.ok(lines.length > 1000);
  quiet();
});

test("without WebGL2 the map is painted by hand", async () => {
  const { page, quiet } = await openMap({
    prepare: (each) => each.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      // @ts-ignore: one of its many forms
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : real.call(this, kind, ...rest); };
    }),
  });
  assert.ok((await colours(page)) > 20);
  quiet();
});

test("a lost context is painted again", async () => {
  const { page } = await openMap();
  const before = await colours(page);
  await page.locator(".map-plot canvas").evaluate(async (/** @type {HTMLCanvasElement} */ canvas) => {
    const lose = /** @type {WEBGL_lose_context} */ (/** @type {WebGL2RenderingContext} */ (canvas.getContext("webgl2")).getExtension("WEBGL_lose_context"));
    const restored = new Promise((resolve) => canvas.addEventListener("webglcontextrestored", resolve));
    canvas.addEventListener("webglcontextlost", () => setTimeout(() => lose.restoreContext()));
    lose.loseContext();
    await restored;
  });
  await page.waitForTimeout(100);
  assert.ok((await colours(page)) > before / 2);
});

test("on a phone nothing of the map lies beside the page", async () => {
  const { page, quiet } = await openMap({ viewport: kPhone });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  quiet();
});
