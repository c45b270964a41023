/**
 * The fit map: what every pair of values of two fields needs, as a picture; where the wall runs through it, and a click that
 * takes the values. Loaded when it is opened. Bytes come from the core (fit-map-worker.mjs); here they are placed and painted.
 */
import { make, linkSheet, panelRow, showPanel } from "./dom.mjs";
import { Painter } from "./fit-map-paint.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./fit-map-worker.mjs").Picture} Picture */
/** @typedef {import("./strings.mjs").Key} Key */
/** @typedef {{ key: string, label: string, low: number, high: number, multiple: number, most?: number }} Range */

const kSamples = 128;
/** Of the picture where this view itself is out of sight, behind the canvas: about what that draws (src/ui/view_panels.cpp). */
const unseen = () => {
  const wide = Math.min(768, innerWidth - 104);
  return [wide, innerWidth <= 560 ? wide : (wide * 10) / 16];
};
const kTwinRows = 12;
/** Of the way across: names of lines that stand nearer would cover each other. */
const kApart = 0.045;
const kStillMs = 120;
const kParts = 10_000;
const kNoWall = 64; // log2 of more bytes than there are
const GB = 1e9;
const kSizesGb = [24, 40, 48, 80, 141, 192];
/** From `low` up to `high` or four times what is asked now. @type {Record<"training" | "inference", [key: string, label: Key, low: number, high: number, multiple: number][]>} */
const kRanges = {
  training: [
    ["batch.micro_batch_size", "map.micro_batch_size", 1, 64, 1],
    ["batch.sequence_length", "map.sequence_length", 128, 8192, 32],
    ["accelerator.count", "map.count", 1, 64, 1],
    ["batch.gradient_accumulation_steps", "map.accumulation", 1, 64, 1],
    ["method.rank", "map.rank", 1, 256, 1],
  ],
  inference: [
    ["serving.concurrent_sequences", "map.sequences", 1, 256, 1],
    ["serving.context_tokens", "map.context", 128, 32768, 32],
    ["accelerator.count", "map.count", 1, 64, 1],
  ],
};
/** Of a field that has no range of its own. */
const kUsualHigh = 64;
const kMostOfRange = 1 << 20;
/** @type {{ createScriptURL(name: string): string } | undefined} the worker, where policies allow only what is named */
let policy;

/** Custom properties as #rrggbb. @param {Element} element */
function colours(element) {
  const style = getComputedStyle(element);
  const colour = (/** @type {string} */ name) => {
    const words = style.getPropertyValue(name).trim();
    return words.length === 4 ? `#${[...words.slice(1)].map((digit) => digit + digit).join("")}` : words;
  };
  return { low: colour("--map-low"), high: colour("--map-high"), beyond: colour("--map-beyond"), bare: colour("--ground"), ink: colour("--ink") };
}

/** @param {number} value */
const grouped = (value) => value.toLocaleString("en-US");

/** So many multiples of a range as the picture has samples, or all of it: each larger than the one before by the same part, or by one; of them those nearest to powers of two and to what is asked are moved there.
 * @param {Range} range @param {number} asked @returns {number[]} */
export function valuesOf({ low, high, multiple, most = kMostOfRange }, asked) {
  const top = Math.min(most, Math.max(high, 2 ** Math.ceil(Math.log2(4 * asked)), low + (kSamples - 1) * multiple));
  const grown = (/** @type {number} */ ratio) => {
    const values = [low];
    for (let value = low; values.length < kSamples && value < top; values.push(value)) value = Math.max(value + multiple, Math.round((value * ratio) / multiple) * multiple);
    return values;
  };
  let [slow, fast] = [1, top / low + 1];
  for (let halving = 0; halving < 40; ++halving) {
    const middle = (slow + fast) / 2;
    if (/** @type {number} */ (grown(middle).at(-1)) < top) slow = middle;
    else fast = middle;
  }
  const values = grown(fast);
  values[values.length - 1] = top;
  const kept = new Set();
  const take = (/** @type {number} */ value) => {
    const free = values.filter((each) => each === value || !kept.has(each));
    const nearest = free.reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best), free[0]);
    values[values.indexOf(nearest)] = value;
    kept.add(value);
  };
  for (let power = low; power <= top; power *= 2) take(power);
  take(Math.max(low, asked));
  return values.sort((a, b) => a - b);
}

