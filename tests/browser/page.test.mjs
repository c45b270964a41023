/** The page as people use it: every way in, every control, and nothing in the console. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { act, choose, eventually, kPhone, openPage, root, sentence, settled, unfold } from "./harness.mjs";

const kConfig = JSON.stringify({
  model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32, num_key_value_heads: 8,
  intermediate_size: 8192, vocab_size: 128256, tie_word_embeddings: true, max_position_embeddings: 131072, torch_dtype: "bfloat16",
});

/** What looks as if it did something. @param {import("playwright-core").Page} page */
const pressable = (page) => page.locator("button:visible:enabled").allInnerTexts();

test("the first answer is in the page before any script runs", async () => {
  const { page } = await openPage({ javaScriptEnabled: false, expectReady: false });
  assert.match(await sentence(page), /needed/);
  assert.ok((await page.locator(".groups > li").count()) > 3, "groups of the breakdown");
  assert.match(await page.locator("noscript").innerText(), /JavaScript is off/);
  assert.deepEqual(await pressable(page), []);
});

test("the module takes over without a jump", async () => {
  const { page: still } = await openPage({ javaScriptEnabled: false, expectReady: false });
  const { page, quiet } = await openPage();
  for (const selector of [".sentence", ".gauge", ".facts-row", ".numbers", ".stack", "#form"]) {
    const [a, b] = await Promise.all([still, page].map((each) => each.locator(selector).boundingBox()));
    assert.equal(a?.y, b?.y, selector);
    assert.equal(a?.x, b?.x, selector);
  }
  assert.equal(await sentence(page), await sentence(still));
  quiet();
});

test("choosing another model gives another answer", async () => {
  const { page, quiet } = await openPage();
  const before = await sentence(page);
  await choose(page, "Search models", "gpt2");
  assert.equal(await page.getByRole("combobox", { name: "Search models" }).inputValue(), "openai-community/gpt2");
  assert.notEqual(await sentence(page), before);
  await choose(page, "Search GPUs", "4090");
  assert.equal(await page.getByRole("combobox", { name: "Search GPUs" }).inputValue(), "GeForce RTX 4090");
  assert.match(await sentence(page), /^It fits/);
  quiet();
});

test("the combobox is driven by the keyboard, and Escape restores the choice", async () => {
  const { page, quiet } = await openPage();
  const box = page.getByRole("combobox", { name: "Search models" });
  const before = await box.inputValue();
  await box.click();
  await box.fill("qwen2.5 7b");
  assert.equal(await box.getAttribute("aria-expanded"), "true");
  assert.match((await box.getAttribute("aria-activedescendant")) ?? "", /-0$/);
  await box.press("ArrowDown");
  assert.match((await box.getAttribute("aria-activedescendant")) ?? "", /-1$/);
  await box.press("Escape");
  assert.equal(await box.inputValue(), before);
  assert.equal(await box.getAttribute("aria-expanded"), "false");
  quiet();
});

test("a number is typed, stepped, and reset to its default", async () => {
  const { page, quiet } = await openPage();
  const field = page.getByRole("textbox", { name: /^Sequence length/ });
  const numbers = () => page.locator("#details .numbers").innerText();
  const before = await numbers();
  await act(page, () => field.fill("4k"));
  assert.notEqual(await numbers(), before);
  await act(page, () => page.getByRole("button", { name: "Reset Sequence length", exact: true }).click());
  assert.equal(await numbers(), before);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  assert.notEqual(await numbers(), before);
  assert.equal(await page.getByRole("textbox", { name: "Micro-batch size" }).inputValue(), "2");
  quiet();
});

test("the largest micro-batch that fits stands beside its field and sets it", async () => {
  const { page, quiet } = await openPage();
  await choose(page, "Search models", "gpt2");
  const largest = page.getByRole("button", { name: /: set Micro-batch size to the largest/ });
  const words = await largest.innerText();
  const value = words.replace(/\D/g, "");
  await act(page, () => largest.click());
  const state = await page.locator("#answer").getAttribute("data-state");
  assert.equal(words.includes("(tight)"), state === "tight", `"${words}" leads to ${state}`);
  assert.equal(/ it is tight\.$/.test(await page.locator("[data-text='largest.sentence']").innerText()), state === "tight");
  assert.equal(await page.getByRole("textbox", { name: "Micro-batch size" }).inputValue(), value);
  assert.doesNotMatch(await sentence(page), /does not fit/);
  quiet();
});

test("inference asks for the fields of inference", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "Run (inference)" }).check());
  assert.ok(await page.getByRole("textbox", { name: "Concurrent sequences" }).isVisible());
  assert.equal(await page.getByRole("radiogroup", { name: "Optimizer", exact: true }).isVisible(), false);
  assert.ok(await page.locator(".groups .label", { hasText: "KV cache" }).first().isVisible());
  quiet();
});

