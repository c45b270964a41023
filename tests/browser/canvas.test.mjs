/** The canvas view, by real pointer and keyboard: where its widgets are and what it shows it says itself. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { ask, kWindow, middle, named, openCanvas, press, settle, strike, widgets } from "./drawn.mjs";
import { eventually, kPhone, openPage, screenshots, sentence } from "./harness.mjs";
import { summaryOf } from "../../web/canvas-inputs.mjs";

/** @typedef {import("playwright-core").Page} Page */

test("the canvas says what the form says, and gives it back", async () => {
  const { page, quiet } = await openCanvas();
  assert.ok((await page.locator(".page").boundingBox())?.width === 1, "the form is out of sight");
  const before = await sentence(page);
  await press(page, "field:model.ref");
  await page.keyboard.type("gpt2");
  await named(page, "option:openai-community/gpt2");
  await strike(page, "Enter");
  await named(page, "largest:batch.sequence_length"); // the largest that fit come later than the answer
  await press(page, "more:batch.micro_batch_size");
  await press(page, "more:batch.micro_batch_size");
  await press(page, "field:task:Pretrain");
  await eventually(async () => assert.notEqual(await sentence(page), before));
  await page.getByRole("button", { name: "Form view" }).click();
  await eventually(async () => {
    assert.equal(await page.getByRole("combobox", { name: "Search models" }).inputValue(), "openai-community/gpt2");
    assert.equal(await page.getByRole("textbox", { name: "Micro-batch size" }).inputValue(), "3");
    assert.match(await page.locator(".title").innerText(), /pretrain/);
  });
  quiet();
});

test("a folded group says in words and with units what was stated, then the first of the rest, and nothing that is off", () => {
  const row = { label: "", unit: "", choices: [], labels: [], value: "", given: false, note: "" };
  assert.equal(summaryOf([
    { ...row, label: "Memory as sold", unit: "GB", value: "24", note: "recalled" }, { ...row, label: "Usable memory", unit: "bytes", value: "25382682624", note: "23.64 GiB, recalled" },
    { ...row, label: "Implementation", choices: ["hf_transformers"], labels: ["hf_transformers"], value: "hf_transformers" }, { ...row, label: "Offload", choices: ["true", "false"], labels: ["On", "Off"], value: "false" },
    { ...row, label: "Blocks", unit: "blocks", value: "1" }, { ...row, label: "Fifth", value: "5" }, { ...row, label: "Samples", value: "0", given: true }, { ...row, label: "Target modules", value: "q_proj,v_proj", given: true },
  ]), "Memory as sold: 24 GB, recalled · Usable memory: 23.64 GiB, recalled · Samples: 0 · Target modules: q_proj, v_proj");
});

test("undo and redo go through the scenarios", async () => {
  const { page, quiet } = await openCanvas();
  const first = await sentence(page);
  await press(page, "field:task:Run (inference)");
  const second = await eventually(async () => {
    const words = await sentence(page);
    assert.notEqual(words, first);
    return words;
  });
  await press(page, "undo");
  await eventually(async () => assert.equal(await sentence(page), first));
  await press(page, "redo");
  await eventually(async () => assert.equal(await sentence(page), second));
  quiet();
});

test("nothing is drawn while nothing happens, and little when something does", async () => {
  const { page, quiet } = await openCanvas();
  await press(page, "field:batch.sequence_length");
  const before = await ask(page, "counts");
  await page.waitForTimeout(2000);
  assert.equal(await ask(page, "counts"), before, "frames in two idle seconds, with the cursor in a field");
  const [, vertices, calls] = before.split(" ").map(Number);
  assert.ok(calls <= 20 && vertices <= 40_000, before);
  const median = (/** @type {boolean} */ isShown) => page.evaluate((shown) => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const times = Array.from({ length: 30 }, () => {
      const from = performance.now();
      host.frame(shown);
      return performance.now() - from;
    });
    return times.sort((a, b) => a - b)[15].toFixed(2);
  }, isShown);
  console.log(`a frame of the canvas takes ${await median(false)} ms, and ${await median(true)} ms with its WebGL calls (medians of 30)`);
  quiet();
});

