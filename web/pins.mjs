/**
 * Pinned scenarios side by side: bars on one scale and what differs, with what the page shows as the last. Names and places are the
 * user's. Kept in this browser's storage, where there is one. Numbers and differences come from the core. Loaded when it is opened.
 */
import { barOf, legendOf, whole } from "./bars.mjs";
import { byId, linkSheet, make, panelRow, roles, showPanel } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {{ name: string, scenario: string }} Pin scenario: as JSON */
/** @typedef {import("./types").Lineup} Lineup */
/** @typedef {import("./share.mjs").LaterApp} App */

const kPlace = "memwall-pins";
const kStillMs = 120;
/** One less than the core compares (src/search/lineup.hpp): the last is what is shown. */
const kMostPins = 255;
const kMostOfName = 60;

/** @returns {{ pins: Pin[], isKept: boolean }} nothing where the storage is refused, or holds something else */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(kPlace) ?? "[]");
    const isPin = (/** @type {any} */ pin) => typeof pin?.name === "string" && typeof pin.scenario === "string";
    return { pins: Array.isArray(kept) ? kept.filter(isPin).slice(0, kMostPins) : [], isKept: true };
  } catch (error) {
    return { pins: [], isKept: error instanceof SyntaxError };
  }
}

class Pins {
  /** @param {App} app @param {HTMLElement} host */
  constructor(app, host) {
    this.app = app;
    this.host = host;
    const { pins, isKept } = read();
    this.pins = pins;
    this.isKept = isKept;
    this.still = 0;
    this.list = make("ol", { class: "pins" });
    this.legend = make("ul", { class: "legend", "aria-hidden": "true" });
    this.status = make("p", { class: "basis", role: "status" });
    this.table = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("pins.table") });
    this.more = make("button", { type: "button" }, text("pins.add"));
    this.forget = make("button", { type: "button" }, text("pins.clear"));
    this.more.addEventListener("click", () => this.add());
    this.forget.addEventListener("click", () => this.change(() => (this.pins = [])));
    host.replaceChildren(this.status, this.list, this.legend, make("div", { class: "actions" }, this.more, this.forget), make("h3", {}, text("pins.table")), this.table);
    document.addEventListener("memwall-answer", () => {
      clearTimeout(this.still);
      this.still = setTimeout(() => this.draw(), kStillMs);
    });
    document.addEventListener("memwall-forgotten", () => {
      this.pins = [];
      this.draw();
    });
    this.draw();
  }

  add() {
    if (this.pins.length >= kMostPins) return;
    const name = this.app.view?.title ?? "";
    const same = this.pins.filter((pin) => pin.name === name || pin.name.startsWith(`${name} (`)).length;
    this.change(() => this.pins.push({ name: same ? `${name} (${same + 1})` : name, scenario: this.app.shown }));
  }

  /** @param {() => void} how */
  change(how) {
    how();
    try {
      localStorage.setItem(kPlace, JSON.stringify(this.pins));
    } catch {
      this.isKept = false;
    }
    this.draw();
  }

  draw() {
    /** @type {import("./engine.mjs").Answer<Lineup>} */
    const answer = this.app.engine.call("lineup", [...this.pins.map(({ scenario }) => scenario), this.app.shown].join("\n"));
    this.more.disabled = this.pins.length >= kMostPins;
    this.forget.disabled = this.pins.length === 0;
    if (!answer.ok) return void (this.status.textContent = answer.error.message);
    this.status.textContent = [this.pins.length === 0 ? text("pins.none") : "", text(this.isKept ? "pins.kept" : "pins.not_kept")].filter(Boolean).join(" ");
    const focused = document.activeElement?.getAttribute("data-pin");
    this.list.replaceChildren(...answer.value.entries.map((entry, index) => this.entry(entry, index)));
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-pin="${focused}"]:enabled`))?.focus();
    this.legend.replaceChildren(...legendOf(answer.value.entries));
    this.drawTable(answer.value);
    this.showPanel(answer.value);
  }

  /** The same for the canvas. @param {Lineup} lineup */
  showPanel({ entries, rows }) {
    const all = entries.map((entry, index) => panelRow({
      role: roles[entry.state], use: this.pins[index] ? `name ${index}` : "", label: this.nameOf(index), typed: Boolean(this.pins[index]), lines: [[entry.needed, entry.sentence].filter(Boolean).join(" · ")], parts: entry.parts, wall: entry.usable_fraction,
      buttons: this.pins[index] ? this.acts(index).filter(([, , disabled]) => !disabled).map(([name]) => ({ name: `${name} ${index}`, label: text(`pins.${name}`, "").replace("  ", " ").trim() })) : [],
    }));
    const differences = rows.map(({ label, values, more }) => panelRow({ label, cells: values.map((value, index) => [value, more[index]].filter(Boolean).join("\n")) }));
    const buttons = [...(this.more.disabled ? [] : [{ name: "add", label: text("pins.add") }]), ...(this.forget.disabled ? [] : [{ name: "clear", label: text("pins.clear") }])];
    showPanel(this.host, { note: this.status.textContent ?? "", columns: entries.map((_, index) => this.nameOf(index)), rows: [...all, ...differences], buttons, table: all.length }, (name) => {
      const [what, index, ...words] = name.split(" ");
      if (what === "add") this.more.click();
      else if (what === "clear") this.forget.click();
      else if (what === "name") this.rename(Number(index), words.join(" "));
      else this.acts(Number(index)).find(([each]) => each === what)?.[3]();
    });
  }

  /** What can be done with a pin. @param {number} index @returns {[name: "use" | "up" | "down" | "remove", sign: string, disabled: boolean, act: () => void][]} */
  acts(index) {
    const move = (/** @type {number} */ by) => () => this.change(() => this.pins.splice(index + by, 0, ...this.pins.splice(index, 1)));
    return [["use", text("pins.show"), false, () => this.use(index)], ["up", "↑", index === 0, move(-1)], ["down", "↓", index === this.pins.length - 1, move(1)],
      ["remove", "×", false, () => this.change(() => this.pins.splice(index, 1))]];
  }

  /** @param {number} index @param {string} name */
  rename(index, name) {
    this.change(() => (this.pins[index].name = name.trim().slice(0, kMostOfName) || text("pins.name", String(index + 1))));
  }

  /** @param {number} index */
  nameOf(index) {
    return this.pins[index]?.name ?? text("pins.now");
  }

  /** @param {import("./types").LineupEntry} entry @param {number} index */
  entry(entry, index) {
    const pin = this.pins[index];
    const name = this.nameOf(index);
    const head = pin ? make("input", { type: "text", class: "pin-name", value: name, title: name, maxlength: String(kMostOfName), "aria-label": text("pins.name", String(index + 1)), "data-pin": `name ${index}` }) : make("b", { class: "pin-name" }, name);
    head.addEventListener("change", () => this.rename(index, /** @type {HTMLInputElement} */ (head).value));
    const needed = entry.needed ? [barOf(name, entry, entry), make("b", { class: "amount" }, whole(entry.needed))] : [];
    return make("li", { "data-state": entry.state }, make("span", { class: "mark", "aria-hidden": "true" }), head, ...needed, make("span", { class: "verdict-word" }, entry.sentence), ...(pin ? [this.buttons(index, name)] : []));
  }

  /** @param {number} index @param {string} name */
  buttons(index, name) {
    return make("span", { class: "pin-buttons" }, ...this.acts(index).map(([what, sign, disabled, act]) => {
      const made = make("button", { type: "button", class: "quiet-button", title: text(`pins.${what}`, name), "aria-label": text(`pins.${what}`, name), "data-pin": `${what} ${index}`, disabled }, sign);
      made.addEventListener("click", act);
      return made;
    }));
  }

  /** @param {number} index */
  use(index) {
    this.app.scenario.take(JSON.parse(this.pins[index].scenario));
    this.app.form?.forgetConfig();
    this.app.changed();
  }

  /** @param {Lineup} lineup */
  drawTable({ entries, rows }) {
    const heads = entries.map((_, index) => make("th", { scope: "col", class: "n" }, this.nameOf(index)));
    const cell = (/** @type {string} */ value, /** @type {string | undefined} */ more) => make("td", { class: "n" }, whole(value), ...(more ? [make("span", { class: "quiet" }, whole(more))] : []));
    this.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...heads)),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.label), ...row.values.map((value, index) => cell(value, row.more[index])))))));
  }
}

/** @type {Promise<Pins> | undefined} */
let opening;

/** @param {App} app @param {HTMLElement} host */
export function openPins(app, host) {
  return (opening ??= linkSheet("pins.css").then(() => new Pins(app, host)));
}

/** Pins what is shown, opens the list, and says so where the button is. @param {App} app */
export async function pin(app) {
  const details = /** @type {HTMLDetailsElement} */ (byId("pins"));
  details.open = true;
  const pins = await openPins(app, /** @type {HTMLElement} */ (details.lastElementChild));
  pins.add();
  byId("done").textContent = text("pins.done", pins.pins[pins.pins.length - 1].name);
}