test("a refused value names the field, and the last good answer stays, marked", async () => {
  const { page, quiet } = await openPage();
  const field = page.getByRole("textbox", { name: "Micro-batch size" });
  const before = await sentence(page);
  for (const bad of ["-1", "0", "1.5", "1e30", "many"]) {
    await act(page, () => field.fill(bad));
    assert.ok(await page.locator("#stale").isVisible(), bad);
    assert.equal(await field.getAttribute("aria-invalid"), "true", bad);
    const described = (await field.getAttribute("aria-describedby")) ?? "";
    const message = await page.locator(`#${described.split(" ").at(-1)}`).innerText();
    assert.ok(message.includes(bad), `the sentence "${message}" has the value ${bad}`);
    assert.equal(await sentence(page), before);
  }
  await act(page, () => field.fill("1"));
  assert.ok(await page.locator("#stale").isHidden());
  assert.equal(await field.getAttribute("aria-invalid"), null);
  quiet();
});

test("nothing that is typed into any field breaks the page", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  await unfold(page, page.locator("#more > summary"), "#more-fields .field");
  const odd = ["-1", "0", "1e308", "NaN", "9".repeat(40), "<b>&\"", "模型 💥", "1.5", "8k"];
  const ids = await page.locator("#form .field input[type=text]:not([role=combobox])").evaluateAll((inputs) => inputs.map((input) => input.id));
  assert.ok(ids.length > 20, `${ids.length} fields`);
  for (const id of ids) {
    const field = page.locator(`#${id}`);
    if (!(await field.isVisible())) continue;
    const before = await field.inputValue();
    for (const text of odd) {
      // What was typed before may have hidden it: a bare model has no ZeRO stage.
      if (!(await field.isVisible())) break;
      await field.fill(text);
      await settled(page);
      assert.doesNotMatch(await page.locator(".sentence").innerText(), /NaN|undefined|\[object|Infinity/, `${text} in ${id}`);
    }
    if (await field.isVisible()) await field.fill(before);
    await settled(page);
  }
  assert.ok(await page.locator("#stale").isHidden());
  quiet();
});

test("a config.json is pasted", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "config.json" }).check());
  const before = await sentence(page);
  await act(page, () => page.getByLabel(/Paste a Hugging Face/).fill(kConfig));
  assert.notEqual(await sentence(page), before);
  assert.match(await page.locator(".facts").innerText(), /1,235,814,400/);
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  assert.equal(await page.getByRole("textbox", { name: "Hidden size" }).inputValue(), "2048");
  quiet();
});

test("a file is dropped anywhere: a config.json is read, an empty one gets a sentence, and the page stays", async () => {
  const { page, quiet } = await openPage();
  const drop = (/** @type {string} */ name, /** @type {string} */ content) => act(page, () => page.evaluate(([called, words]) => {
    const data = new DataTransfer();
    data.items.add(new File([words], called, { type: "application/json" }));
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
    document.querySelector(".foot")?.dispatchEvent(event);
    if (!event.defaultPrevented) throw new Error("the browser would open the file");
  }, [name, content]));
  await drop("config.json", kConfig);
  assert.match(await page.locator(".facts").innerText(), /1,235,814,400/);
  const before = await sentence(page);
  await drop("nothing.json", "");
  assert.match(await page.locator("#config-error").innerText(), /empty/);
  assert.ok(await page.locator("#stale").isVisible());
  assert.equal(await sentence(page), before);
  quiet();
});

test("what the form says is what the command line answers: devices, stage, mask, checkpointing, memory in use", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("textbox", { name: /^How many/ }).fill("8"));
  await act(page, () => page.getByRole("textbox", { name: /^Sequence length/ }).fill("4096"));
  await act(page, () => page.getByRole("combobox", { name: /^Attention mask/ }).selectOption("padded"));
  await act(page, () => page.getByRole("radio", { name: "every block" }).check());
  await unfold(page, page.locator("#more > summary"), "#more-fields .field");
  await act(page, () => page.locator("#field-mesh-zero_stage").fill("3"));
  await act(page, () => page.locator("#field-overhead-in_use_by_others_bytes").fill("2GiB"));
  const cli = path.join(process.env.MEMWALL_OUTPUTS ?? path.join(root, "build"), "native/memwall");
  const words = ["view", "--model", "meta-llama/Llama-3.1-8B", "--gpu", "H100 SXM5 80GB", "--accelerator.count", "8", "--seq", "4096", "--attention-mask", "padded",
    "--activation-checkpointing", "full", "--zero-stage", "3", "--overhead.in_use_by_others_bytes", "2GiB"];
  const answer = JSON.parse(spawnSync(cli, words, { encoding: "utf8" }).stdout);
  assert.equal((await sentence(page)).replaceAll("\u00a0", " "), (answer.value ?? answer).verdict.sentence);
  quiet();
});

test("a browser without WebAssembly says that it is too old, and keeps the answer", async () => {
  const { page } = await openPage({ expectReady: false, prepare: (each) => each.addInitScript(() => { Reflect.deleteProperty(window, "WebAssembly"); }) });
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /too old/);
  assert.match(await sentence(page), /needed/);
});