test("odd values break nothing, and nothing is cut off", async () => {
  const { page, quiet } = await openCanvas();
  for (const name of ["field:batch.micro_batch_size", "field:batch.sequence_length", "field:overhead.in_use_by_others_bytes"]) {
    await press(page, name);
    for (const odd of ["-1", "1e308", "9".repeat(40), "<b>&\"模型 💥", "8k"]) {
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(odd);
      await settle(page);
      assert.doesNotMatch(await sentence(page), /NaN|undefined|\[object|Infinity/, `${odd} in ${name}`);
      assert.equal(await ask(page, "overflows"), "", `${odd} in ${name}`);
    }
    await page.keyboard.press("Control+a");
    await strike(page, "Backspace");
  }
  quiet();
});

test("Tab goes through the canvas and leaves it at both ends", async () => {
  const { page, quiet } = await openCanvas();
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName);
  await page.locator("#canvas-switch").focus();
  await page.keyboard.press("Tab"); // the chip
  await strike(page, "Tab");
  await eventually(async () => assert.match(String(await focused()), /CANVAS|canvas-agent/));
  let stops = 1;
  // Tab draws its frames itself, so there is nothing to wait for.
  for (; /CANVAS|canvas-agent/.test(String(await focused())) && stops < 120; ++stops) await page.keyboard.press("Tab");
  assert.ok(stops > 30 && stops < 120, `${stops} stops`);
  const after = await focused();
  await strike(page, "Shift+Tab");
  await eventually(async () => assert.match(String(await focused()), /CANVAS|canvas-agent/, `back from ${after}`));
  await eventually(async () => assert.ok(await page.evaluate(() => scrollY > 200), "the page followed the focus to the last stop"));
  await page.locator("#canvas-switch").focus();
  await page.keyboard.press("Tab");
  await strike(page, "Tab");
  await strike(page, "Shift+Tab");
  await eventually(async () => assert.match(String(await focused()), /chip/));
  quiet();
});

test("copy, cut, paste and an input method work in a field", async () => {
  const { page, quiet } = await openCanvas({ permissions: ["clipboard-read", "clipboard-write"] });
  await press(page, "field:batch.sequence_length");
  await strike(page, "Control+a");
  await page.keyboard.insertText("1234");
  await settle(page);
  await strike(page, "Control+a");
  await strike(page, "Control+c");
  await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1234"));
  await strike(page, "Control+x");
  await page.evaluate(() => navigator.clipboard.writeText("4k"));
  await strike(page, "Control+v");
  const value = () => page.getByRole("textbox", { name: /^Sequence length/, includeHidden: true }).inputValue();
  await eventually(async () => assert.equal(await value(), "4096"));
  const devtools = await page.context().newCDPSession(page);
  await press(page, "field:model.ref");
  await devtools.send("Input.imeSetComposition", { text: "qwé", selectionStart: 3, selectionEnd: 3 });
  await page.locator(".canvas-agent[data-composing]").waitFor();
  await devtools.send("Input.insertText", { text: "qwen" });
  await named(page, "option:Qwen/");
  await strike(page, "Escape");
  quiet();
});

test("a config.json is pasted anywhere", async () => {
  const { page, quiet } = await openCanvas({ permissions: ["clipboard-read", "clipboard-write"] });
  await press(page, "field:way:config.json");
  const config = { model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32, intermediate_size: 8192, vocab_size: 128256 };
  await page.evaluate((words) => navigator.clipboard.writeText(words), JSON.stringify(config, null, 2));
  await strike(page, "Control+v");
  await eventually(async () => {
    assert.match((await page.locator(".title").textContent()) ?? "", /finetune/);
    assert.match((await page.locator(".facts").textContent()) ?? "", /1,\d{3},\d{3},\d{3}/);
    assert.equal(await page.locator("#config-error").textContent(), "");
  });
  await page.evaluate(() => navigator.clipboard.writeText("{ no config"));
  await strike(page, "Control+v");
  await eventually(async () => assert.notEqual(await page.locator("#config-error").textContent(), ""));
  await settle(page);
  assert.equal(await ask(page, "overflows"), "");
  quiet();
});

