/**
 * Form controls made from rows of the field table. A control shows the value in force, says whether it is
 * the default, can be reset, and has a place for a note and for the sentence that refuses a value.
 */
import { leadTo } from "./bind.mjs";
import { make } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").FieldRow} FieldRow */
/** @typedef {import("./types").FormFieldView} FormFieldView */
/**
 * What a control tells the page: a value as typed (undefined: back to the default).
 * @typedef {(key: string, value: string | undefined) => void} OnChange
 */

const kTrainingOnly = /^(optimizer|method)\.|^batch\.(gradient_acc|micro)|^savers\.(activation|loss|checkpoint|keep|kept|selective)|^mesh\.zero|^precision\.(grad|reduce|master|autocast)/;
const kInferenceOnly = /^serving\./;
/** Whether a field means nothing for this kind of task. @param {string} key @param {boolean} runs */
export const isOfOtherTask = (key, runs) => (runs ? kTrainingOnly : kInferenceOnly).test(key);

/** Where the pages to read explain a field. @type {[fields: RegExp, place: string][]} */
const kExplained = [
  [/^task$/, "memory-math.html#two-sums"], [/^(precision|kv)\./, "memory-math.html#formats"], [/^method\./, "memory-math.html#adapters"], [/^optimizer\./, "optimizers.html"],
  [/^savers\.(loss|keep_logits)/, "logits.html#remedies"], [/^savers\./, "activations.html#checkpointing"], [/^serving\./, "kv-cache.html"], [/^batch\./, "activations.html#growth"],
  [/^phases\.(ev|gen)/, "formulas.html#predictions"], [/^phases\.l/, "formulas.html#loaded_weights"], [/^phases\./, "formulas.html#gathered_checkpoint"],
  [/^(mesh\.|accelerator\.count)/, "zero.html"], [/^(overhead\.|allocator|accelerator\.)/, "allocated-reserved.html"], [/^model\.config\.(vocab|tie)/, "logits.html"], [/^model\./, "#weights"],
];

const kMostSegments = 4;
const kMostLetters = 34;

/**
 * What can be chosen now, with its label.
 * @param {FieldRow} row
 * @returns {[value: string, label: string][]}
 */
function choicesOf(row) {
  if (row.kind === "flag") return [["true", text("on")], ["false", text("off")]];
  return row.computed_choices.map((choice) => [choice, row.choice_labels[row.choices.indexOf(choice)] ?? choice]);
}

/** @param {FieldRow} row */
const isSegmented = (row) =>
  row.kind === "choice" && choicesOf(row).length <= kMostSegments && choicesOf(row).reduce((sum, [, label]) => sum + label.length, 0) <= kMostLetters;

/** How a number that is not typed in digits was understood, where the core does not say it: 4k of tokens. @param {FieldRow} row @param {string} value @param {unknown} typed */
const understood = ({ kind, unit }, value, typed) =>
  (kind === "integer" && typed !== undefined && String(typed).trim() !== value ? `${Number(value).toLocaleString("en-US")} ${unit}`.trim() : "");

export class Control {
  /**
   * @param {FieldRow} row
   * @param {OnChange} onChange
   */
  constructor(row, onChange) {
    this.row = row;
    this.onChange = onChange;
    this.id = `field-${row.key.replaceAll(".", "-")}`;
    this.error = make("p", { class: "error", id: `${this.id}-error` });
    this.note = make("p", { class: "note", id: `${this.id}-note` });
    this.origin = make("span", { class: "origin" }, text("default"));
    this.reset = make("button", { type: "button", class: "reset", "aria-label": text("reset", row.label), title: text("reset", row.label) }, text("reset.short"));
    this.reset.addEventListener("click", () => {
      onChange(row.key, undefined);
      this.focus();
    });
    this.most = "";
    this.largest = make("button", { type: "button", class: "largest", hidden: true });
    this.largest.addEventListener("click", () => onChange(row.key, this.largest.value));
    this.body = this.makeBody();
    const segmented = isSegmented(row);
    const name = segmented ? make("span", { class: "name", id: `${this.id}-label` }, row.label) : make("label", { for: this.id }, row.label);
    this.element = make("div", { class: `field${segmented || this.isWide() ? " wide" : ""}`, title: row.help },
      make("div", { class: "field-head" }, name, make("span", { class: "field-state" }, ...(row.unit ? [make("span", { class: "unit" }, row.unit)] : []), ...(row.required ? [] : [this.origin, this.reset]), this.largest)), this.body, this.note, this.error);
    const place = kExplained.find(([fields]) => fields.test(row.key))?.[1];
    // Not on the way of who goes through the form by keys: they would pass two stops a field.
    if (place) this.element.querySelector(".field-state")?.append(make("a", { class: "about", ...leadTo(place), tabindex: "-1", "aria-label": text("learn.about", row.label) }, "?"));
  }

  /** @param {string} help */
  explain(help) {
    this.row.help = help;
    this.element.title = help;
  }