test("a broken config.json gets a sentence, and the answer stays", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "config.json" }).check());
  const area = page.getByLabel(/Paste a Hugging Face/);
  const before = await sentence(page);
  /** @type {[text: string, sentence: RegExp][]} */
  const odd = [
    [kConfig.slice(0, 90), /^Line 1, column \d+: /],
    [kConfig.replace("2048", '"2048 wide"'), /^hidden_size is the text "2048 wide"; allowed: a whole number from 1 to 1,048,576$/],
    [kConfig.replace(":32", ":30"), /^num_attention_heads \(30\) must divide hidden_size \(2,048\); allowed: a divisor of 2,048/],
    [kConfig.replace('"llama"', '"lama"'), /^model_type is "lama", which is not known; did you mean llama, .*allowed: /],
    [kConfig.replace('"torch_dtype"', '"hidden_act":"geluu","torch_dtype"'), /^hidden_act is the text "geluu"; allowed: silu, /],
    [kConfig.replace('"num_hidden_layers":16,', ""), /^num_hidden_layers is missing; needed: /],
    [kConfig.replace('"num_hidden_layers":16,', '"num_hidden_layers":16,"num_hidden_layers":17,'), /^num_hidden_layers stands twice/],
    ["[]", /./], ["null", /./], ['"llama"', /./], ["{}", /^hidden_size is missing; needed: /],
  ];
  for (const [text, expected] of odd) {
    await act(page, () => area.fill(text));
    const message = await page.locator("#config-error").innerText();
    assert.match(message, expected, text);
    assert.ok(message.length > 10, `"${message}" for ${text}`);
    assert.ok(await page.locator("#stale").isVisible(), text);
    assert.equal(await page.locator("#stale-why").innerText(), message);
    assert.equal(await area.getAttribute("aria-invalid"), "true");
    assert.equal(await sentence(page), before);
  }
  quiet();
});

test("a text that cannot be read marks the answer until it can, or is left", async () => {
  const { page, quiet } = await openPage();
  const isStale = async () => (await page.locator("#stale").isVisible()) && (await page.locator("#copy-link").isDisabled()) && (await page.locator("#download-json").isDisabled());
  const isValid = async () => (await page.locator("#stale").isHidden()) && (await page.locator("#copy-link").isEnabled());
  await act(page, () => page.getByRole("radio", { name: "config.json" }).check());
  const area = page.getByLabel(/Paste a Hugging Face/);
  await act(page, () => area.fill(kConfig));
  assert.ok(await isValid());
  for (const text of ["[]", "{", '{"model": {"name": "x", "size": 3}}', kConfig.replace("2048", "-2")]) {
    await act(page, () => area.fill(text));
    assert.ok(await isStale(), text);
    const message = await page.locator("#config-error").innerText();
    assert.equal(await page.locator("#stale-why").innerText(), message);
    assert.doesNotMatch(message, /memwall fields|a scenario is|^Config|^Hidden_size/, text);
  }
  await act(page, () => area.fill(kConfig));
  assert.ok(await isValid());
  await act(page, () => area.fill("[]"));
  await act(page, () => page.getByRole("radio", { name: "Catalogue" }).check());
  assert.ok(await isValid());
  await act(page, () => page.getByRole("radio", { name: "config.json" }).check());
  assert.ok(await isStale());
  await act(page, () => page.getByRole("button", { name: "Reset all" }).click());
  assert.ok(await isValid());
  assert.equal(await area.inputValue(), "");
  assert.equal(await page.locator("#config-error").textContent(), "");
  quiet();
});

test("a text above the limit of the core is refused before anything reads it", async () => {
  const header = readFileSync(path.join(root, "src/import/hf_config.hpp"), "utf8");
  const limit = Number(/kMaxConfigBytes = (\d+) << 20/.exec(header)?.[1]);
  const { page, quiet } = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  await act(page, () => page.getByRole("radio", { name: "config.json" }).check());
  const area = page.getByLabel(/Paste a Hugging Face/);
  await page.evaluate(([size, config]) => navigator.clipboard.writeText(`${" ".repeat(Number(size))}${config}`), [limit << 20, kConfig]);
  await area.focus();
  await act(page, () => page.keyboard.press("Control+v"));
  assert.match(await page.locator("#config-error").innerText(), new RegExp(`^config.json is larger than ${limit} MiB`));
  assert.equal(await area.inputValue(), "");
  assert.ok(await page.locator("#stale").isVisible());
  await act(page, () => area.fill(kConfig));
  assert.ok(await page.locator("#stale").isHidden());
  await act(page, () => page.locator("#config-file").setInputFiles({ name: "Big.json", mimeType: "application/json", buffer: Buffer.alloc((limit << 20) + 1, " ") }));
  assert.match(await page.locator("#config-error").innerText(), /^Big.json is larger/);
  assert.equal(await page.locator("#config-error").evaluate((error) => getComputedStyle(error, "::first-letter").textTransform), "none");
  await act(page, () => page.locator("#config-file").setInputFiles({ name: "Tiny.json", mimeType: "application/json", buffer: Buffer.from(kConfig) }));
  assert.match(await page.locator(".title").innerText(), /^Tiny\.json/);
  quiet();
});