test("other GPUs and scenarios side by side are on the canvas as in the form", async () => {
  const { page, quiet } = await openCanvas();
  const title = () => page.locator(".title").textContent();
  const pins = (/** @type {number} */ count) => eventually(async () => assert.equal(await page.locator("#pins .pins li").count(), count));
  await press(page, "panel:shortlist:open");
  await named(page, "panel:shortlist:all");
  assert.equal(await page.locator("#shortlist").getAttribute("open"), "", "the twin is open too");
  const cards = await named(page, "panel:shortlist:use ");
  assert.equal(cards.length, await page.locator("#shortlist tbody tr").count());
  const card = cards[0].replace(/^panel:shortlist:use |:\d+$/g, "");
  await press(page, cards[0]);
  await eventually(async () => assert.ok((await title())?.includes(card)));
  await press(page, "panel:shortlist:open");
  await eventually(async () => assert.ok(![...(await widgets(page)).keys()].some((name) => name.startsWith("panel:shortlist:use ")), "folded again"));

  await press(page, "panel:pins:open");
  await press(page, "panel:pins:add");
  await pins(2);
  const last = () => page.locator("#pins .pins li").last().textContent();
  const before = await last();
  await press(page, "field:task:Run (inference)");
  await eventually(async () => assert.notEqual(await last(), before)); // the list follows when the form is still
  await press(page, "panel:pins:add");
  await pins(3);
  await press(page, "pin");
  await pins(4);
  await press(page, "panel:pins:remove 2:2");
  await pins(3);
  await press(page, "panel:pins:name 0");
  await strike(page, "Control+a");
  await page.keyboard.insertText("the first one");
  await strike(page, "Enter");
  await eventually(async () => assert.equal(await page.locator("#pins .pins input").first().inputValue(), "the first one"));
  await press(page, "panel:pins:use 0:0");
  await eventually(async () => assert.match((await title()) ?? "", /finetune/));
  await press(page, "panel:pins:down 0:0");
  await eventually(async () => assert.equal(await page.locator("#pins .pins input").nth(1).inputValue(), "the first one"));
  await press(page, "panel:pins:remove 1:1");
  await pins(2);
  await settle(page);
  assert.equal(await ask(page, "overflows"), "");
  quiet();
});

/** Different colours of a part of the canvas, read from a frame that is drawn for it. @param {Page} page @param {{ x: number, y: number, width: number, height: number }} box */
const coloursIn = (page, box) => page.evaluate(({ x, y, width, height }) => {
  const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
  host.draw();
  const canvas = /** @type {HTMLCanvasElement} */ (host.canvas);
  const at = canvas.getBoundingClientRect();
  const scale = canvas.width / at.width;
  const copy = new OffscreenCanvas(Math.round(width), Math.round(height));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (copy.getContext("2d"));
  context.drawImage(canvas, (x - at.left) * scale, (y - at.top) * scale, width * scale, height * scale, 0, 0, copy.width, copy.height);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
}, box);

test("the fit map is on the canvas: painted by the shader, read by pointer and keys, and its values are taken", async () => {
  const { page, quiet } = await openCanvas();
  await press(page, "panel:map:open");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#map > div"))?.panel?.image, null, { timeout: 30_000 });
  await page.waitForSelector(".map-plot:not([aria-busy])", { state: "attached" });
  await settle(page);
  const [x, y] = await middle(page, "panel:map:picture");
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ ((await widgets(page)).get("panel:map:picture"));
  assert.ok((await coloursIn(page, { ...box, y: Math.max(box.y, 80), height: Math.min(box.height, 300) })) > 50, "it is the shader's picture");
  const readout = () => page.locator("#map .readout").textContent();
  const before = await readout();
  await page.mouse.move(x, y);
  await page.waitForFunction((old) => document.querySelector("#map .readout")?.textContent !== old, before);
  const pointed = await readout();
  await page.mouse.click(x, y);
  const length = await eventually(async () => {
    const taken = await page.getByRole("textbox", { name: /^Sequence length/, includeHidden: true }).inputValue();
    assert.match(pointed ?? "", new RegExp(`Sequence length ${Number(taken).toLocaleString("en-US")}`), "what was read is what was taken");
    return taken;
  });
  await page.waitForSelector(".map-plot:not([aria-busy])", { state: "attached" });
  await strike(page, "ArrowDown"); // what was pressed has the keys
  await page.waitForFunction((old) => document.querySelector("#map .readout")?.textContent !== old, pointed);
  await strike(page, "Enter");
  await page.waitForFunction((old) => /** @type {HTMLInputElement} */ (document.querySelector("#field-batch-sequence_length")).value !== old, length);
  await settle(page);
  const across = () => page.locator("#map select").first().inputValue();
  const first = await across();
  await press(page, "panel:map:across");
  await eventually(async () => assert.notEqual(await across(), first, "another field stands on the axis"));
  await settle(page);
  assert.equal(await ask(page, "overflows"), "");
  quiet();
});

