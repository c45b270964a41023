/**
 * The form as the canvas shows it (src/ui/inputs.hpp), read from the form of the page: which fields stand where, what
 * they say, and what can be chosen is decided there, once.
 */

import { text } from "./strings.mjs";

/** @typedef {import("./form.mjs").Form} Form */
/** @typedef {import("./fields.mjs").Control} Control */
/** @typedef {import("./canvas-message.mjs").Sendable} Sendable */

/** In the line of a folded group stand all values that were stated, and the first of the others up to so many. */
const kMostInSummary = 4;

/** What stands above a group of fields. @param {Element} section */
const titleOf = (section) => section.querySelector("legend, h2")?.textContent?.trim() ?? "";

/** @param {Control} control @returns {[values: string[], labels: string[]]} */
function choicesOf(control) {
  const options = [...control.body.querySelectorAll("input[type=radio]"), ...(control.input instanceof HTMLSelectElement ? control.input.options : [])];
  const values = options.map((each) => /** @type {HTMLInputElement | HTMLOptionElement} */ (each).value);
  return [values, options.map((each) => (each instanceof HTMLOptionElement ? each.text : (each.parentElement?.textContent ?? "")))];
}

/** @param {Control} control */
function kindOf(control) {
  if (control.input instanceof HTMLSelectElement) return "select";
  return control.input ? "text" : "segments";
}

/** The members in the order of FieldInput. */
const field = (/** @type {Record<string, Sendable>} */ { key, label = "", unit = "", help = "", kind, choices = [], labels = [], value = "", given = true, note = "", error = "",
  largest = "", stepper = false, minimum = 0, maximum = 0, step = 1, about = false }) =>
  ({ key, label, unit, help, kind, choices, labels, value, given, note, error, largest, stepper, minimum, maximum, step, about });

/** @param {Control} control @param {{ scenario: import("./scenario.mjs").Scenario }} app */
export function fieldOf(control, { scenario }) {
  const { row } = control;
  const typed = scenario.isSent(row.key) ? scenario.given.get(row.key) : undefined;
  const error = control.error.textContent ?? "";
  const [choices, labels] = choicesOf(control);
  return field({
    key: row.key, label: row.label, unit: row.unit, help: row.help, kind: kindOf(control), choices, labels,
    // A refused value stays as it was typed.
    value: error && typed !== undefined ? String(typed) : String(control.value ?? ""),
    given: typed !== undefined, note: control.note.textContent ?? "", error,
    largest: control.most,
    stepper: row.kind === "integer" && Boolean(row.stepper), minimum: row.minimum, maximum: row.maximum, step: row.step,
    about: control.element.querySelector(".about") !== null,
  });
}

/** @param {string} key @param {import("./combobox.mjs").Combobox | undefined} box */
export const searchOf = (key, box) => field({ key, kind: "search", value: box?.chosen ?? "", error: box?.error.textContent ?? "" });

/** The ways to describe a model. A config.json is pasted or dropped anywhere on the canvas. @param {Form} form */
function wayOf(form) {
  const radios = [...document.querySelectorAll("#ways input")].map((each) => /** @type {HTMLInputElement} */ (each));
  const isPasted = form.app.scenario.way === "config";
  return field({ key: "way", kind: "segments", choices: radios.map((radio) => radio.value), labels: radios.map((radio) => radio.parentElement?.textContent ?? ""), value: form.app.scenario.way,
    note: isPasted ? form.configRead?.textContent || text("model.paste") : "", error: isPasted ? (form.configError?.textContent ?? "") : "" });
}

/** A value as words: what was chosen, or the number with its unit, and what the form remarks on it. @param {Record<string, any>} field */
function wordsOf({ label, labels, choices, value, unit, note }) {
  const chosen = labels[choices.indexOf(value)];
  if (chosen || choices.length > 0 || value === "") return (chosen ?? value).replaceAll("_", " ");
  const isUnderstood = /^\d/.test(note);
  const what = label.toLowerCase().includes(unit.toLowerCase()) ? "" : value === "1" ? unit.replace(/s$/, "") : unit;
  return [isUnderstood ? "" : [value.replaceAll(",", ", "), what].filter(Boolean).join(" "), note].filter(Boolean).join(", ");
}

/** @param {Record<string, any>[]} fields */
export function summaryOf(fields) {
  const says = fields.filter(({ value, given }) => value !== "" && (given || !/^(0|none|false)$/.test(value)));
  let room = kMostInSummary - says.filter(({ given }) => given).length;
  return says.filter(({ given }) => given || room-- > 0).map((field) => `${field.label}: ${wordsOf(field)}`).join(" · ");
}

/** @param {Element} section @param {Form} form */
function fieldsIn(section, form) {
  const controls = [...form.controls.values()].filter(({ element }) => section.contains(element) && !element.closest("[hidden]"));
  return controls.map((control) => fieldOf(control, form.app));
}

/**
 * @param {Form} form
 * @param {{ stale: string, done: string, canUndo: boolean, canRedo: boolean }} state
 * @returns {Sendable}
 */
export function inputsFrom(form, { stale, done, canUndo, canRedo }) {
  form.makeMore();
  const [model, accelerator, run] = document.querySelectorAll("#form > fieldset");
  const way = form.app.scenario.way;
  const sections = [
    { key: "model", title: titleOf(model), foldable: false, summary: stale ? "" : document.querySelector(".facts")?.textContent?.trim() ?? "", fields: [wayOf(form), ...(way === "catalogue" ? [searchOf("model.ref", form.model)] : fieldsIn(model, form))] },
    { key: "accelerator", title: titleOf(accelerator), foldable: false, summary: "", fields: [searchOf("accelerator.name", form.accelerator), ...fieldsIn(accelerator, form)] },
    { key: "run", title: titleOf(run), foldable: false, summary: "", fields: fieldsIn(run, form) },
  ];
  for (const group of document.querySelectorAll("#more-fields > section:not([hidden])")) {
    const fields = fieldsIn(group, form);
    if (fields.length > 0) sections.push({ key: /** @type {HTMLElement} */ (group).dataset.group ?? "", title: titleOf(group), foldable: true, summary: summaryOf(fields), fields });
  }
  return { sections, stale, done, can_undo: canUndo, can_redo: canRedo };
}
