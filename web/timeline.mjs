/**
 * Memory over the segments of a step: a stacked area, the usable memory as a line, the worst instant as a
 * dot, a slider that reads one instant with the rows alive in it, and the same as a table. Positions are the view
 * model's fractions; the rows of an instant are asked for when they can be seen.
 */
import { make, makeSvg } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").TimelineView} Timeline */
/** @typedef {import("./types").MomentView} Moment */
/** @typedef {import("./strings.mjs").Key} Key */

const kWidth = 1000;
const kHeight = 220;
const kPixelsPerLetter = 7;
/** A curve that stays below this part of the height is drawn larger, with the capacity above the picture. */
const kLowest = 0.45;

/** @param {number} value */
const short = (value) => value.toFixed(2);

export class TimelineChart {
  /**
   * @param {HTMLElement} host
   * @param {(index: number) => Moment | undefined} momentAt the rows of the instant at that place
   * @param {string} [label] of its slider
   */
  constructor(host, momentAt, label = text("timeline.read")) {
    this.momentAt = momentAt;
    this.at = 0;
    this.frame = 0;
    /** @type {Timeline | undefined} */
    this.timeline = undefined;
    this.zoom = 1;
    this.areas = makeSvg("svg", { viewBox: `0 0 ${kWidth} ${kHeight}`, preserveAspectRatio: "none", role: "img" });
    this.marks = makeSvg("svg", { "aria-hidden": "true" });
    this.plot = make("div", { class: "plot" });
    this.plot.append(this.areas, this.marks);
    this.segments = make("div", { class: "segments", "aria-hidden": "true" });
    this.steps = make("div", { class: "steps", "aria-hidden": "true" });
    this.legend = make("ul", { class: "legend", "aria-hidden": "true" });
    this.scrub = make("input", { type: "range", class: "scrub", min: "0", step: "1", "aria-label": label });
    this.readout = make("p", { class: "readout" });
    this.alive = make("details", { class: "alive" }, make("summary", {}, text("timeline.alive")));
    this.twin = make("details", { class: "twin" }, make("summary", {}, text("timeline.table")));
    host.replaceChildren(this.plot, this.segments, this.steps, this.scrub, this.readout, this.legend, this.alive, this.twin);
    this.scrub.addEventListener("input", () => this.read(Number(this.scrub.value)));
    this.plot.addEventListener("pointermove", (event) => {
      const box = this.plot.getBoundingClientRect();
      this.read(Math.floor(((event.clientX - box.left) / box.width) * this.count()));
    });
    this.plot.addEventListener("pointerleave", () => this.read(this.timeline?.worst ?? 0));
    this.twin.addEventListener("toggle", () => this.drawTwin());
    this.alive.addEventListener("toggle", () => this.drawAlive());
    // In a frame of its own: what is drawn changes sizes, and a page that does so while it is told of one reports an error.
    new ResizeObserver(() => requestAnimationFrame(() => this.drawSegments())).observe(host);
  }

  count() {
    return this.timeline?.instants.length ?? 0;
  }

  /**
   * Every instant is a step of the same width; x is its left edge, so half a step further is its middle.
   * @param {number} index
   */
  x(index) {
    return (index / Math.max(1, this.count())) * kWidth;
  }

  /** @param {Timeline} timeline @param {import("./types").BarView[]} [bar] what the categories hold at the worst instant, where that is known */
  draw(timeline, bar) {
    this.timeline = timeline;
    this.bar = bar;
    if (timeline.instants.length === 0) return;
    const most = timeline.instants[timeline.worst].fraction;
    this.zoom = most < kLowest ? kLowest / most : 1;
    this.areas.setAttribute("aria-label", timeline.description);
    this.drawAreas(timeline);
    this.drawSegments();
    this.legend.replaceChildren(...timeline.categories.map((category, index) => make("li", { "data-category": category }, make("b"), ` ${timeline.category_labels[index]}`)));
    this.scrub.max = String(timeline.instants.length - 1);
    this.read(timeline.worst);
    this.drawTwin();
  }

  /** @param {Timeline} timeline */
  drawAreas(timeline) {
    const { instants, categories } = timeline;
    const base = instants.map(() => 0);
    const y = (/** @type {number} */ fraction) => short((1 - fraction * this.zoom) * kHeight);
    this.areas.replaceChildren(...categories.map((category, layer) => {
      const edge = () => instants.flatMap((_, at) => [at, at + 1].map((side) => `${short(this.x(side))},${y(base[at])}`));
      const bottom = edge().reverse();
      instants.forEach((instant, at) => (base[at] += instant.by_category[layer]));
      const top = edge();
      return makeSvg("path", { class: "area", "data-category": category, d: `M${[...top, ...bottom].join("L")}Z` });
    }));
  }

