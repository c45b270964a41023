/** What others write into links, names and files stays text; what a browser refuses to keep is not missed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage, sentence, settled } from "./harness.mjs";

const kHostile = [`<img src=x onerror="window.hacked=1">`, `"><script>window.hacked=1</script>`, `javascript:window.hacked=1`, `\u202Eevil\u0000\uFFFF`, `{{7*7}}\${7*7}`, "a".repeat(20_000), "\ud800"];
const kConfig = { model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32, intermediate_size: 8192, vocab_size: 32000 };
/** A scenario in which a larger batch changes the answer. */
const kSmall = "#v1&model.ref=openai-community/gpt2&accelerator.name=GeForce%20RTX%204090";
const isClean = (/** @type {import("playwright-core").Page} */ page) => page.evaluate(() => !("hacked" in window) && document.querySelectorAll("img, iframe, object, script:not([src])").length === 0);

test("hostile texts in the fields of a link become text or a sentence, and nothing runs", async () => {
  for (const field of ["model.name", "model.ref", "accelerator.name", "task", "unknown.key", "model.config.layer_types"])
    for (const text of kHostile.slice(0, 5)) {
      const model = field.startsWith("model.") ? "model.params=7B" : "model.ref=gpt2";
      const { page, quiet } = await openPage({ hash: `#v1&${model}&${field}=${encodeURIComponent(text)}` });
      assert.ok(await isClean(page), `${field}: ${text}`);
      assert.match(await sentence(page), /needed|cannot/i);
      quiet();
      await page.context().close();
    }
});

test("hostile names of files and models are shown as they are", async () => {
  const { page, quiet } = await openPage();
  for (const text of kHostile) {
    const name = `${text.slice(0, 60).replaceAll("/", "")}.json`;
    await act(page, async () => {
      await page.evaluate(([name, config]) => {
        const data = new DataTransfer();
        data.items.add(new File([config], name, { type: "application/json" }));
        document.getElementById("form")?.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
      }, [name, JSON.stringify({ ...kConfig, _name_or_path: text, architectures: [text] })]);
    });
    assert.ok(await isClean(page), text.slice(0, 40));
  }
  quiet();
});

test("with storage, cookies and caches refused the page does all it does", async () => {
  const { page, quiet } = await openPage({ hash: kSmall, prepare: (page) => page.addInitScript(() => {
    const refuse = { get: () => { throw new DOMException("blocked", "SecurityError"); } };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) Object.defineProperty(window, name, refuse);
    Object.defineProperty(Document.prototype, "cookie", refuse);
  }) });
  const before = await sentence(page);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  assert.notEqual(await sentence(page), before);
  quiet();
});

test("two tabs do not know of each other", async () => {
  const { page, quiet } = await openPage({ hash: kSmall });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(other);
  const before = await sentence(other);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  assert.equal(await sentence(other), before);
  assert.notEqual(await sentence(page), before);
  quiet();
});

test("no text becomes a script or HTML: the page's policy names the two files that are started by address", async () => {
  const { page, quiet } = await openPage({ hash: kSmall });
  assert.match((await page.locator("meta[http-equiv]").first().getAttribute("content")) ?? "", /require-trusted-types-for 'script'; trusted-types memwall-map memwall-offline$/);
  const before = await sentence(page);
  await act(page, () => page.getByRole("button", { name: "Increase Micro-batch size" }).click());
  assert.notEqual(await sentence(page), before);
  await page.locator(".groups summary").first().click();
  await page.waitForLoadState("networkidle");
  quiet();
  const refused = await page.evaluate(() => {
    try {
      document.createElement("div").innerHTML = "<b></b>";
    } catch (error) {
      return String(error);
    }
  });
  assert.match(refused ?? "", /TrustedHTML/);
});
