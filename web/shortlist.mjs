/** On which accelerators the scenario fits: every one of the catalogue, those that suffice first. Loaded when it is opened. */
import { make, panelRow, roles, showPanel } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {{ name: string, vendor: string, needed: string, usable: string, left: string, price: string, state: string, sentence: string }} Row */

const kStillMs = 120;
/** Shown at first; the others are those that do not fit by far. */
const kShown = 24;

/** @param {import("./share.mjs").LaterApp} app @param {HTMLElement} host */
export function openShortlist(app, host) {
  let still = 0;
  let all = false;

  const take = (/** @type {string} */ name) => {
    app.scenario.given.set("accelerator.name", name);
    app.changed();
  };

  /** @param {Row} row */
  const rowOf = (row) => {
    const use = make("button", { type: "button", class: "link", "aria-label": text("shortlist.use", row.name) }, row.name);
    use.addEventListener("click", () => take(row.name));
    return make("tr", { "data-state": row.state },
      make("td", {}, use), make("td", {}, make("span", { class: "mark", "aria-hidden": "true" }), ` ${row.sentence}`),
      make("td", { class: "n" }, row.left), make("td", { class: "n" }, row.usable), make("td", { class: "n" }, row.price));
  };

  const draw = () => {
    /** @type {import("./engine.mjs").Answer<Row[]>} */
    const answer = app.engine.call("shortlist", app.shown);
    if (!answer.ok) return host.replaceChildren(make("p", { class: "basis" }, app.form?.sentenceOf(answer.error) ?? answer.error.message));
    const rows = all ? answer.value : answer.value.slice(0, kShown);
    const count = answer.value.filter((row) => row.state === "fits").length;
    const names = ["shortlist.name", "shortlist.verdict", "shortlist.left", "shortlist.usable", "shortlist.price"].map((key) => text(/** @type {import("./strings.mjs").Key} */ (key)));
    const heads = names.map((name, index) => make("th", { scope: "col", class: index > 1 ? "n" : "" }, name));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows.map(rowOf)));
    const note = text("shortlist.count", String(count), String(answer.value.length), answer.value[0]?.needed ?? "");
    const moreLabel = text(all ? "shortlist.fewer" : "shortlist.all", String(answer.value.length));
    const more = make("button", { type: "button" }, moreLabel);
    const turn = () => {
      all = !all;
      draw();
    };
    more.addEventListener("click", turn);
    showPanel(host, {
      note, columns: names.slice(1), buttons: [{ name: "all", label: moreLabel }],
      rows: rows.map(({ name, state, sentence, left, usable, price }) => panelRow({ role: roles[state], use: `use ${name}`, label: name, cells: [sentence, left, usable, price] })),
    }, (name) => (name === "all" ? turn() : take(name.replace("use ", ""))));
    host.replaceChildren(
      make("p", { class: "basis", role: "status" }, note),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("shortlist.open") }, table), make("div", { class: "actions" }, more));
  };

  document.addEventListener("memwall-answer", () => {
    clearTimeout(still);
    still = setTimeout(draw, kStillMs);
  });
  draw();
}