test("a refused model is the one that is shown, and fields are named by their labels", async () => {
  const { page, quiet } = await openPage();
  const field = page.getByRole("textbox", { name: /^Sequence length/ });
  await act(page, () => field.fill("8192"));
  await act(page, () => page.getByRole("button", { name: "GPT-2" }).click());
  assert.ok(await page.locator("#stale").isVisible());
  assert.equal(await page.getByRole("combobox", { name: "Search models" }).inputValue(), "openai-community/gpt2");
  assert.equal(await page.getByRole("button", { name: "GPT-2" }).getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator("#way-catalogue [aria-pressed=true]").count(), 1);
  assert.ok(await page.locator(".facts").isHidden(), "the count of another model");
  const why = await page.locator("#stale-why").innerText();
  assert.match(why, /^Sequence length \(8,192\) is beyond/);
  assert.doesNotMatch(why, /\w\.\w+_/);
  assert.equal(await page.locator("#field-batch-sequence_length-error").innerText(), why);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  assert.equal(await page.getByRole("textbox", { name: "Micro-batch size" }).inputValue(), "2");
  await act(page, () => field.fill("1024"));
  assert.ok(await page.locator("#stale").isHidden());
  assert.match(await page.locator(".title").innerText(), /gpt2/);
  quiet();
});

test("a method shows its own fields only, and the standard rule stands for full training only", async () => {
  const { page, quiet } = await openPage();
  await unfold(page, page.locator("#more > summary"), "#more-fields .field");
  const shown = async () => {
    const all = ["method-rank", "method-alpha", "method-dropout", "method-target_modules", "method-modules_to_save", "method-adapter_dtype", "method-first_trainable_layer"];
    const visible = await Promise.all(all.map((id) => page.locator(`#field-${id}, [aria-labelledby=field-${id}-label]`).isVisible()));
    return all.filter((_, index) => visible[index]).map((id) => id.slice("method-".length));
  };
  const marks = () => page.locator(".baseline:visible, .k-baseline:visible").count();
  assert.deepEqual(await shown(), []);
  assert.ok((await marks()) > 0);
  const method = page.locator("#field-method-name, [aria-labelledby=field-method-name-label]");
  const take = (/** @type {string} */ name) => act(page, async () => {
    if ((await method.evaluate((element) => element.tagName)) === "SELECT") await method.selectOption(name);
    else await method.locator(`[value=${name}]`).check();
  });
  await take("lora");
  assert.deepEqual(await shown(), ["rank", "alpha", "dropout", "target_modules", "modules_to_save", "adapter_dtype", "first_trainable_layer"]);
  assert.equal(await marks(), 0);
  await take("freeze");
  assert.deepEqual(await shown(), ["target_modules", "first_trainable_layer"]);
  assert.equal(await marks(), 0);
  quiet();
});

test("a dimension that is taken away and given again is no fault of the page", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  const layers = page.getByRole("textbox", { name: /^Layers/ });
  const was = await layers.inputValue();
  await act(page, () => layers.fill(""));
  await act(page, () => layers.fill("16"));
  await act(page, () => layers.fill(was || "32"));
  await page.waitForTimeout(200);
  assert.ok(await page.locator("#trouble").isHidden(), await page.locator("#trouble").innerText());
  quiet();
});

test("a number that nobody can guess is missing when it is emptied, and its field says so", async () => {
  const { page, quiet } = await openPage();
  /** @param {string} way @param {string} label @param {RegExp} allowed */
  const emptied = async (way, label, allowed) => {
    const radio = page.getByRole("radio", { name: way });
    if (!(await radio.isChecked())) await act(page, () => radio.check());
    const field = page.getByRole("textbox", { name: label, exact: true });
    const was = await field.inputValue();
    const good = await sentence(page);
    for (const nothing of ["", "  "]) {
      await act(page, () => field.fill(nothing));
      assert.ok(await page.locator("#stale").isVisible(), label);
      assert.equal(await field.getAttribute("aria-invalid"), "true", label);
      const described = (await field.getAttribute("aria-describedby"))?.split(" ").at(-1);
      const why = await page.locator(`#${described}`).innerText();
      assert.match(why, new RegExp(`^${label} is empty; `));
      assert.match(why, allowed);
      assert.equal(await page.locator("#stale-why").innerText(), why);
      assert.equal(await sentence(page), good, "the last good answer");
      await field.fill(was);
      await settled(page);
    }
    assert.ok(await page.locator("#stale").isHidden());
    assert.equal(await field.getAttribute("aria-invalid"), null);
  };
  await emptied("By hand", "Layers", /allowed: 1 to 1,024/);
  await emptied("By hand", "Hidden size", /allowed: 1 to 1,048,576/);
  await emptied("Size only", "Parameters", /allowed: 1 to 100,000,000,000,000/);
  assert.equal(await page.getByRole("button", { name: "Reset Parameters", exact: true }).count(), 0, "no default to go back to");
  quiet();
});

