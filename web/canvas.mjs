/**
 * The canvas view of the page: shows what the form view shows, drawn by the module app. The form stays where it was,
 * out of sight; what is done on the canvas is done to it, and every new answer is sent to both.
 */
import { CanvasHost } from "./canvas-host.mjs";
import { inputsFrom } from "./canvas-inputs.mjs";
import { text, word } from "./strings.mjs";

/** @typedef {import("./canvas-host.mjs").Action} Action */
/** @typedef {import("./canvas-message.mjs").Sendable} Sendable */
/** @typedef {import("./share.mjs").App & { form?: import("./form.mjs").Form, refusal?: { message: string, hint: string }, answered?: () => void }} Page */

const kMostSteps = 100;

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

class CanvasView {
  /** @param {Page} page @param {HTMLElement} element */
  constructor(page, element) {
    this.page = page;
    this.element = element;
    /** @type {string[]} scenarios, the one on view at `at` */
    this.steps = [];
    this.at = -1;
    this.done = new MutationObserver(() => this.sendInputs());
  }

  async open() {
    this.host = await CanvasHost.create(this.element, { label: text("canvas.label"), words: (key) => word(key, key), act: (actions) => actions.forEach((each) => this.act(each)), take: (content) => this.take(content) });
    /** @type {any} */ (this.element).host = this.host;
    this.done.observe(byId("done"), { childList: true, characterData: true, subtree: true });
    this.page.answered = () => this.update();
    // The chip leads to the answer, which is at the top of the canvas.
    document.querySelector(".chip")?.addEventListener("click", (event) => {
      event.preventDefault();
      scrollTo({ top: 0 });
    }, { signal: this.host.stopped.signal });
    this.update();
  }

  close() {
    this.page.answered = undefined;
    this.done.disconnect();
    this.host?.stop();
  }

  update() {
    const now = this.page.scenario.toJson();
    if (this.steps[this.at] !== now && !this.page.refusal) {
      this.steps.splice(this.at + 1, Infinity, now);
      if (this.steps.length > kMostSteps) this.steps.shift();
      this.at = this.steps.length - 1;
    }
    if (this.page.view) this.host?.send("view", /** @type {Sendable} */ (/** @type {unknown} */ (this.page.view)));
    this.sendInputs();
  }

  sendInputs() {
    if (!this.page.form) return;
    const stale = byId("stale").hidden ? "" : (byId("stale-why").textContent ?? "");
    const done = byId("done").textContent ?? "";
    this.host?.send("inputs", inputsFrom(this.page.form, { stale, done, canUndo: this.at > 0, canRedo: this.at + 1 < this.steps.length }));
  }

  /** @param {number} by */
  travel(by) {
    const step = this.steps[this.at + by];
    if (step === undefined) return;
    this.at += by;
    this.page.scenario.take(JSON.parse(step));
    this.page.form?.forgetConfig();
    this.page.changed();
  }

  /** @param {string} key @param {number} direction */
  step(key, direction) {
    const control = this.page.form?.controls.get(key);
    if (!control) return;
    const value = Number(control.value) + direction * control.row.step;
    if (value >= control.row.minimum && value <= control.row.maximum) this.page.form?.set(key, String(value));
  }

  /** @param {string} key @param {string} words */
  search(key, words) {
    const box = key === "model.ref" ? this.page.form?.model : this.page.form?.accelerator;
    this.host?.send("options", { key, words, found: /** @type {Sendable} */ (box?.options.search(words) ?? []) });
  }

  /** A config.json, pasted or dropped. @param {string | File} content */
  take(content) {
    const form = this.page.form;
    if (content instanceof File) form?.readFile(content);
    else if (content.trim()) form?.take("config.json", content);
  }

  /** @param {Action} action */
  act([name, first, second]) {
    const form = this.page.form;
    switch (name) {
      case "set":
        if (first === "way") form?.chooseWay(/** @type {any} */ (second));
        else form?.set(first, second);
        break;
      case "reset": form?.set(first, undefined); break;
      case "step": this.step(first, Number(second)); break;
      case "search": this.search(first, second); break;
      case "undo": this.travel(-1); break;
      case "redo": this.travel(1); break;
      case "open": window.open(first, "_blank", "noopener,noreferrer"); break;
      case "copy": navigator.clipboard.writeText(first.replaceAll("\u00a0", " ")); break;
      case "reset-all": case "copy-link": case "copy-markdown": case "download-json": byId(name).click(); break;
      default: throw new Error(`the canvas asks for ${name}`);
    }
  }
}

/** The style sheet of the canvas, once. @returns {Promise<void>} */
function loadStyle() {
  if (document.getElementById("canvas-style")) return Promise.resolve();
  const link = document.createElement("link");
  Object.assign(link, { id: "canvas-style", rel: "stylesheet", href: new URL("./canvas.css", import.meta.url).href });
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error("canvas.css"));
  });
}

/**
 * Shows the canvas instead of the form; resolves with what brings the form back.
 * @param {Page} page
 * @returns {Promise<() => void>}
 */
export async function openCanvas(page) {
  await loadStyle();
  const element = document.createElement("section");
  element.setAttribute("aria-label", text("canvas.label"));
  byId("canvas-place").append(element);
  const view = new CanvasView(page, element);
  const close = () => {
    view.close();
    element.remove();
    document.body.removeAttribute("data-canvas");
  };
  document.body.setAttribute("data-canvas", "");
  try {
    await view.open();
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

/** For pages that have more than one canvas, as the tests do. */
export const Host = CanvasHost;
