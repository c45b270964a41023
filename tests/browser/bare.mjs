/**
 * Chromium with nothing attached but the pages that a test opens. Playwright attaches itself to service workers too, and a worker
 * with a debugger never counts as idle: it does not go when a newer one takes over, as it does for everybody else.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const kFlags = ["--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"];

export async function bareBrowser() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "memwall-bare-"));
  const browser = spawn(process.env.CHROMIUM ?? "/usr/bin/chromium", [...kFlags, `--user-data-dir=${folder}`], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [, , , to, from] = /** @type {[any, any, any, import("node:stream").Writable, import("node:stream").Readable]} */ (/** @type {unknown} */ (browser.stdio));
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  let arrived = "";
  from.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    const messages = (arrived + text).split("\0");
    arrived = messages.pop() ?? "";
    for (const message of messages.map((each) => JSON.parse(each))) waiting.get(message.id)?.(message);
  });
  let last = 0;
  /** @param {string} method @param {object} [params] @param {string} [sessionId] @returns {Promise<any>} */
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, ({ result, error }) => {
      waiting.delete(id);
      error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result);
    });
    to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });
  return {
    /** @param {string} url */
    async open(url) {
      const { targetId } = await send("Target.createTarget", { url, newWindow: true }); // behind another tab it would draw nothing
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      /** The value of an expression, promises awaited. @param {string} expression */
      const evaluate = async (expression) => {
        const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      };
      /** Until an expression holds, also over reloads. @param {string} expression */
      const until = async (expression) => {
        for (const end = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 50))) {
          const value = await evaluate(expression).catch(() => undefined);
          if (value) return value;
          if (Date.now() > end) throw new Error(`never: ${expression}`);
        }
      };
      return { evaluate, until };
    },
    async close() {
      const gone = new Promise((done) => browser.once("exit", done));
      send("Browser.close").catch(() => {});
      await gone;
      rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
    },
  };
}