test("all dimensions emptied are no silent answer for another model", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  for (const label of ["Layers", "Hidden size", "Attention heads", "Key/value heads", "Intermediate size", "Vocabulary"])
    await act(page, () => page.getByRole("textbox", { name: label, exact: true }).fill(""));
  assert.ok(await page.locator("#stale").isVisible());
  assert.match(await page.locator("#stale-why").innerText(), /^(Layers|Hidden size) is empty; allowed/);
  quiet();
});

test("a field emptied to be typed anew stays empty while it has the focus, and has its default afterwards", async () => {
  const { page, quiet } = await openPage();
  const field = page.getByRole("textbox", { name: /^Sequence length/ });
  await act(page, () => field.fill("512"));
  await act(page, () => field.fill(""));
  assert.equal(await field.inputValue(), "");
  assert.ok(await page.locator("#stale").isHidden());
  await act(page, () => page.keyboard.type("4"));
  assert.equal(await field.inputValue(), "4");
  await act(page, () => field.fill(""));
  await field.blur();
  assert.equal(await field.inputValue(), "2048");
  quiet();
});

test("only a parameter count is enough", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "Size only" }).check());
  await act(page, () => page.getByRole("textbox", { name: "Parameters" }).fill("7B"));
  assert.match(await page.locator(".facts").innerText(), /7,000,000,000/);
  assert.match(await sentence(page), /needed/);
  await act(page, () => page.getByRole("textbox", { name: "Parameters" }).fill("1e15"));
  assert.ok(await page.locator("#stale").isVisible());
  quiet();
});

test("a model is described by hand", async () => {
  const { page, quiet } = await openPage();
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  const values = { Layers: "12", "Hidden size": "768", "Attention heads": "12", "Key/value heads": "12", "Intermediate size": "3072", Vocabulary: "50257" };
  for (const [label, value] of Object.entries(values)) await act(page, () => page.getByRole("textbox", { name: label }).fill(value));
  assert.ok(await page.locator("#stale").isHidden());
  assert.match(await sentence(page), /needed/);
  quiet();
});

test("a row opens its formula, numbers, reason, source and confidence", async () => {
  const { page, quiet } = await openPage();
  await page.locator(".group > summary").first().click();
  await page.locator(".row > summary").first().click();
  const why = page.locator(".why").first();
  for (const title of ["Formula", "In numbers", "Result", "Because", "Source", "Confidence"])
    assert.ok((await why.innerText()).includes(title), title);
  assert.match(await why.locator("dd").nth(2).innerText(), /[\d,]+\sbytes/);
  quiet();
});

test("a row opened before its explanation has come says so, and then explains", async () => {
  let arrive = () => {};
  const held = new Promise((resolve) => (arrive = () => resolve(undefined)));
  const { page, quiet } = await openPage({ prepare: (each) => each.route("**/explanations.txt", (route) => held.then(() => route.continue())) });
  await page.locator(".group > summary").first().click();
  await page.locator(".row > summary").first().click();
  const why = page.locator(".why").first();
  assert.equal((await why.innerText()).match(/Still being loaded/g)?.length, 2, "reason and source");
  assert.match(await why.locator("dd").nth(1).innerText(), /\d/, "the numbers are there");
  await act(page, async () => arrive());
  for (const title of ["Formula", "In numbers", "Result", "Because", "Source", "Confidence"])
    assert.ok((await why.innerText()).includes(title), title);
  assert.ok(!(await why.innerText()).includes("Still being loaded"));
  assert.match(await why.locator("dd").nth(3).innerText(), /\.$/, "a sentence");
  assert.ok((await why.getByRole("link").count()) > 0, "the source is a link");
  assert.ok((await page.locator(".field[title$='.']").count()) > 5, "help of fields");
  quiet();
});

/** A page whose core-rest.wasm waits until `arrive` is called. @param {string} [hash] */
async function withoutRest(hash) {
  let arrive = () => {};
  const held = new Promise((resolve) => (arrive = () => resolve(undefined)));
  const prepare = (/** @type {import("playwright-core").Page} */ each) => each.route("**/core-rest.wasm", (route) => held.then(() => route.continue()));
  return { ...(await openPage({ hash, expectReady: false, prepare })), arrive: () => arrive() };
}

test("a model is chosen and answered before the rest of the core has come", async () => {
  const { page, quiet, arrive } = await withoutRest();
  await settled(page);
  const first = await sentence(page);
  await act(page, () => page.locator("[data-model]").nth(1).click());
  assert.notEqual(await sentence(page), first);
  assert.ok(!(await page.evaluate(() => document.documentElement.hasAttribute("data-ready"))), "the form waits");
  arrive();
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  quiet();
});

test("a link whose answer needs the rest of the core is answered when it has come", async () => {
  const { page: maker } = await openPage();
  await act(maker, () => maker.getByRole("combobox", { name: "Optimizer", exact: true }).selectOption("adafactor"));
  const expected = await sentence(maker);
  await maker.getByRole("button", { name: "Copy link" }).click();
  const { page, quiet, arrive } = await withoutRest(new URL(maker.url()).hash);
  arrive();
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
  assert.equal(await sentence(page), expected);
  quiet();
});