test("the runs behind the interval are on the canvas as in the form", async () => {
  const { page, quiet } = await openCanvas();
  await press(page, "panel:accuracy:open");
  await page.waitForSelector("#accuracy tbody tr", { state: "attached" });
  await settle(page);
  const panel = await page.evaluate(() => /** @type {any} */ (document.querySelector("#accuracy > div")).panel);
  assert.match(panel.note, /^\d+ known runs: training in transformers on one accelerator\. Half lie within 0 %/);
  assert.equal(panel.rows.length, await page.locator("#accuracy tbody tr").count());
  assert.match(panel.rows[0].head.label, /llama/i, "runs of the same family come first");
  await press(page, "panel:accuracy:all");
  await eventually(async () => assert.ok((await page.locator("#accuracy tbody tr").count()) > 300));
  await settle(page);
  assert.equal(await ask(page, "overflows"), "");
  const { calls, vertices } = await page.evaluate(() => {
    const [, vertices, calls] = /** @type {any} */ (document.querySelector(".canvas-host")).host.app.counts().split(" ").map(Number);
    return { calls, vertices };
  });
  assert.ok(calls <= 20 && vertices <= 40_000, `${calls} calls, ${vertices} vertices with every run listed`);
  quiet();
});

test("a view that is still to come says so, and one that did not come says why and is asked for again", async () => {
  const { page } = await openCanvas();
  // What is sent to the canvas to be shown.
  await page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const { send } = host;
    host.send = (/** @type {string} */ kind, /** @type {any} */ message) => {
      if (kind === "panels") host.lastNote = message.all.find((/** @type {any} */ each) => each.key === "shortlist").note;
      return send.call(host, kind, message);
    };
  });
  const note = () => page.evaluate(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.lastNote);
  let goOn = () => {};
  await page.route("**/shortlist.mjs", async (route) => {
    await new Promise((done) => (goOn = () => done(undefined)));
    await route.abort();
  });
  await press(page, "panel:shortlist:open");
  await eventually(async () => assert.match(await note(), /Loading…/));
  goOn();
  await named(page, "panel:shortlist:retry");
  assert.match(await note(), /could not be loaded/);
  await page.locator("#shortlist [role=alert]").waitFor({ state: "attached" });
  await page.unroute("**/shortlist.mjs");
  await press(page, "panel:shortlist:retry");
  await named(page, "panel:shortlist:use ");
});

test("methods and the allocator are on the canvas as in the form, and a method is taken there", async () => {
  const { page, quiet } = await openCanvas();
  await press(page, "panel:allocator:open");
  await page.waitForSelector("#allocator tbody tr", { state: "attached" });
  await press(page, "panel:methods:open");
  await page.waitForSelector("#methods .methods li", { state: "attached", timeout: 30_000 });
  await settle(page);
  const before = await page.locator("#methods output").textContent();
  const [layers] = await named(page, "panel:methods:layers ");
  await press(page, layers);
  await page.waitForFunction((old) => document.querySelector("#methods output")?.textContent !== old, before);
  await settle(page);
  const first = await sentence(page);
  const [lora] = await named(page, "panel:methods:use lora:");
  await press(page, lora);
  await eventually(async () => assert.notEqual(await sentence(page), first));
  await settle(page);
  assert.equal(await ask(page, "overflows"), "");
  quiet();
});

test("the timeline on the canvas comes closer, moves along, says what is alive, and goes back", async () => {
  const { page, quiet } = await openCanvas();
  const names = () => named(page, "timeline:");
  const [closer] = await names();
  const folded = await ask(page, "content_height");
  await press(page, "timeline:alive");
  await eventually(async () => assert.ok((await ask(page, "content_height")) > folded + 200, "the rows of the instant came"));
  await press(page, closer);
  const ways = await eventually(async () => {
    const all = await names();
    assert.equal(all.length, 5, "earlier, later, the highest, the whole step, and what is alive");
    return all;
  });
  await press(page, ways[1]);
  await press(page, ways[2]);
  assert.equal(await ask(page, "overflows"), "");
  const [x, y] = await middle(page, "timeline");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  await press(page, ways[3]);
  await eventually(async () => assert.equal((await names())[0], closer));
  // Wherever it is pressed twice it comes closer.
  for (const part of [0.2, 0.9]) {
    await middle(page, "timeline");
    const plot = /** @type {{ x: number, y: number, width: number, height: number }} */ ((await widgets(page)).get("timeline"));
    await eventually(async () => {
      await page.mouse.dblclick(plot.x + part * plot.width, plot.y + plot.height / 2);
      await settle(page);
      assert.equal((await names()).length, 5, `closer at ${part}`);
    });
    await press(page, ways[3]);
    await eventually(async () => assert.equal((await names())[0], closer));
  }
  quiet();
});

