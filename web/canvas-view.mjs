/**
 * A calculator drawn on a canvas by the module app, in the page or in an element: it shows what the form shows, and what is
 * done on it is done to the form, which stays as its twin. What differs between the two is their Face.
 */
import { CanvasHost } from "./canvas-host.mjs";
import { text, word } from "./strings.mjs";

/** @typedef {import("./canvas-host.mjs").Action} Action */
/** @typedef {import("./canvas-message.mjs").Sendable} Sendable */
/** @typedef {{ scenario: import("./scenario.mjs").Scenario, view: import("./types").ViewModel | undefined, refusal?: unknown, changed: () => void, engine: import("./engine.mjs").Engine, shown: string }} App */
/** @typedef {import("./fields.mjs").Control} Control */
/** @typedef {import("./combobox.mjs").Option} Option */
/** @typedef {{ canUndo: boolean, canRedo: boolean }} Steps */
/**
 * @typedef {object} Face
 * @property {HTMLElement} [scroller] what moves the content, where that is not the page
 * @property {(steps: Steps) => Sendable | undefined} inputs the form, when there is one
 * @property {ParentNode} twin what the canvas stands for
 * @property {(term: string) => void} [lead] to what explains a term that the twin does not have
 * @property {(key: string) => Control | undefined} control
 * @property {(key: string, words: string) => Option[]} search
 * @property {(key: string, value: string | undefined) => void} set
 * @property {() => void} travelled another scenario of before is in force
 * @property {(name: string) => void} press a button that the form has too
 * @property {(key: string, button: string) => void} [pressPanel] a button of a view that the page fetches when it is opened
 * @property {(content: string | File) => void} [take] what was pasted or dropped
 */

const kMostSteps = 100;

/**
 * In a frame without permission for the clipboard the older way still works.
 * @param {string} words
 */
export async function copyText(words) {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = words;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

export class CanvasView {
  /** @param {App} app @param {HTMLElement} element @param {Face} face */
  constructor(app, element, face) {
    this.app = app;
    this.element = element;
    this.face = face;
    /** @type {string[]} scenarios, the one on view at `at` */
    this.steps = [];
    this.at = -1;
  }

  async open() {
    const { scroller, take } = this.face;
    this.host = await CanvasHost.create(this.element, { label: text("canvas.label"), words: (key) => word(key, key), act: (actions) => actions.forEach((each) => this.act(each)), take, scroller });
    /** @type {any} */ (this.element).host = this.host;
    this.update();
  }

  close() {
    this.host?.stop();
    this.host = undefined;
  }

  update() {
    const now = this.app.scenario.toJson();
    if (this.steps[this.at] !== now && !this.app.refusal) {
      this.steps.splice(this.at + 1, Infinity, now);
      if (this.steps.length > kMostSteps) this.steps.shift();
      this.at = this.steps.length - 1;
    }
    this.send("view", this.app.view);
    this.sendInputs();
  }

  sendInputs() {
    const inputs = this.face.inputs({ canUndo: this.at > 0, canRedo: this.at + 1 < this.steps.length });
    if (inputs) this.host?.send("inputs", inputs);
  }

  /** @param {number} by */
  travel(by) {
    const step = this.steps[this.at + by];
    if (step === undefined) return;
    this.at += by;
    this.app.scenario.take(JSON.parse(step));
    this.face.travelled();
    this.app.changed();
  }

  /** @param {string} key @param {number} direction */
  step(key, direction) {
    const control = this.face.control(key);
    if (!control) return;
    const value = Number(control.value) + direction * control.row.step;
    if (value >= control.row.minimum && value <= control.row.maximum) this.face.set(key, String(value));
  }

  /** A part of the step, or all of it. @param {string} around */
  sendPart(around) {
    if (around === "all") return this.send("view", this.app.view);
    const part = this.ask("window", around);
    if (part) this.send("part", part);
  }

  /** The rows that exist at an instant. @param {string} at @param {string} which of the shown ones, or of all */
  sendRows(at, which) {
    const moment = this.ask(which, at);
    if (moment) this.send("alive", { rows: moment.rows, bar: moment.bar });
  }

  /** The single tensors of a row. @param {string} key */
  sendTensors(key) {
    const answer = this.ask("tensors", key);
    if (answer) this.send("tensors", { key, ...answer });
  }

  /** What the core says of the scenario that is shown; undefined when it has to be asked again. @param {string} name @param {...string} values @returns {any} */
  ask(name, ...values) {
    const { engine, shown } = this.app;
    try {
      const answer = engine.call(name, shown, ...values);
      return answer.ok ? answer.value : undefined;
    } catch (error) {
      engine.again(error, () => this.update());
    }
  }

  /** @param {string} name @param {unknown} content */
  send(name, content) {
    if (content) this.host?.send(name, /** @type {Sendable} */ (content));
  }

  /** To what explains a term or a field: the twin's own link knows the place. @param {string} term */
  lead(term) {
    const links = /** @type {HTMLElement[]} */ ([...this.face.twin.querySelectorAll("[data-about]")]);
    const link = this.face.control(term)?.element.querySelector(".about") ?? links.find((each) => each.dataset.about === term);
    if (link) /** @type {HTMLElement} */ (link).click();
    else this.face.lead?.(term);
  }

  /** @param {Action} action */
  act([name, first, second]) {
    switch (name) {
      case "set": this.face.set(first, second); break;
      case "reset": this.face.set(first, undefined); break;
      case "step": this.step(first, Number(second)); break;
      case "search": this.host?.send("options", { key: first, words: second, found: /** @type {Sendable} */ (this.face.search(first, second)) }); break;
      case "undo": this.travel(-1); break;
      case "redo": this.travel(1); break;
      case "open": window.open(first, "_blank", "noopener,noreferrer"); break;
      case "window": this.sendPart(first); break;
      case "moment": this.sendRows(first, second); break;
      case "why": this.send("reasons", this.ask("why")); break;
      case "tensors": this.sendTensors(first); break;
      case "copy": copyText(first.replaceAll("\u00a0", " ")); break;
      case "learn": this.lead(first); break;
      case "panel": this.face.pressPanel?.(first, second); break;
      default: this.face.press(name);
    }
  }
}
