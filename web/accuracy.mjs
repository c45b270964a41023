/**
 * How exact memwall is for scenarios like this one: the runs its interval rests on, those of the same family first, then the furthest
 * off. Loaded when it is opened, with accuracy.json, which the build makes of the records (scripts/generate_accuracy.py).
 */
import { make, panelRow, showPanel } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {[name: string, model: string, measured: string, predicted: string, error: string, source: string]} Run sizes in GiB, a bar, and in GB */
/** @typedef {{ name: string, count: string, median: string, nine: string, furthest: string, runs: Run[] }} Kind */

const kShown = 12;
/** @type {Promise<Record<string, Kind>> | undefined} */
let loading;
/** @returns {Promise<Record<string, Kind>>} */
const load = () => (loading ??= fetch(new URL("accuracy.json", import.meta.url)).then((answer) => answer.json()).catch((error) => {
  loading = undefined;
  throw error;
}));

/** @param {Run} run */
const nameOf = ([name, model]) => model || name;

/** The letters a model's name begins with: llama, gpt, Qwen. @param {string} name */
const familyOf = (name) => /^[a-z]*/.exec((name.split("/").pop() ?? "").toLowerCase())?.[0];

/** @param {import("./share.mjs").LaterApp} app @param {HTMLElement} host */
export async function openAccuracy(app, host) {
  const kinds = await load();
  let all = false;

  const draw = () => {
    const kind = kinds[app.view?.verdict.interval_kind ?? ""];
    if (!kind) return;
    const family = familyOf(app.view?.title ?? "");
    const isOwn = (/** @type {Run} */ [, model]) => familyOf(model) === family;
    const sorted = [...kind.runs.filter(isOwn), ...kind.runs.filter((run) => !isOwn(run))];
    const runs = all ? sorted : sorted.slice(0, kShown);
    const note = kind.median ? text("accuracy.sum", kind.count, kind.name, kind.median, kind.nine, kind.furthest) : text("accuracy.estimated", kind.count, kind.name);
    const columns = kind.median ? [text("accuracy.measured"), text("accuracy.predicted"), text("accuracy.error")] : [text("accuracy.error")];
    const unit = app.engine.units() === "GB" ? 1 : 0;
    const cells = (/** @type {Run} */ run) => run.slice(kind.median ? 2 : 4, 5).map((cell) => cell.split("|")[unit] ?? cell);
    const moreLabel = text(all ? "accuracy.fewer" : "accuracy.all", kind.count);
    const turn = () => {
      all = !all;
      draw();
    };
    const more = make("button", { type: "button" }, moreLabel);
    more.addEventListener("click", turn);
    const heads = [text("accuracy.run"), ...columns].map((name, index) => make("th", { scope: "col", class: index > 0 ? "n" : "" }, name));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...runs.map((run) => make("tr", {},
      make("td", {}, nameOf(run), make("span", { class: "quiet" }, ` ${run[0]} · ${run[5]}`)), ...cells(run).map((cell) => make("td", { class: "n" }, cell))))));
    showPanel(host, {
      note, columns, buttons: [{ name: "all", label: moreLabel }],
      rows: runs.map((run) => panelRow({ label: nameOf(run), cells: cells(run), lines: [`${run[0]} · ${run[5]}`] })),
    }, turn);
    host.replaceChildren(make("p", { class: "basis", role: "status" }, note),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("accuracy.open") }, table), make("div", { class: "actions" }, more));
  };

  document.addEventListener("memwall-answer", draw);
  draw();
}
