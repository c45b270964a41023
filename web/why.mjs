/**
 * Why a number is what it is: formula, numbers, reason, source and confidence of the numbers that stand outside the breakdown, and the
 * single tensors of its rows. Fetched when somebody asks; the core says what is shown.
 */
import { make } from "./dom.mjs";
import { text, word } from "./strings.mjs";

/** @typedef {import("./types").RowView} RowView */
/** @typedef {import("./share.mjs").LaterApp} App */

/** What explains the number at an element's path of the view model. @type {Record<string, string>} */
const kKeys = { "verdict.needed": "device_total", "verdict.usable": "usable", "verdict.interval": "interval", "gauge.baseline_text": "baseline", "pair.run.needed": "run", "pair.train.needed": "train",
  "multiple.value": "multiple", "largest.value": "largest", "throughput.sentence": "throughput" };

/** @param {RowView} row */
export function whyOf(row) {
  const terms = /** @type {const} */ ([["formula", row.formula], ["in_numbers", row.numbers], ["bytes", row.bytes_text === row.numbers ? "" : row.bytes_text], ["because", row.because], ["lives", row.live]]);
  const source = row.source_url ? make("a", { href: row.source_url, target: "_blank", rel: "noopener noreferrer" }, row.source) : row.source;
  const change = row.field ? [" ", make("button", { type: "button", class: "link", "data-go": row.field }, text("change"))] : [];
  return make("dl", { class: "why" },
    ...terms.flatMap(([key, words]) => (words ? [make("dt", {}, text(key)), make("dd", {}, words)] : [])),
    make("dt", {}, text("source")), make("dd", {}, source),
    make("dt", {}, text("confidence")), make("dd", {}, make("span", { class: "confidence", "data-confidence": row.confidence }, word(`confidence.${row.confidence}`, row.confidence)), ...change));
}

/** Below a row of a table. @param {HTMLElement} button in it @param {RowView} row */
export function unfoldBelow(button, row) {
  const line = /** @type {HTMLTableRowElement} */ (button.closest("tr"));
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) line.nextElementSibling?.remove();
  else line.after(make("tr", { class: "why-row" }, make("td", { colspan: String(line.cells.length) }, whyOf(row))));
}

/** @param {Element} number */
const keyOf = (number) => kKeys[/** @type {HTMLElement} */ (number).dataset.text ?? ""] ?? number.closest("[data-number]")?.getAttribute("data-number") ?? "";

/** What is unfolded, by where it stands: the number. @type {Map<Element, Element>} */
const unfolded = new Map();

/** @param {App} app */
function draw(app) {
  /** @type {import("./engine.mjs").Answer<{ rows: RowView[] }>} */
  const answer = app.engine.call("why", app.shown);
  for (const [place, number] of unfolded) {
    const row = answer.ok ? answer.value.rows.find(({ key }) => key === keyOf(number)) : undefined;
    const old = place.nextElementSibling;
    if (old?.classList.contains("why-place")) old.remove();
    if (row && number.isConnected) place.after(make("div", { class: "why-place", role: "region", "aria-label": number.textContent ?? "" }, whyOf(row)));
  }
}

/** A number was pressed. @param {App} app @param {HTMLElement} number */
export async function explain(app, number) {
  await app.explain();
  const place = /** @type {Element} */ (number.closest(".legend, .facts-row, .numbers") ?? number);
  const before = unfolded.get(place);
  before?.setAttribute("aria-expanded", "false");
  if (before !== number) unfolded.set(place, number);
  draw(app);
  number.setAttribute("aria-expanded", String(before !== number));
  if (before !== number) return;
  unfolded.delete(place);
  place.nextElementSibling?.remove();
}

/** The tensors of a row of the breakdown that is open. @param {App} app @param {Element} row its <details> */
export function showTensors(app, row) {
  const key = row.closest("[data-item]")?.getAttribute("data-item") ?? "";
  /** @type {import("./engine.mjs").Answer<{ tensors: import("./types").TensorView[] }>} */
  const answer = app.engine.call("tensors", app.shown, key);
  row.querySelector(".tensors")?.remove();
  if (!answer.ok || answer.value.tensors.length === 0) return;
  const heads = [text("parameters.tensor"), text("parameters.shape"), text("timeline.bytes")].map((name, index) => make("th", { scope: "col", class: index > 1 ? "n" : "" }, name));
  row.append(make("div", { class: "scroll tensors", tabindex: "0", role: "region", "aria-label": text("parameters.tensor") }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...answer.value.tensors.map(({ name, shape, copies, text: bytes }) => make("tr", {}, make("td", {}, name), make("td", {}, shape, make("span", { class: "quiet" }, ` ${copies}`)), make("td", { class: "n" }, bytes)))))));
}

let listening = false;
/** What is unfolded follows every new answer. @param {App} app */
export function follow(app) {
  if (listening) return;
  listening = true;
  document.addEventListener("memwall-answer", () => {
    if (unfolded.size > 0) draw(app);
    for (const row of document.querySelectorAll(".row[open]")) showTensors(app, row);
  });
}