test("the wheel scrolls the page, except over an open list", async () => {
  const { page, quiet } = await openCanvas();
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => scrollY > 200);
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  await press(page, "open:model.ref");
  const list = [...(await widgets(page)).entries()].filter(([name]) => name.startsWith("option:"));
  await page.mouse.move(...(await middle(page, list[2][0])));
  await settle(page);
  await page.mouse.wheel(0, 300);
  await settle(page);
  await eventually(async () => {
    const moved = (await widgets(page)).get(list[2][0]);
    assert.ok(moved && moved.y < list[2][1].y - 50, "the list moved");
  });
  assert.equal(await page.evaluate(() => scrollY), 0);
  quiet();
});

test("a finger taps, and scrolls the page", async () => {
  const { page, quiet } = await openCanvas({ viewport: kPhone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const [x, y] = await middle(page, "field:task:Run (inference)");
  await page.touchscreen.tap(x, y);
  await eventually(async () => assert.match((await page.locator(".title").textContent()) ?? "", /inference/));
  const devtools = await page.context().newCDPSession(page);
  const from = await page.evaluate(() => scrollY);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 190, y: 600 }] });
  for (let at = 600; at >= 300; at -= 20) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: 190, y: at }] });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction((before) => scrollY > before + 150, from);
  assert.match((await page.locator(".title").textContent()) ?? "", /inference/, "a swipe presses nothing");
  quiet();
});

test("the picture follows the density, and comes back after the context was lost", async () => {
  const { page, seen } = await openCanvas();
  await press(page, "panel:map:open"); // its picture is a texture of the context too
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("#map > div"))?.panel?.image, null, { timeout: 30_000 });
  await page.waitForSelector(".map-plot:not([aria-busy])", { state: "attached" });
  await page.mouse.move(5, 300);
  await settle(page);
  const picture = () => page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    host.draw();
    return host.canvas.toDataURL();
  });
  const before = await picture();
  await page.evaluate(() => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const loss = host.canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
    loss.loseContext();
    return new Promise((done) => {
      host.canvas.addEventListener("webglcontextrestored", () => setTimeout(done), { once: true });
      setTimeout(() => loss.restoreContext(), 50);
    });
  });
  await settle(page);
  assert.ok((await picture()) === before, "the same picture");
  assert.deepEqual(seen.filter((message) => message.includes("does not belong")), [], "nothing of the lost context is deleted in the new one");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setDeviceMetricsOverride", { ...kWindow, deviceScaleFactor: 2, mobile: false });
  await page.mouse.move(300, 300); // an emulated density is told to nobody; firefox.test.mjs changes a real one
  await page.waitForFunction((wide) => document.querySelector("canvas")?.width === wide, 2 * kWindow.width);
});

test("several canvases share a page, one of them in a shadow root, and draw nothing out of sight", async () => {
  const requests = /** @type {string[]} */ ([]);
  const { page, quiet } = await openCanvas({ prepare: async (each) => void each.on("request", (request) => requests.push(request.url())) });
  const [sizes, frames] = await page.evaluate(async () => {
    const { host } = /** @type {any} */ (document.querySelector(".canvas-host"));
    const url = "./canvas-host.mjs";
    const { CanvasHost } = await import(url);
    const hosts = [];
    for (const kind of ["plain", "shadow"]) {
      const place = document.body.appendChild(document.createElement("div"));
      const root = kind === "shadow" ? place.attachShadow({ mode: "open" }) : place;
      const inner = root.appendChild(document.createElement("div"));
      inner.style.width = "400px";
      const other = await CanvasHost.create(inner, { label: kind, words: (/** @type {string} */ key) => key, act: () => undefined });
      other.stick.style.height = "300px";
      hosts.push(other);
    }
    await new Promise((done) => setTimeout(done, 300));
    for (const each of hosts) each.wake();
    const before = hosts.map((each) => each.app.counts());
    host.wake();
    await new Promise((done) => setTimeout(done, 300));
    return [hosts.map((each) => each.canvas.width), hosts.map((each, at) => each.app.counts() === before[at])];
  });
  assert.deepEqual(sizes, [400, 400]);
  assert.deepEqual(frames, [true, true], "out of sight nothing is drawn");
  assert.equal(requests.filter((url) => url.endsWith("app.wasm")).length, 1);
  quiet();
});