/** Where a value stands between the first and the last, 0 to 1, by powers. @param {number[]} values @param {number} value */
const placeOf = (values, value) => Math.log(value / values[0]) / Math.log(/** @type {number} */ (values.at(-1)) / values[0]);

/** Every sample of an axis between two of its values: how far it stands behind the first of them. @param {number[]} values @returns {[index: number, part: number][]} */
function between(values) {
  const last = /** @type {number} */ (values.at(-1));
  return Array.from({ length: kSamples }, (_, sample) => {
    const value = values[0] * (last / values[0]) ** (sample / (kSamples - 1));
    let index = values.findIndex((each) => each >= value * (1 - 1e-9)) - 1;
    index = Math.min(Math.max(index, 0), Math.max(0, values.length - 2));
    const width = (values[index + 1] ?? values[index] + 1) - values[index];
    return [index, Math.min(1, Math.max(0, (value - values[index]) / width))];
  });
}

/** The picture as a field of kSamples by kSamples. @param {Picture} picture */
function fieldOf({ x, y, needed }) {
  const values = new Float32Array(2 * kSamples * kSamples);
  const [along, down] = [between(x), between(y)];
  const most = needed.reduce((a, b) => Math.max(a, b), 0);
  down.forEach(([row, downPart], j) => along.forEach(([column, alongPart], i) => {
    const cell = (/** @type {number} */ dx, /** @type {number} */ dy) => needed[Math.min(row + dy, y.length - 1) * x.length + Math.min(column + dx, x.length - 1)];
    const corners = [cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1)];
    const nearest = corners[(alongPart > 0.5 ? 1 : 0) + (downPart > 0.5 ? 2 : 0)];
    const known = corners.every((bytes) => bytes >= 0);
    const [a, b, c, d] = known ? corners : Array(4).fill(nearest >= 0 ? nearest : most);
    const bytes = (a * (1 - alongPart) + b * alongPart) * (1 - downPart) + (c * (1 - alongPart) + d * alongPart) * downPart;
    values.set([Math.log2(Math.max(1, bytes)), nearest >= 0 ? 1 : 0], 2 * (j * kSamples + i));
  }));
  return values;
}

/** The part of a picture that has answers: a model's last position ends it. @param {Picture} picture @returns {Picture} */
function cropped({ x, y, needed, ...others }) {
  const at = (/** @type {number} */ i, /** @type {number} */ j) => needed[j * x.length + i] >= 0;
  const columns = x.map((_, i) => i).filter((i) => y.some((_, j) => at(i, j)));
  const rows = y.map((_, j) => j).filter((j) => x.some((_, i) => at(i, j)));
  const cells = rows.flatMap((j) => columns.map((i) => needed[j * x.length + i]));
  return { ...others, x: columns.map((i) => x[i]), y: rows.map((j) => y[j]), needed: Float64Array.from(cells) };
}

export class FitMap {
  /**
   * @param {import("./share.mjs").LaterApp} app
   * @param {HTMLElement} host
   * @param {Worker} worker
   * @param {{ vertex: string, fragment: string }} sources of the shader
   */
  constructor(app, host, worker, sources) {
    this.app = app;
    this.host = host;
    this.worker = worker;
    /** @type {number[] | undefined} the values under the sliders */
    this.at = undefined;
    /** @type {number[]} the values to stand on when the next picture comes */
    this.wanted = [1, 1];
    this.id = 0;
    this.still = 0;
    this.frame = 0;
    this.times = 0;
    this.said = ["", "", ""];
    this.task = "";
    /** @type {{ at: number, name: string, isWall: boolean }[]} lines and their names, as far from below as from the left */
    this.marks = [];
    /** @type {Picture | undefined} */
    this.picture = undefined;
    /** @type {Float32Array | undefined} */
    this.values = undefined;
    this.canvas = make("canvas", { role: "img" });
    this.over = make("div", { class: "map-over", "aria-hidden": "true" });
    this.plot = make("div", { class: "map-plot" }, this.canvas, this.over);
    this.ticksX = make("div", { class: "map-ticks-x", "aria-hidden": "true" });
    this.ticksY = make("div", { class: "map-ticks-y", "aria-hidden": "true" });
    this.scrubs = ["x", "y"].map(() => make("input", { type: "range", class: "scrub", min: "0", step: "1" }));
    this.labels = this.scrubs.map((scrub) => make("label", {}, make("span", {}), scrub));
    this.axes = this.scrubs.map((_, index) => make("select", { "aria-label": text(index === 0 ? "map.across" : "map.up") }));
    this.readout = make("p", { class: "readout", "aria-live": "polite" });
    this.take = make("button", { type: "button" }, text("map.take"));
    this.csv = make("button", { type: "button" }, text("map.csv"));
    this.twin = make("details", { class: "twin" }, make("summary", {}, text("map.table")));
    host.append(
      make("p", { class: "basis" }, text("map.help")),
      make("p", { class: "map-axes" }, make("label", {}, `${text("map.across")} `, this.axes[0]), make("label", {}, `${text("map.up")} `, this.axes[1])),
      make("div", { class: "map" }, this.ticksY, this.plot, this.ticksX),
      this.readout, make("div", { class: "map-scrubs" }, ...this.labels), make("div", { class: "actions" }, this.take, this.csv), this.twin);
    this.painter = new Painter(this.canvas, sources);
    this.cross = make("b", { class: "map-cross" });
    this.hairs = [make("span", { class: "map-hair" }), make("span", { class: "map-hair" })];
    this.listen();
    this.ask();
  }

