/** The form of a <memwall-calculator>: some of the page's fields, in its shadow root. Fetched by the views that have it. */
import { elementFields } from "./calculator-fields.mjs";
import { Combobox } from "./combobox.mjs";
import { make } from "./dom.mjs";
import { sentenceOf } from "./engine.mjs";
import { Control, isOfOtherTask } from "./fields.mjs";
import { Lists } from "./lists.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").ViewModel} ViewModel */

export class ElementForm {
  /** @param {import("./calculator.mjs").Calculator} app @param {HTMLElement} host */
  constructor(app, host) {
    this.app = app;
    this.lists = new Lists(app.engine);
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    const boxes = /** @type {const} */ ([["model.ref", "models", "model", text("model"), text("model.search")],
      ["accelerator.name", "accelerators", "accelerator", text("accelerator"), text("accelerator.search")]]).map(([key, kind, id, name, label]) => {
      const place = make("div", { class: "combobox" });
      const box = new Combobox(place, {
        id, label, name,
        search: (words) => this.lists.search(kind, words),
        choose: (value) => app.set(key, value),
      });
      box.input.disabled = box.button.disabled = app.isLocked(key);
      return /** @type {const} */ ([key, box, place]);
    });
    this.boxes = new Map(boxes.map(([key, box]) => [key, box]));
    this.fields = make("div", { class: "fields" });
    host.replaceChildren(make("div", { class: "fields" }, ...boxes.map(([, , place]) => place)), this.fields);
    for (const row of elementFields) {
      const control = new Control({ ...row, stepper: false }, (changed, value) => app.set(changed, value));
      if (app.isLocked(row.key)) for (const part of control.element.querySelectorAll("input, select, button")) part.setAttribute("disabled", "");
      this.controls.set(row.key, control);
      this.fields.append(control.element);
    }
  }

  /** @param {ViewModel} view */
  show(view) {
    const runs = view.form.find((field) => field.key === "task")?.value === "inference";
    for (const field of view.form) {
      this.boxes.get(/** @type {any} */ (field.key))?.show(field.value);
      const control = this.controls.get(field.key);
      if (!control) continue;
      control.show(field, /** @type {any} */ (this.app.scenario.given.get(field.key)));
      control.showError("");
      control.showLargest(view.largest.field === field.key && !this.app.isLocked(field.key) ? view.largest : undefined);
      control.element.hidden = isOfOtherTask(field.key, runs);
    }
    for (const [key, control] of this.controls) if (!view.form.some((field) => field.key === key)) control.element.hidden = true;
  }

  /** What was asked stays, with the sentence at its field. @param {import("./engine.mjs").Refusal} error */
  refuse(error) {
    for (const [key, control] of this.controls) {
      control.showTyped(this.app.scenario.given.get(key));
      control.showError(key === error.where ? sentenceOf(error) : "");
    }
  }
}