test("a rest of the core that does not come is asked for again", async () => {
  let failures = 2; // compiled while it arrives, and once more as bytes
  const prepare = (/** @type {import("playwright-core").Page} */ each) => each.route("**/core-rest.wasm", (route) => (failures-- > 0 ? route.abort() : route.continue()));
  const { page } = await openPage({ expectReady: false, prepare });
  await page.getByText("could not be loaded").waitFor();
  assert.match(await sentence(page), /needed/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  assert.ok(await page.locator("#trouble").isHidden());
});

test("explanations that do not come are asked for again", async () => {
  let failures = 1;
  const { page } = await openPage({ prepare: (each) => each.route("**/explanations.txt", (route) => (failures-- > 0 ? route.abort() : route.continue())) });
  await page.getByText("could not be loaded").waitFor();
  await act(page, () => page.getByRole("button", { name: "Try again" }).click());
  assert.ok(await page.locator("#trouble").isHidden());
  await page.locator(".group > summary").first().click();
  await page.locator(".row > summary").first().click();
  assert.ok(!(await page.locator(".why").first().innerText()).includes("Still being loaded"));
});

test("the timeline is read by slider, pointer and table", async () => {
  const { page, quiet } = await openPage();
  const slider = page.getByRole("slider", { name: "Instant" });
  const worst = await page.locator(".readout").innerText();
  await slider.press("Home");
  await page.waitForFunction((words) => /** @type {HTMLElement} */ (document.querySelector(".readout")).innerText !== words, worst);
  await unfold(page, page.getByText("The same as a table"), ".twin tbody tr");
  assert.equal(await page.locator(".twin tbody tr").count(), Number(await slider.getAttribute("max")) + 1);
  quiet();
});

test("every instant shows the rows that are alive in it", async () => {
  const { page, quiet } = await openPage();
  const slider = page.getByRole("slider", { name: "Instant" });
  const rows = page.locator(".alive tr[data-key]");
  const keys = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-key")));
  await unfold(page, page.getByText("What is in memory at this instant"), ".alive tbody tr");
  const worst = await keys();
  const titles = await page.locator(".alive tbody td:first-child").evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent));
  const inBreakdown = await page.locator(".row > summary .label").evaluateAll((labels) => labels.map((label) => label.textContent));
  assert.ok(titles.length > 10 && titles.every((title) => inBreakdown.includes(title ?? "")), "the rows of the worst instant are those of the breakdown");
  const groups = await page.locator(".alive tbody").evaluateAll((all) => all.map((body) => ({
    category: body.getAttribute("data-category"), label: body.querySelector("th")?.textContent?.trim(),
    keys: [...body.querySelectorAll("tr[data-key]")].map((row) => row.getAttribute("data-key")),
  })));
  const breakdown = await page.locator("#details .groups").first().locator(".group > summary").evaluateAll((all) => all.map((each) => ({
    label: each.querySelector(".label")?.textContent ?? "", share: Number.parseFloat(each.querySelector(".share")?.textContent ?? ""),
  })));
  const bySize = breakdown.sort((a, b) => b.share - a.share).map((each) => each.label);
  assert.deepEqual(groups.slice(0, 3).map((group) => group.label), bySize.slice(0, 3), "under their categories, the largest first");
  assert.ok(groups.every((group) => group.keys.length > 0 && group.keys.every((key) => key?.startsWith(`${group.category}.`))));
  await slider.press("Home");
  await page.waitForFunction((count) => document.querySelectorAll(".alive tr[data-key]").length < count, worst.length);
  const first = await keys();
  assert.ok(first.every((key) => /^(weights|inputs|buffers)\./.test(key ?? "")), `before the step: ${first}`);
  assert.match(await rows.first().innerText(), /×[^]*(GiB|MiB)/);
  quiet();
});

test("a share link restores the exact scenario", async () => {
  const { page, quiet } = await openPage();
  await choose(page, "Search models", "gpt2");
  await choose(page, "Search GPUs", "4090");
  await act(page, () => page.getByRole("textbox", { name: /^Sequence length/ }).fill("512"));
  await act(page, () => page.getByRole("combobox", { name: "Optimizer", exact: true }).selectOption("adam"));
  assert.match(await page.locator(".title").innerText(), /4090/);
  await page.getByRole("button", { name: "Copy link" }).click();
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /^#.{8,}/);
  const { page: other, quiet: otherQuiet } = await openPage({ hash });
  assert.equal(await sentence(other), await sentence(page));
  assert.equal(await other.getByRole("textbox", { name: /^Sequence length/ }).inputValue(), "512");
  assert.equal(await other.getByRole("combobox", { name: "Optimizer", exact: true }).inputValue(), "adam");
  assert.equal(await other.locator(".groups").first().innerText(), await page.locator(".groups").first().innerText());
  quiet();
  otherQuiet();
});