  listen() {
    this.worker.addEventListener("message", ({ data }) => data.id === this.id && this.receive(data));
    for (const axis of this.axes) axis.addEventListener("change", () => this.ask());
    for (const scrub of this.scrubs) scrub.addEventListener("input", () => this.readByHand());
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("click", (event) => {
      this.point(event);
      this.takeValues();
    });
    this.take.addEventListener("click", () => this.takeValues());
    this.csv.addEventListener("click", () => this.download());
    this.twin.addEventListener("toggle", () => this.drawTwin());
    (this.app.bell ?? document).addEventListener("memwall-answer", () => {
      this.plot.setAttribute("aria-busy", "true");
      clearTimeout(this.still);
      this.still = setTimeout(() => this.ask(), kStillMs);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    document.addEventListener("memwall-theme", () => this.paint());
    new ResizeObserver(() => requestAnimationFrame(() => this.paint())).observe(this.plot);
  }

  /** @param {import("./share.mjs").LaterApp} app @param {HTMLElement} host */
  static async open(app, host) {
    const beside = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
    const read = async (/** @type {string} */ name) => (await fetch(beside(name))).text();
    const styled = app.addSheet?.("fit-map.css") ?? linkSheet("fit-map.css");
    const [vertex, fragment, modules] = await Promise.all([read("shaders/fit_map.vert"), read("shaders/fit_map.frag"), app.engine.modules(), styled]);
    const address = beside("fit-map-worker.mjs");
    policy ??= /** @type {any} */ (window).trustedTypes?.createPolicy("memwall-map", { createScriptURL: () => address });
    const worker = new Worker(policy?.createScriptURL("") ?? address, { type: "module" });
    worker.postMessage(modules);
    return new FitMap(app, host, worker, { vertex, fragment });
  }

  /** @param {string} key */
  valueOf(key) {
    return Number(this.app.view?.form.find((field) => field.key === key)?.value ?? 0);
  }

  /** The fields that may stand on an axis: those people ask about first, then every other whole number of the form. @returns {Range[]} */
  ranges() {
    const task = this.app.view?.form.find((field) => field.key === "task")?.value;
    const hasRank = /lora|dora|vera|lo[hk]|oft|houlsby|pfeiffer/.test(this.app.view?.form.find((field) => field.key === "method.name")?.value ?? "");
    const first = kRanges[task === "inference" ? "inference" : "training"].filter(([key]) => key !== "method.rank" || hasRank);
    const others = [...(this.app.form?.controls.values() ?? [])].filter(({ row, element }) =>
      row.kind === "integer" && !element.hidden && this.valueOf(row.key) > 0 && !first.some(([key]) => key === row.key));
    return [...first.map(([key, label, low, high, multiple]) => ({ key, label: text(label), low, high, multiple })),
      ...others.map(({ row }) => ({ key: row.key, label: row.label, low: Math.max(1, row.minimum), high: Math.min(kUsualHigh, row.maximum), multiple: 1, most: row.maximum }))];
  }

  offerAxes() {
    const ranges = this.ranges();
    const task = ranges[0].key;
    const isKept = (/** @type {string} */ value) => ranges.some(({ key, most }) => key === value && (most === undefined || task === this.task));
    this.axes.forEach((axis, index) => {
      const chosen = isKept(axis.value) ? axis.value : ranges[index].key;
      axis.replaceChildren(...ranges.map(({ key, label }) => make("option", { value: key, selected: key === chosen }, label)));
    });
    this.task = task; // the first range tells
    const [first, second] = this.axes;
    if (first.value === second.value) second.value = /** @type {Range} */ (ranges.find(({ key }) => key !== first.value)).key;
  }

  /** Asks the worker about the scenario that was answered last. */
  ask() {
    this.offerAxes();
    const [x, y] = this.axes.map((select) => {
      const range = /** @type {Range} */ (this.ranges().find(({ key }) => key === select.value));
      return { key: range.key, values: valuesOf(range, Math.max(1, this.valueOf(range.key))) };
    });
    this.wanted = this.axes.map((axis) => Math.max(1, this.valueOf(axis.value)));
    this.plot.setAttribute("aria-busy", "true");
    this.worker.postMessage({ id: ++this.id, scenario: this.app.shown, x, y });
  }

  /** @param {Picture & { error?: import("./engine.mjs").Refusal }} answer */
  receive(answer) {
    if (answer.error) {
      this.plot.removeAttribute("aria-busy");
      return this.readout.replaceChildren(this.sentenceOf(answer.error));
    }
    const picture = (this.picture = cropped(answer));
    this.values = fieldOf(picture);
    [picture.x, picture.y].forEach((values, index) => {
      const scrub = this.scrubs[index];
      scrub.max = String(values.length - 1);
      scrub.value = String(this.nearest(values, this.wanted[index]));
      const name = this.axes[index].selectedOptions[0].label;
      /** @type {Element} */ (this.labels[index].firstElementChild).textContent = name;
    });
    this.paint();
    this.read();
    if (!picture.isLast) return;
    Object.assign(this.plot.dataset, { cells: `${answer.x.length} ${answer.y.length}`, milliseconds: answer.milliseconds.toFixed(1) });
    this.drawTwin();
    this.plot.removeAttribute("aria-busy");
  }

  /** @param {number[]} values @param {number} value */
  nearest(values, value) {
    return values.reduce((best, each, index) => (Math.abs(Math.log(each / value)) < Math.abs(Math.log(values[best] / value)) ? index : best), 0);
  }

  /**
   * The core's own answer for a pair of values.
   * @param {number[]} values
   * @returns {import("./engine.mjs").Answer<import("./types").ViewModel>}
   */
  answerAt(values) {
    const scenario = JSON.parse(this.app.shown);
    this.axes.forEach((axis, index) => {
      const [group, name] = axis.value.split(".");
      (scenario[group] ??= {})[name] = values[index];
    });
    return this.app.engine.call("view", JSON.stringify(scenario));
  }

  /** Of the picture in CSS pixels; nothing when nobody sees it. */
  sides() {
    const { clientWidth, clientHeight } = this.plot;
    return clientWidth === 0 && document.body.hasAttribute("data-canvas") ? unseen() : [clientWidth, clientHeight];
  }

  paint() {
    const sides = this.sides();
    if (!this.picture || !this.values || sides[0] === 0) return;
    const known = this.picture.needed.filter((bytes) => bytes > 0);
    const lowest = Math.log2(known.reduce((a, b) => Math.min(a, b)));
    const usable = this.picture.usable > 0 ? Math.log2(this.picture.usable) : kNoWall;
    const top = Math.min(usable, Math.log2(known.reduce((a, b) => Math.max(a, b))));
    const levels = kSizesGb.map((size) => Math.log2(size * GB));
    this.painter.paint({ width: kSamples, height: kSamples, values: this.values, span: [lowest, Math.max(top, lowest + 0.5)], usable, levels }, colours(this.canvas), sides);
    this.labelLines(levels, usable);
    this.drawTicks(this.ticksX, this.picture.x, "left");
    this.drawTicks(this.ticksY, this.picture.y, "bottom");
    ++this.times;
    this.showPanel();
    const [x, y] = [this.axes[0].selectedOptions[0].label, this.axes[1].selectedOptions[0].label];
    this.canvas.setAttribute("aria-label", text("map.description", x, y));
  }

  /** Each line is named where it crosses the way from the lower left to the upper right. @param {number[]} levels @param {number} usable */
  labelLines(levels, usable) {
    const values = /** @type {Float32Array} */ (this.values);
    const diagonal = Array.from({ length: kSamples }, (_, index) => values[2 * (index * kSamples + index)]);
    const wall = { level: usable, name: text("map.usable", this.app.view?.verdict.usable ?? "") };
    const named = [...(usable < kNoWall ? [wall] : []), ...levels.map((level, index) => ({ level, name: `${kSizesGb[index]} GB` }))];
    /** @type {number[]} */
    const taken = [];
    this.marks = named.flatMap(({ level, name }) => {
      const index = diagonal.findIndex((value, at) => at > 0 && value >= level && diagonal[at - 1] < level);
      if (index < 0 || taken.some((other) => Math.abs(other - index) < kSamples * kApart)) return [];
      taken.push(index);
      return [{ at: index / (kSamples - 1), name, isWall: level === usable }];
    });
    this.over.replaceChildren(...this.marks.map(({ at, name, isWall }) => {
      const classes = ["map-line", isWall ? "wall" : "", at > 0.8 ? "at-end" : ""];
      const mark = make("span", { class: classes.join(" ") }, name);
      mark.style.left = mark.style.bottom = `${100 * at}%`;
      return mark;
    }), ...this.hairs, this.cross);
  }

  /** The same for the canvas, which draws names and numbers itself. */
  showPanel() {
    const picture = this.picture;
    if (!picture || !this.at) return;
    const [x, y] = [placeOf(picture.x, this.at[0]), placeOf(picture.y, this.at[1])];
    const [label, sentence, needed] = this.said;
    const axis = (/** @type {"across" | "up"} */ name, /** @type {number} */ index) => ({ name, label: `${text(`map.${name}`)}: ${this.axes[index].selectedOptions[0].label}` });
    const marks = (/** @type {number[]} */ values, /** @type {"x" | "y"} */ side) => this.ticksOf(values, side === "x").map(({ part, name }) => ({ x: 0, y: 0, text: name, [side]: part }));
    showPanel(this.host, {
      note: text("map.help"), columns: [], rows: [panelRow({ label, lines: [sentence] })],
      buttons: [axis("across", 0), axis("up", 1), { name: "csv", label: text("map.csv") }],
      picture: { shown: true, x, y, lines: this.marks.map(({ at, name }) => ({ x: at, y: at, text: name })), across: marks(picture.x, "x"), up: marks(picture.y, "y"), text: needed },
      image: { canvas: this.canvas, times: this.times },
    }, (name) => this.press(name));
  }

  /** A button of the canvas (src/ui/panels.hpp). @param {string} name */
  press(name) {
    const [what, ...parts] = name.split(" ");
    const [x, y] = parts.map(Number);
    if (what === "csv") return this.download();
    if (what === "across" || what === "up") {
      const axis = this.axes[what === "up" ? 1 : 0];
      axis.selectedIndex = (axis.selectedIndex + 1) % axis.options.length;
      return this.ask();
    }
    if (what === "move") {
      [x, y].forEach((by, index) => (this.scrubs[index].value = String(Number(this.scrubs[index].value) + by)));
      return this.readByHand();
    }
    if (parts.length > 0) this.pointAt([x / kParts, y / kParts]);
    if (what === "take") this.takeValues();
  }

  /** Powers of two, as many as there is room for, and how far along they stand. @param {number[]} values @param {boolean} isAcross */
  ticksOf(values, isAcross) {
    const [low, high] = [values[0], /** @type {number} */ (values.at(-1))];
    const count = Math.log2(high / low);
    const step = Math.max(1, Math.ceil(count / (isAcross ? this.sides()[0] / 56 : 8)));
    const ticks = [];
    for (let power = 0; power <= count + 1e-9; power += step) ticks.push({ part: count > 0 ? power / count : 0, name: grouped(low * 2 ** power) });
    return ticks;
  }

  /** @param {HTMLElement} host @param {number[]} values @param {"left" | "bottom"} side */
  drawTicks(host, values, side) {
    host.replaceChildren(...this.ticksOf(values, side === "left").map(({ part, name }) => {
      const tick = make("span", {}, name);
      tick.style[side] = `${100 * part}%`;
      return tick;
    }));
  }

  /** @param {MouseEvent} event */
  point(event) {
    const box = this.plot.getBoundingClientRect();
    this.pointAt([(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height]);
  }

  /** @param {number[]} parts of the way across and up */
  pointAt(parts) {
    if (!this.picture) return;
    [this.picture.x, this.picture.y].forEach((values, index) => {
      const [low, high] = [values[0], /** @type {number} */ (values.at(-1))];
      this.scrubs[index].value = String(this.nearest(values, low * (high / low) ** Math.min(1, Math.max(0, parts[index]))));
    });
    this.readByHand();
  }

  readByHand() {
    this.read();
    if (this.at) this.wanted = this.at;
  }

  /** @param {import("./engine.mjs").Refusal} error */
  sentenceOf(error) {
    return this.app.form?.sentenceOf(error) ?? error.message;
  }

  /** The cell under the sliders, in words. */
  read() {
    const picture = this.picture;
    if (!picture) return;
    const [i, j] = this.scrubs.map((scrub) => Number(scrub.value));
    this.at = [picture.x[i], picture.y[j]];
    this.scrubs.forEach((scrub, index) => scrub.setAttribute("aria-valuetext", grouped(/** @type {number[]} */ (this.at)[index])));
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.say());
    const [x, y] = [placeOf(picture.x, this.at[0]), placeOf(picture.y, this.at[1])];
    this.cross.style.left = this.hairs[0].style.left = `${100 * x}%`;
    this.cross.style.bottom = this.hairs[1].style.bottom = `${100 * y}%`;
    this.cross.classList.toggle("at-end", x > 0.8);
    this.cross.classList.toggle("at-top", y > 0.8);
  }

  /** The sentence of the cell, asked for once a frame. */
  say() {
    if (!this.at) return;
    const answer = this.answerAt(this.at);
    const names = this.axes.map((axis, index) => `${axis.selectedOptions[0].label} ${grouped(/** @type {number[]} */ (this.at)[index])}`).join(", ");
    const sentence = answer.ok ? answer.value.verdict.sentence : this.sentenceOf(answer.error);
    this.readout.replaceChildren(make("b", {}, names), make("span", {}, sentence));
    this.said = [names, sentence, answer.ok ? answer.value.verdict.needed : ""];
    this.cross.textContent = this.said[2];
    this.showPanel();
  }

  takeValues() {
    if (!this.at) return;
    this.axes.forEach((axis, index) => this.app.scenario.given.set(axis.value, /** @type {number[]} */ (this.at)[index]));
    this.app.changed();
  }

  download() {
    const picture = this.picture;
    if (!picture) return;
    const rows = picture.y.flatMap((down, j) => picture.x.map((along, i) => {
      const bytes = picture.needed[j * picture.x.length + i];
      return `${along},${down},${bytes < 0 ? "" : bytes}`;
    }));
    const words = [`${this.axes[0].value},${this.axes[1].value},needed_bytes`, ...rows, ""].join("\n");
    const url = URL.createObjectURL(new Blob([words], { type: "text/csv" }));
    make("a", { href: url, download: "memwall-fit-map.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  /** The wall as a table: how far each of some rows goes. */
  drawTwin() {
    const picture = this.picture;
    if (!this.twin.open || !picture) return;
    const step = Math.max(1, Math.floor(picture.y.length / kTwinRows));
    const names = this.axes.map((axis) => axis.selectedOptions[0].label);
    const rows = picture.y.flatMap((down, j) => {
      if (j % step !== 0) return [];
      const cells = [...picture.needed.subarray(j * picture.x.length, (j + 1) * picture.x.length)];
      const last = cells.reduce((found, bytes, index) => (bytes >= 0 && bytes <= picture.usable ? index : found), -1);
      const answer = last < 0 ? undefined : this.answerAt([picture.x[last], down]);
      return [make("tr", {}, make("td", { class: "n" }, grouped(down)), make("td", { class: "n" }, last < 0 ? text("map.none") : grouped(picture.x[last])),
        make("td", { class: "n" }, answer?.ok ? answer.value.verdict.needed : ""))];
    });
    const heads = [names[1], text("map.largest", names[0]), text("map.needed")].map((name) => make("th", { scope: "col", class: "n" }, name));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
    this.twin.replaceChildren(/** @type {Element} */ (this.twin.firstElementChild), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("map.table") }, table));
  }
}
