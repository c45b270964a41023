/** memwall.html opened from a disk: the whole page without any server, under its own policy. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { act, newContext, outputs, sentence, settled, unfold } from "./harness.mjs";

// Alone in a folder, as somebody has it who was sent it.
const folder = mkdtempSync(path.join(tmpdir(), "memwall-single-"));
const file = path.join(folder, "memwall.html");
cpSync(path.join(outputs, "site/memwall.html"), file);
after(() => rmSync(folder, { recursive: true, force: true }));

async function openFile(hash = "") {
  const context = await newContext({ offline: true });
  const page = await context.newPage();
  /** @type {string[]} */
  const seen = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("ReadPixels") && seen.push(message.text()));
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => !/^(file|blob|data):/.test(request.url()) && seen.push(request.url()));
  await page.goto(`${pathToFileURL(file).href}${hash}`);
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-ready"));
  await settled(page);
  return { page, quiet: () => assert.deepEqual(seen, []) };
}

test("it answers, by click and by link", async () => {
  const { page, quiet } = await openFile();
  await act(page, () => page.locator('[data-model="openai-community/gpt2"]').click());
  assert.match(await sentence(page), /^It fits/);
  assert.ok(await page.locator("#trouble").isHidden());
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.length > 1);
  const again = await openFile(new URL(page.url()).hash);
  assert.equal(await sentence(again.page), await sentence(page));
  quiet();
  again.quiet();
});

test("what is loaded later is there: map, GPUs, methods, canvas", async () => {
  const { page, quiet } = await openFile();
  await unfold(page, page.getByText("What fits over two numbers at once"), ".map-plot:not([aria-busy]) canvas");
  await unfold(page, page.getByText("On which GPUs it fits"), "#shortlist tbody tr");
  await unfold(page, page.locator("#methods > summary"), ".methods li");
  await page.locator("#canvas-switch").click();
  await page.waitForFunction(() => document.querySelector("#canvas-place canvas"));
  quiet();
});

test("its pages to read open over it, and lead to each other", async () => {
  const { page, quiet } = await openFile();
  const reader = page.locator("dialog.reader");
  await page.getByRole("link", { name: "Learn" }).last().click();
  await reader.getByRole("heading", { level: 1, name: "Learn" }).waitFor();
  await reader.getByRole("link", { name: "Who divides what" }).first().click();
  await reader.getByRole("heading", { level: 1, name: "Who divides what" }).waitFor();
  assert.equal(await reader.count(), 1);
  await page.keyboard.press("Escape");
  await reader.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Licences" }).click();
  await reader.getByText("Dear ImGui").first().waitFor();
  quiet();
});

test("its policy allows no connection and no script that is not named", async () => {
  const { page } = await openFile();
  const policy = (await page.locator("meta[http-equiv]").first().getAttribute("content")) ?? "";
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /connect-src|https?:|script-src[^;]*('self'|'unsafe-inline'|'unsafe-eval')/);
});