test("numbers say the largest that fits beside them, later ones too, and how they were understood", async () => {
  const { page, quiet } = await openPage({ hash: "#v1&model.ref=meta-llama/Llama-3.1-8B&accelerator.name=H100%20SXM5%2080GB&method.name=lora" });
  const largest = (/** @type {string} */ id) => page.locator(`.field:has(#field-${id}) .largest`);
  await eventually(async () => assert.match(await largest("batch-micro_batch_size").innerText(), /^max \d+/));
  await eventually(async () => assert.match(await largest("batch-sequence_length").innerText(), /^max [\d,]+/));
  await page.locator("#more > summary").click();
  await act(page, () => page.locator("#field-method-rank").fill("0.5k"));
  assert.equal(await page.locator("#field-method-rank-note").innerText(), "500");
  await eventually(async () => assert.match(await largest("method-rank").innerText(), /^max [\d,]+/));
  await act(page, () => page.locator("#field-batch-sequence_length").fill("8k"));
  assert.equal(await page.locator("#field-batch-sequence_length-note").innerText(), "8,192 tokens");
  await act(page, () => page.locator("#field-batch-sequence_length").fill("1024"));
  assert.equal(await page.locator("#field-batch-sequence_length-note").innerText(), "", "digits say it themselves");
  await eventually(async () => assert.ok(await largest("batch-sequence_length").isVisible()));
  await act(page, () => largest("batch-sequence_length").click());
  assert.doesNotMatch(await sentence(page), /does not fit/);
  quiet();
});

test("any number of the form is one press away from why it is so, rows open to single tensors, and sorting reaches into the groups", async () => {
  const { page, quiet } = await openPage({ hash: "#v1&model.ref=gpt2&accelerator.name=4090" });
  for (const path of [".gauge .legend [data-text='verdict.interval']", ".fact [data-text='largest.value']", "[data-number=reserved] b", ".speed > [data-text]"]) {
    const number = page.locator(`${path}.asks`).first();
    await number.press("Enter");
    await eventually(async () => assert.equal(await number.getAttribute("aria-expanded"), "true", path));
    await eventually(async () => assert.match(await page.locator(".why-place").allInnerTexts().then((all) => all.join("\n")), /Formula[^]*In numbers[^]*Because[^]*Source[^]*Confidence/, path));
  }
  assert.equal(await page.locator(".why-place").count(), 4, "one a place");
  await page.locator("[data-number=reserved] b").click();
  await eventually(async () => assert.equal(await page.locator(".numbers + .why-place").count(), 0, "pressed again it folds"));
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  await eventually(async () => assert.equal(await page.locator(".why-place").count(), 3, "what is unfolded follows the answer"));
  await page.locator(".group[data-category=weights] > summary").click();
  await unfold(page, page.locator(".group[data-category=weights] .row > summary").first(), ".tensors tbody tr");
  assert.match(await page.locator(".tensors").first().innerText(), /transformer\.wte\.weight\s+50,257 × 768/);
  const titles = () => page.locator(".group[data-category=weights] .row > summary .label").allInnerTexts();
  const bySize = await titles();
  await page.locator("[data-sort=name]").click();
  await eventually(async () => assert.deepEqual(await titles(), [...bySize].sort(), "rows too"));
  const labels = await page.locator(".groups").first().locator(".group > summary .label").allInnerTexts();
  assert.deepEqual(labels, [...labels].sort());
  await page.locator("[data-sort=name]").click();
  await eventually(async () => assert.deepEqual(await titles(), bySize));
  await unfold(page, page.locator("#chart .alive > summary"), "#chart .alive .asks");
  await page.locator("#chart .alive .asks").first().click();
  await page.locator("#chart .why-row .why").waitFor();
  await eventually(async () => assert.match(await page.locator("#chart .legend").innerText(), /\d MiB\s+Weights/));
  quiet();
});

test("a link that states dimensions over a model of the catalogue opens with them, until another model is chosen", async () => {
  const { page, quiet } = await openPage({ hash: "#v1&model.ref=gpt2&model.config.num_hidden_layers=4&accelerator.name=4090" });
  assert.match(await page.locator(".facts").innerText(), /67,736,832/);
  assert.match(await page.locator(".notes").innerText(), /stated over openai-community\/gpt2: model\.config\.num_hidden_layers/);
  await page.getByRole("button", { name: "Copy link" }).click();
  assert.match(await page.evaluate(() => location.hash), /model\.config\.num_hidden_layers=4/);
  await act(page, () => page.getByRole("radio", { name: "By hand" }).check());
  assert.equal(await page.getByRole("textbox", { name: "Layers", exact: true }).inputValue(), "4");
  assert.equal(await page.getByRole("textbox", { name: "Hidden size", exact: true }).inputValue(), "768");
  await act(page, () => page.getByRole("radio", { name: "Catalogue" }).check());
  assert.match(await page.locator(".facts").innerText(), /67,736,832/);
  await act(page, () => page.getByRole("button", { name: "GPT-2" }).click());
  assert.match(await page.locator(".facts").innerText(), /124,439,808/);
  quiet();
});

