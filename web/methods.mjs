/**
 * Methods of finetuning side by side, fetched when somebody opens them: what tells needed from wanted, a bar for each
 * method on one scale, what each costs, and how many layers to train. All of it comes from the core; a new answer of the
 * page is compared again while this is open.
 */
import { barOf, legendOf, whole } from "./bars.mjs";
import { make, linkSheet, panelRow, roles, showPanel } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").Comparison} Comparison */
/** @typedef {import("./types").ComparedMethod} ComparedMethod */
/** @typedef {import("./share.mjs").LaterApp} App */

class MethodsView {
  /** @param {App} app @param {HTMLElement} host */
  constructor(app, host) {
    this.app = app;
    this.host = host;
    this.asked = this.units = "";
    this.frame = 0;
    /** @type {Set<string>} methods whose costs are unfolded */
    this.unfolded = new Set();
    this.questions = make("ol", { class: "questions" });
    this.questionsTitle = make("h3");
    this.slider = make("input", { type: "range", min: "1", step: "1", id: "last-layers" });
    this.layers = make("output", { for: "last-layers" });
    this.chooser = make("p", { class: "last-layers" }, make("label", { for: "last-layers" }, text("methods.last_layers")), this.slider, this.layers);
    this.list = make("ul", { class: "methods" });
    this.legend = make("ul", { class: "legend", "aria-hidden": "true" });
    this.table = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("methods.table") });
    this.status = make("p", { class: "basis", role: "status" });
    host.replaceChildren(this.questionsTitle, this.questions, make("h3", {}, text("methods.compared")), this.status, this.chooser, this.legend, this.list,
      make("details", { class: "twin" }, make("summary", {}, text("methods.table")), this.table));
    this.slider.addEventListener("input", () => this.slide());
  }

  /** The last answer of the page, compared, where it is another than before. */
  update() {
    const asked = this.app.scenario.toJson(), units = this.app.engine.units();
    if (asked === this.asked && units === this.units) return;
    this.units = units;
    this.asked = asked;
    this.slider.removeAttribute("data-moved");
    this.compare();
  }

  slide() {
    this.slider.setAttribute("data-moved", "");
    this.layers.textContent = this.slider.value;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.compare());
  }

  compare() {
    const layers = this.slider.hasAttribute("data-moved") ? this.slider.value : "";
    /** @type {import("./engine.mjs").Answer<Comparison>} */
    const answer = this.app.engine.call("compare", this.asked, ` ${layers}`);
    this.status.textContent = answer.ok ? "" : answer.error.message;
    if (answer.ok) this.show(answer.value);
  }

  /** @param {Comparison} c */
  show(c) {
    this.questionsTitle.textContent = c.questions_title;
    this.questions.replaceChildren(...c.questions.map((question) => make("li", {}, question)));
    const frozen = c.methods.find((method) => method.last_layers);
    this.chooser.hidden = !frozen;
    this.slider.max = String(c.layers);
    this.slider.value = String(frozen?.last_layers ?? 1);
    this.layers.textContent = text("methods.of", this.slider.value, String(c.layers));
    this.legend.replaceChildren(...legendOf(c.methods, c.usable));
    for (const each of /** @type {NodeListOf<HTMLDetailsElement>} */ (this.list.querySelectorAll("[data-method]")))
      this.unfolded[each.open ? "add" : "delete"](each.dataset.method ?? "");
    const focused = /** @type {Document | ShadowRoot} */ (this.list.getRootNode()).activeElement?.getAttribute("data-use");
    this.list.replaceChildren(...c.methods.map((method) => this.row(c, method)));
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-use="${focused}"]`))?.focus();
    this.drawTable(c);
    this.showPanel(c);
  }

  /** The same for the canvas. @param {Comparison} c */
  showPanel(c) {
    const costs = (/** @type {ComparedMethod} */ { cells = [] }) => cells.flatMap(({ text: cost, detail }, index) => (cost ? [`${c.columns[index]}: ${[cost, detail].filter(Boolean).join(", ")}`] : []));
    const layers = (/** @type {ComparedMethod} */ { last_layers: last }) => (last ? [last > 1 ? -1 : 0, last < c.layers ? 1 : 0].filter(Boolean).map((by) => ({ name: `layers ${last + by}`, label: text("methods.train", String(last + by)) })) : []);
    const rows = c.methods.map((method) => panelRow({
      role: roles[method.state], use: `use ${method.method}`, label: method.label, cells: [method.needed ?? ""], parts: method.parts, wall: c.usable_fraction, buttons: layers(method),
      lines: [method.sentence, method.meaning, costs(method).join(" · ")].filter(Boolean),
    }));
    showPanel(this.host, { note: text("methods.panel"), columns: [text("methods.memory")], rows: [panelRow({ label: c.questions_title, lines: c.questions }), ...rows], buttons: [] }, (name) => {
      const [what, which] = name.split(" ");
      if (what === "layers") {
        this.slider.value = which;
        this.slide();
      } else {
        this.take(/** @type {ComparedMethod} */ (c.methods.find(({ method }) => method === which)));
      }
    });
  }

  /** @param {Comparison} c @param {ComparedMethod} method */
  row(c, method) {
    const head = [make("span", { class: "mark", "aria-hidden": "true" }), make("span", { class: "label" }, make("b", {}, method.label), make("span", { class: "quiet" }, method.meaning))];
    const { cells, needed = "" } = method;
    if (!cells) return make("li", { "data-state": method.state }, make("div", { class: "method-head" }, ...head, make("span", { class: "refused" }, method.sentence)));
    const details = make("details", { open: this.unfolded.has(method.method), "data-method": method.method },
      make("summary", { class: "method-head" }, ...head, barOf(method.label, method, c), make("b", { class: "amount" }, whole(needed)), make("span", { class: "verdict-word" }, method.sentence)),
      make("dl", { class: "costs" }, ...c.columns.flatMap((column, index) => this.cost(column, cells[index]))), this.use(method));
    return make("li", { "data-state": method.state }, details);
  }

  /** @param {string} column @param {{ text: string, detail: string }} cell */
  cost(column, cell) {
    if (!cell.text) return [];
    return [make("div", {}, make("dt", {}, column), make("dd", {}, make("b", {}, whole(cell.text)), ...(cell.detail ? [make("span", { class: "quiet" }, whole(cell.detail))] : [])))];
  }

  /** @param {ComparedMethod} method */
  use(method) {
    const button = make("button", { type: "button", class: "quiet-button", "data-use": method.method }, text("methods.use", method.label));
    button.addEventListener("click", () => this.take(method));
    return button;
  }

  /** @param {ComparedMethod} method */
  take(method) {
    const { given } = this.app.scenario;
    if (method.method === "none") {
      given.set("task", "inference");
    } else {
      if (given.get("task") === "inference") given.delete("task");
      given.set("method.name", method.method);
      if (method.last_layers) given.set("method.first_trainable_layer", Number(this.slider.max) - method.last_layers);
      else given.delete("method.first_trainable_layer");
    }
    this.app.changed();
  }

  /** @param {Comparison} c */
  drawTable(c) {
    const head = [text("methods.method"), text("methods.memory"), ...c.columns].map((column) => make("th", { scope: "col" }, column));
    const rows = c.methods.map((method) => make("tr", {}, make("th", { scope: "row" }, method.label),
      make("td", {}, [method.needed, method.sentence].filter(Boolean).join(", ")),
      ...c.columns.map((_, index) => make("td", {}, whole([method.cells?.[index].text, method.cells?.[index].detail].filter(Boolean).join(", "))))));
    this.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
  }
}

/** @param {string} name of a file beside this one */
async function textOf(name) {
  const arrived = await fetch(new URL(name, import.meta.url));
  if (!arrived.ok) throw new Error(`${name}: ${arrived.status}`);
  return arrived.text();
}

/**
 * Fills the element, and keeps it filled while it is open.
 * @param {App} app
 * @param {HTMLElement} host
 */
export async function openMethods(app, host) {
  const styled = app.addSheet?.("methods.css") ?? linkSheet("methods.css");
  const [texts] = await Promise.all([textOf("catalogue.txt"), styled]);
  app.engine.call("take_texts", texts);
  const view = new MethodsView(app, host);
  const details = /** @type {HTMLDetailsElement} */ (host.parentElement);
  const update = () => {
    if (details.open !== false && !document.querySelector("[data-stale]")) view.update();
  };
  (app.bell ?? document).addEventListener("memwall-answer", update);
  details.addEventListener("toggle", update);
  update();
}