  isWide() {
    return choicesOf(this.row).some(([, label]) => label.length > 20);
  }

  makeBody() {
    if (isSegmented(this.row)) return this.makeSegments();
    if (this.row.kind === "choice" || this.row.kind === "flag") return this.makeSelect();
    const input = make("input", {
      type: "text", id: this.id, autocomplete: "off", spellcheck: "false", inputmode: this.row.kind === "integer" ? "numeric" : undefined,
      "aria-describedby": `${this.note.id} ${this.error.id}`,
    });
    input.addEventListener("input", () => this.onChange(this.row.key, input.value.trim() || this.row.required ? input.value : undefined));
    input.addEventListener("blur", () => this.typed === undefined && input.value.trim() === "" && (input.value = input.placeholder));
    this.input = input;
    return this.row.kind === "integer" && this.row.stepper ? this.makeStepper(input) : input;
  }

  /** @param {HTMLInputElement} input */
  makeStepper(input) {
    const by = (/** @type {number} */ direction) => {
      const value = Number(this.value ?? input.value) + direction * this.row.step;
      if (value >= this.row.minimum && value <= this.row.maximum) this.onChange(this.row.key, String(value));
    };
    const button = (/** @type {number} */ direction, /** @type {string} */ sign, /** @type {string} */ label) => {
      const element = make("button", { type: "button", tabindex: "-1", "aria-label": label }, sign);
      element.addEventListener("click", () => by(direction));
      return element;
    };
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      by(event.key === "ArrowUp" ? 1 : -1);
    });
    return make("div", { class: "stepper" }, button(-1, "−", text("less", this.row.label)), input, button(1, "+", text("increase", this.row.label)));
  }

  makeSegments() {
    const group = make("div", { class: "choices", role: "radiogroup", "aria-labelledby": `${this.id}-label`, "aria-describedby": `${this.note.id} ${this.error.id}` });
    for (const [value, label] of choicesOf(this.row)) {
      const radio = make("input", { type: "radio", name: this.id, value });
      radio.addEventListener("change", () => this.onChange(this.row.key, value));
      group.append(make("label", {}, radio, label));
    }
    return group;
  }

  makeSelect() {
    const select = make("select", { id: this.id, "aria-describedby": `${this.note.id} ${this.error.id}` });
    select.append(...choicesOf(this.row).map(([value, label]) => make("option", { value }, label)));
    select.addEventListener("change", () => this.onChange(this.row.key, select.value));
    this.input = select;
    return select;
  }

  focus() {
    const target = this.input ?? this.body.querySelector("input:checked, input");
    if (target instanceof HTMLElement) target.focus();
  }

  /** @param {string | number | boolean | undefined} typed */
  mark(typed) {
    this.typed = typed;
    this.element.toggleAttribute("data-given", typed !== undefined);
  }

  /**
   * What was stated, while nothing answers it.
   * @param {string | number | boolean | undefined} typed
   */
  showTyped(typed) {
    this.mark(typed);
    const value = String(typed);
    if (typed === undefined || (this.row.kind === "choice" && !this.row.choices.includes(value))) return;
    this.value = value;
    this.showValue(value);
    if (this.input && this.input.value !== value) this.input.value = value;
  }

  /** @param {string} value */
  showValue(value) {
    for (const radio of this.body.querySelectorAll("input[type=radio]"))
      if (radio instanceof HTMLInputElement) radio.checked = radio.value === value;
  }

  /**
   * @param {FormFieldView} view
   * @param {string | number | boolean | undefined} typed what the user stated, as typed
   */
  show(view, typed) {
    this.value = view.value;
    this.mark(typed);
    this.note.textContent = view.note || understood(this.row, view.value, typed);
    this.showValue(view.value);
    if (!this.input) return;
    // What is being typed stays as typed; the note says how it was understood.
    let isBeingTyped = false;
    if (this.input instanceof HTMLInputElement) {
      isBeingTyped = this.input.matches(":focus") && this.input.value.trim() === String(typed ?? "").trim();
      this.input.placeholder = view.value; // what holds while nothing is typed
    }
    if (!isBeingTyped && this.input.value !== view.value) this.input.value = view.value;
  }

  /** @param {import("./types").LargestView | undefined} largest the largest value that fits, when it is this field's */
  showLargest(largest) {
    this.most = largest?.state === "tight" ? text("largest.tight", largest.value) : (largest?.value ?? "");
    this.largest.hidden = !largest?.value;
    if (!largest) return;
    this.largest.value = largest.value.replaceAll(",", "");
    this.largest.textContent = text("largest", this.most);
    this.largest.setAttribute("aria-label", text("largest.help", this.row.label, this.most));
  }

  /** @param {string} message */
  showError(message) {
    this.error.textContent = message;
    const target = this.input ?? this.body;
    if (message) target.setAttribute("aria-invalid", "true");
    else target.removeAttribute("aria-invalid");
  }
}