test("a malformed, an old and a future link give a note, never a blank page", async () => {
  const { page: maker } = await openPage();
  const written = await maker.evaluate(() => /** @type {any} */ (document.querySelector("#copy-link")).click() ?? location.hash);
  assert.match(written, /^#v\d+&model\.ref=/, "the form of a link, which the ones below have");
  /** @type {[hash: string, note: RegExp, model: RegExp][]} */
  const links = [
    ["#v0&model.ref=gpt2&accelerator.name=4090", /of an older version \(v0\)/, /gpt2/],
    ["#v999&model.ref=gpt2&accelerator.name=4090&mesh.hyper=3", /of a newer version \(v999\).*mesh\.hyper/, /gpt2/],
    ["#v1&model.ref=gpt2&no.such.field=1", /No field is called "no\.such\.field"/, /gpt2/],
    ["#v1&model.ref=gpt2&batch.micro_batch_size=-3", /"-3" is negative.*allowed: 1 to/, /gpt2/],
    ["#v1&model.ref=gpt2&batch.micro_batch_size=2&batch.micro_batch_size=3", /is stated twice/, /gpt2/],
    ["#%%%", /does not say its version/, /^/],
    ["#v=0&model.ref=gpt2", /does not say its version/, /gpt2/],
    [`#${"x".repeat(20000)}`, /has 20000 characters/, /^/],
  ];
  for (const [hash, note, model] of links) {
    const { page, quiet } = await openPage({ hash });
    await page.locator("#trouble").waitFor();
    const words = await page.locator("#trouble").innerText();
    assert.match(words, note, hash);
    assert.doesNotMatch(words, /memwall \w+`|--\w/, "what only the command line can do");
    assert.match(await page.locator(".title").innerText(), model);
    assert.match(await sentence(page), /needed|Choose/);
    quiet();
  }
});

test("JSON is downloaded and Markdown copied", async () => {
  const { page, quiet } = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download JSON" }).click()]);
  const estimate = JSON.parse(readFileSync(await download.path(), "utf8"));
  assert.ok(estimate.verdict, "a verdict in the JSON");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("Copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\|/);
  quiet();
});

test("when core.wasm does not arrive, the page says so and keeps the answer", async () => {
  const { page } = await openPage({ expectReady: false, prepare: (each) => each.route("**/core.wasm", (route) => route.abort()) });
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /could not be loaded/);
  assert.match(await sentence(page), /needed/);
  assert.deepEqual(await pressable(page), ["Try again"]);
});

test("when a script does not arrive, the page says so and keeps the answer", async () => {
  const { page } = await openPage({ expectReady: false, prepare: (each) => each.route("**/main.mjs", (route) => route.abort()) });
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /did not arrive/);
  assert.match(await sentence(page), /needed/);
  assert.deepEqual(await pressable(page), []);
});

test("a bug shows a panel with the version and a link to the scenario", async () => {
  const { page } = await openPage();
  await page.evaluate(() => void setTimeout(() => { throw new Error("made for this test"); }));
  await page.locator("#trouble").waitFor();
  const panel = await page.locator("#trouble").innerText();
  assert.match(panel, /Version: \d+\.\d+\.\d+/);
  assert.match(panel, /made for this test/);
  assert.match(panel, /#\S+/);
});

test("no page scrolls sideways, down to 360 pixels", async () => {
  for (const width of [360, 390, 561, 768, 861, 1000, 1121, 1280]) {
    const { page, quiet } = await openPage({ viewport: { width, height: 800 } });
    await unfold(page, page.locator("#more > summary"), "#more-fields .field");
    for (const group of await page.locator(".group > summary").all()) await group.click();
    for (const row of await page.locator(".row > summary").all()) await row.click();
    const [scrolls, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(scrolls <= shown, `${scrolls} of ${shown} at ${width}`);
    quiet();
  }
});

test("on a phone the verdict comes first", async () => {
  const { page, quiet } = await openPage({ viewport: kPhone });
  const verdict = await page.locator(".gauge").boundingBox();
  const form = await page.locator("#form").boundingBox();
  assert.ok(verdict && form && verdict.y + verdict.height < kPhone.height && verdict.y < form.y);
  quiet();
});

test("the button to the canvas covers nothing", async () => {
  for (const width of [320, 360, 390, 1280]) {
    const { page, quiet } = await openPage({ viewport: { width, height: 800 } });
    await page.locator("#canvas-switch").waitFor();
    const [bar, button, chip, brand] = await Promise.all([".bar", "#canvas-switch", ".chip", ".brand"].map((selector) => page.locator(selector).boundingBox()));
    assert.ok(bar && button && chip && brand);
    assert.ok(button.y >= bar.y && button.y + button.height <= bar.y + bar.height, `in the bar at ${width}`);
    assert.ok(brand.x + brand.width <= button.x && button.x + button.width <= chip.x && chip.x + chip.width <= width, `side by side at ${width}`);
    quiet();
  }
});

test("the theme follows the system", async () => {
  const { page, quiet } = await openPage();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await ground(), light);
  quiet();
});

test("the page's policy is the strict one", async () => {
  const html = readFileSync(path.join(process.env.MEMWALL_OUTPUTS ?? path.join(root, "build"), "site/index.html"), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1].replaceAll("&#x27;", "'");
  assert.equal(policy, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; font-src 'self'; " +
    "img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types memwall-map memwall-offline");
  assert.doesNotMatch(html, /<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=/);
});