  /** @param {number} index */
  read(index) {
    const timeline = this.timeline;
    const instant = timeline?.instants[Math.min(Math.max(index, 0), this.count() - 1)];
    if (!timeline || !instant) return;
    const percent = (/** @type {number} */ fraction) => `${short(fraction * 100)}%`;
    const across = (/** @type {number} */ at) => percent(this.x(at + 0.5) / kWidth);
    this.scrub.value = String(index);
    this.scrub.setAttribute("aria-valuetext", `${instant.label}: ${instant.text}`);
    this.readout.replaceChildren(make("b", {}, instant.text), make("span", {}, instant.label));
    const wall = Math.min(1, timeline.capacity_fraction * this.zoom);
    const capacity = percent(1 - wall);
    this.marks.replaceChildren(
      makeSvg("line", { class: "cursor", x1: across(index), x2: across(index), y1: "0", y2: "100%" }),
      makeSvg("circle", { class: "worst-dot", r: "5", cx: across(timeline.worst), cy: percent(1 - timeline.instants[timeline.worst].fraction * this.zoom) }));
    if (wall > 0) this.drawWall(timeline, wall, capacity);
    this.at = index;
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.drawAlive());
  }

  /** The rows of the instant that is read; a pointer that moves asks once a frame. */
  drawAlive() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const isKnown = this.bar !== undefined && this.at === this.timeline?.worst;
    const moment = this.count() > 0 && (this.alive.open || !isKnown) ? this.momentAt(Math.min(Math.max(this.at, 0), this.count() - 1)) : undefined;
    const bar = moment?.bar ?? (isKnown ? this.bar : []);
    for (const item of /** @type {Iterable<HTMLElement>} */ (this.legend.children))
      /** @type {Element} */ (item.firstElementChild).textContent = bar?.find(({ category }) => category === item.dataset.category)?.text ?? "–";
    if (!moment || !this.alive.open) return;
    this.fillTable(this.alive, "timeline.alive", ["timeline.row", "timeline.bytes"], this.groupsOf(moment));
  }

  /**
   * One body of the table a category, the largest first; a row's key begins with its category.
   * @param {Moment} moment
   */
  groupsOf({ rows }) {
    const of = (/** @type {{ key: string }} */ { key }) => key.split(".")[0];
    const size = (/** @type {string} */ category) => rows.reduce((sum, row) => sum + (of(row) === category ? row.fraction : 0), 0);
    const { categories = [], category_labels = [] } = this.timeline ?? {};
    return [...new Set(rows.map(of))].sort((a, b) => size(b) - size(a)).map((category) => make("tbody", { "data-category": category },
      make("tr", {}, make("th", { scope: "rowgroup", colspan: "2" }, make("span", { class: "swatch" }), ` ${category_labels[categories.indexOf(category)] ?? ""}`)),
      ...rows.filter((row) => of(row) === category).map((row) => make("tr", { "data-key": row.key },
        make("td", {}, this.why(row), make("span", { class: "quiet" }, ` ${row.numbers}`)), make("td", { class: "n" }, row.text)))));
  }

  /** A row's title, which unfolds why it is so. @param {import("./types").RowView} row */
  why(row) {
    const button = make("button", { type: "button", class: "asks", "aria-expanded": "false" }, row.title);
    button.addEventListener("click", async (event) => {
      event.stopPropagation();
      (await import("./why.mjs")).unfoldBelow(button, row);
    });
    return button;
  }

  /** @param {Timeline} timeline @param {number} wall @param {string} y */
  drawWall(timeline, wall, y) {
    const isAbove = this.zoom > 1;
    if (!isAbove) this.marks.prepend(makeSvg("line", { class: "wall", x1: "0", x2: "100%", y1: y, y2: y }));
    const label = `${isAbove ? "↑ " : ""}${timeline.capacity} ${text("timeline.capacity")}`;
    this.marks.append(makeSvg("text", { class: "wall-label", x: "4", y, dy: wall > 0.9 ? "18" : "-7" }, label));
  }

  /** Below the plot one label for each run of instants of a segment, and of a step; too narrow ones stay empty. */
  drawSegments() {
    const instants = this.timeline?.instants ?? [];
    this.segments.replaceChildren(...this.runsOf(instants.map((instant) => [instant.segment, instant.step])));
    this.steps.replaceChildren(...this.runsOf(instants.map((instant) => [instant.step, ""])));
  }

  /** @param {[label: string, parent: string][]} labels one an instant */
  runsOf(labels) {
    /** @type {{ label: string, key: string, count: number }[]} */
    const runs = [];
    for (const [label, parent] of labels) {
      const last = runs.at(-1);
      if (last?.key === label + parent) last.count += 1;
      else runs.push({ label, key: label + parent, count: 1 });
    }
    const room = this.plot.clientWidth / Math.max(1, labels.length);
    return runs.map(({ label, count }) => makeSvg("svg", { width: `${short((count / labels.length) * 100)}%` },
      makeSvg("line", { x1: "0.5", x2: "0.5", y1: "0", y2: "8" }),
      makeSvg("text", { x: "6", y: "16" }, count * room > label.length * kPixelsPerLetter + 8 ? label : "")));
  }

  drawTwin() {
    const timeline = this.timeline;
    if (!this.twin.open || !timeline) return;
    const rows = timeline.instants.map((instant, index) => make("tr", {},
      make("td", {}, instant.label, index === timeline.worst && !timeline.is_part ? make("b", {}, ` ${text("timeline.worst")}`) : ""), make("td", { class: "n" }, instant.text)));
    this.fillTable(this.twin, "timeline.table", ["timeline.moment", "timeline.total"], [make("tbody", {}, ...rows)]);
  }

  /**
   * @param {Element} host details that keep their summary
   * @param {Key} title
   * @param {[left: Key, right: Key]} heads
   * @param {Element[]} bodies
   */
  fillTable(host, title, [left, right], bodies) {
    const table = make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, text(left)), make("th", { scope: "col", class: "n" }, text(right)))),
      ...bodies);
    const scroll = host.querySelector(".scroll")?.scrollTop ?? 0;
    host.replaceChildren(/** @type {Element} */ (host.firstElementChild),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text(title) }, table));
    /** @type {Element} */ (host.lastElementChild).scrollTop = scroll;
  }
}