test("terms of the canvas lead where the form's lead, by pointer and by keys", async () => {
  const { page, quiet } = await openCanvas();
  const places = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-about]")].map((link) => [/** @type {HTMLElement} */ (link).dataset.about, link.getAttribute("href")])));
  const terms = [...(await widgets(page)).keys()].filter((name) => name.startsWith("learn:")).map((name) => name.slice(6));
  for (const term of ["interval", "multiple", "largest", "numbers", "allocated", "usable", "breakdown", "timeline", "shortlist", "map", "parameters", "assumptions"]) {
    assert.ok(terms.includes(term), `${term} leads nowhere: ${terms.join(" ")}`);
    assert.match(places[term] ?? "", /^learn\//, term);
  }
  /** @param {() => Promise<unknown>} follow @param {RegExp} place */
  const leads = async (follow, place) => {
    await Promise.all([page.waitForURL(place), follow()]);
    await page.waitForLoadState("networkidle");
    await page.goBack({ waitUntil: "networkidle" });
    await page.waitForFunction(() => document.querySelector(".page")?.getAttribute("data-answers"));
    if (!(await page.evaluate(() => document.body.hasAttribute("data-canvas")))) await page.getByRole("button", { name: "Canvas view" }).click();
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host"))?.host, null, { timeout: 30_000 });
    await settle(page);
  };
  const click = async (/** @type {string} */ name) => page.mouse.click(...(await middle(page, name)));
  await leads(() => click("learn:numbers"), /learn\/allocated-reserved\.html/);
  await leads(() => click("learn:batch.micro_batch_size"), /learn\/activations\.html#growth/);
  await leads(async () => {
    const names = [...(await widgets(page)).keys()];
    await page.locator("footer a").first().focus();
    await strike(page, "Shift+Tab"); // to the last widget
    for (let behind = names.length - 1 - names.indexOf("learn:assumptions"); behind > 0; --behind) await strike(page, "Shift+Tab");
    await page.keyboard.press("Enter");
  }, /learn\/#confidence/);
  quiet();
});

test("without WebGL 2 the form stays, and says why", async () => {
  const { page } = await openPage({ prepare: (each) => each.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    /** @type {any} */ (HTMLCanvasElement.prototype).getContext = function (/** @type {string} */ kind, /** @type {any} */ options) {
      return kind === "webgl2" ? null : original.call(this, kind, options);
    };
  }) });
  await page.getByRole("button", { name: "Canvas view" }).click();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /form does everything/);
  assert.ok(await page.locator(".sentence").isVisible());
});

for (const [width, height, deviceScaleFactor] of [[1280, 800, 1], [1000, 700, 2], [768, 1024, 1], [390, 844, 2], [360, 740, 1]])
  test(`pictures of ${width} × ${height} at ${deviceScaleFactor}, light and dark`, async () => {
    const { page, quiet } = await openCanvas({ viewport: { width, height }, deviceScaleFactor });
    const name = path.join(screenshots, `canvas-${width}x${height}`);
    await page.screenshot({ path: `${name}-light.png` });
    assert.equal(await ask(page, "overflows"), "");
    await press(page, "group:weights");
    await press(page, [...(await widgets(page)).keys()].filter((each) => each.startsWith("row:"))[0]);
    assert.equal(await ask(page, "overflows"), "");
    await page.screenshot({ path: `${name}-light-row.png` });
    await page.emulateMedia({ colorScheme: "dark" });
    await middle(page, "timeline");
    await settle(page);
    await page.screenshot({ path: `${name}-dark-timeline.png` });
    await page.evaluate(() => scrollTo(0, 0));
    await settle(page);
    await page.screenshot({ path: `${name}-dark.png` });
    await press(page, "panel:pins:open");
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.app.widgets().includes("panel:pins:add"));
    await press(page, "panel:pins:add");
    await press(page, "panel:shortlist:open");
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector(".canvas-host")).host.app.widgets().includes("panel:shortlist:all"));
    for (const [scheme, panel] of /** @type {const} */ ([["dark", "shortlist"], ["light", "pins"]])) {
      await page.emulateMedia({ colorScheme: scheme });
      await middle(page, `panel:${panel}:open`);
      await page.evaluate(() => scrollBy(0, 250));
      await settle(page);
      assert.equal(await ask(page, "overflows"), "");
      await page.screenshot({ path: `${name}-${scheme}-${panel}.png` });
    }
    const [scrolls, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(scrolls <= shown);
    quiet();
  });
