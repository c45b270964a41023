/**
 * What is inside a <memwall-calculator>: parts of the page (scripts/generate_site.py takes them from index.html), filled as the
 * page fills them, in a shadow root with the page's style sheet. One core answers for all calculators of a document.
 */
import { fill, fillClosed, learnAt } from "./bind.mjs";
import { parts } from "./calculator-parts.mjs";
import { make } from "./dom.mjs";
import { Engine, sentenceOf } from "./engine.mjs";
import { Scenario } from "./scenario.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").ViewModel} ViewModel */
/** @typedef {string | [tag: string, attributes: Record<string, string>, ...children: any[]]} Tree */

const kDefaults = { "model.ref": "meta-llama/Llama-3.1-8B", "accelerator.name": "H100 SXM5 80GB" };
const kAttributes = /** @type {const} */ ({ model: "model.ref", gpu: "accelerator.name", task: "task" });
/** Views that are fetched when they are asked for, each into an element of its own. */
const kLater = {
  "fit-map": async (/** @type {any} */ app, /** @type {HTMLElement} */ host) => (await import("./fit-map.mjs")).FitMap.open(app, host),
  methods: async (/** @type {any} */ app, /** @type {HTMLElement} */ host) => (await import("./methods.mjs")).openMethods(app, host),
};
const kSvg = new Set(["svg", "rect", "line", "g", "path"]);

/** @type {Promise<Engine> | undefined} */
let engine;
/** @type {Promise<void> | undefined} reasons and sources, once for all */
let explaining;
/** @param {Engine} engine */
const explain = (engine) => (explaining ??= engine.explain().catch((error) => {
  explaining = undefined;
  throw error;
}));
/** @typedef {{ base: CSSStyleSheet, dark: CSSStyleSheet }} Sheet */
/** @type {Promise<Sheet> | undefined} */
let sheets;
/** @type {Map<string, Promise<Sheet>>} */
const laterSheets = new Map();

/**
 * A sheet of the page for a shadow root: what speaks of the page speaks of the element, what asks for the window's width asks for the
 * element's, and what asks for the system's dark is a sheet of its own.
 * @param {string} name @param {Partial<Record<keyof Sheet, string>>} [more]
 * @returns {Promise<Sheet>}
 */
async function loadSheet(name, more = {}) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const source = (await answer.text()).replaceAll(":root", ":host").replace("body{", ".memwall{").replace(/@media \((max-width:[^)]*)\)/g, "@container ($1)");
  const colours = /@media \(prefers-color-scheme:\s*dark\)\{:host[^{]*(\{[^}]*\})\}/.exec(source);
  const base = new CSSStyleSheet();
  const dark = new CSSStyleSheet();
  base.replaceSync(`${source.replace(colours?.[0] ?? "", "")}${more.base ?? ""}`);
  dark.replaceSync(`${colours ? `:host${colours[1]}` : ""}${more.dark ?? ""}`);
  return { base, dark };
}

const loadSheets = () => loadSheet("style.css", { dark: ":host { color-scheme: dark; }", base: `
    :host { display: block; position: relative; container-type: inline-size; color-scheme: light; border: 1px solid var(--rule); border-radius: 6px; overflow: clip; }
    :host([hidden]) { display: none; }
    .memwall { container-type: inline-size; padding: 16px 20px; } .memwall > section { padding: 0; max-width: none; } .details > section { padding-top: 24px; }
    .sentence { min-height: 0; } .memwall .fields { grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); margin: 12px 0; } .memwall .open { margin-top: 12px; font-size: 13px; }
    .compact :is(.basis, .legend, .title) { display: none; } .compact .sentence { font-size: 18px; line-height: 26px; } .compact.memwall { padding: 12px; }
    .memwall > form { min-height: 320px; } .listbox { max-height: 220px; }` });

/** @param {string} place below the folder of this file */
const beside = (place) => new URL(place, import.meta.url).href;
learnAt(beside("learn/"));

/** @param {Tree} tree @returns {Node} */
function grown(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, attributes, ...children] = tree;
  const element = kSvg.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, name === "href" ? beside(value) : value);
  if (tag === "a") element.setAttribute("target", "_blank");
  (element instanceof HTMLTemplateElement ? element.content : element).append(...children.map(grown));
  return element;
}

/**
 * Whether the nearest ground that is painted behind an element is dark; undefined where none is. A page may have a switch of its own
 * and say nothing by color-scheme.
 * @param {Element} element
 */
function isDarkBehind(element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    const [red, green, blue, opacity = 1] = (getComputedStyle(each).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (opacity > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
  }
  return undefined;
}

export class Calculator {
  /**
   * @param {HTMLElement} host
   * @param {object} [early] a scenario that was set before
   */
  static async create(host, early) {
    const [ready, found] = await Promise.all([(engine ??= Engine.load()), (sheets ??= loadSheets())]).catch((error) => {
      engine = sheets = undefined;
      throw error;
    });
    const made = new Calculator(host, ready, found);
    await made.read();
    made.begin(early);
    return made;
  }

  /** @param {HTMLElement} host @param {Engine} engine @param {Sheet} sheet */
  constructor(host, engine, sheet) {
    this.host = host;
    this.root = /** @type {ShadowRoot} */ (host.shadowRoot);
    this.engine = engine;
    this.sheets = [sheet];
    this.scenario = new Scenario();
    /** @type {import("./calculator-form.mjs").ElementForm | undefined} */
    this.inputs = undefined;
    /** @type {ViewModel | undefined} */
    this.view = undefined;
    this.shown = "";
    /** @type {import("./engine.mjs").Refusal | undefined} of what is asked, when it was refused */
    this.refusal = undefined;
    /** @type {Promise<(() => void) | undefined> | undefined} with what closes it */
    this.canvas = undefined;
    /** @type {Promise<void> | undefined} of the one before */
    this.closing = undefined;
    this.pending = 0;
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.restyle = () => this.paint();
    this.around = new MutationObserver(this.restyle);
    /** Tells the later views, as the page tells its own. */
    this.bell = new EventTarget();
    this.isDark = false;
    /** Where headings lead that only the canvas has. */
    this.places = parts.places;
  }

  /** @param {string} name of a style sheet beside this file, for a later view */
  async addSheet(name) {
    laterSheets.set(name, laterSheets.get(name) ?? loadSheet(name));
    this.sheets = [...this.sheets, await /** @type {Promise<Sheet>} */ (laterSheets.get(name))];
    this.paint();
  }

  /** @param {string} view */
  async layLater(view) {
    if (view === "canvas" && this.inputs) return this.openCanvas();
    // Rows say why they are there; that comes behind the numbers.
    if (view === "breakdown" || view === "timeline") return explain(this.engine).then(() => this.changed(), () => {});
    const open = kLater[/** @type {keyof typeof kLater} */ (view)];
    if (!open) return;
    const place = make("div", { id: view === "fit-map" ? "map" : view });
    this.body?.append(make("section", { class: "details" }, place));
    try {
      await explain(this.engine);
      await open(this, place);
    } catch (error) {
      place.append(make("p", { class: "basis", role: "alert" }, text("explain_failed", error instanceof Error ? error.message : String(error))));
    }
  }

  /** The canvas comes over what is there already, which stays when it cannot be shown. */
  openCanvas() {
    const { body, closing } = this;
    if (this.canvas || !body) return;
    this.canvas = (async () => {
      try {
        const [{ openCanvas }] = await Promise.all([import("./canvas-element.mjs"), explain(this.engine), closing]);
        if (this.body !== body) return undefined;
        this.changed();
        return await openCanvas(this, body);
      } catch (error) {
        if (this.note) this.note.textContent = text("canvas.failed", error instanceof Error ? error.message : String(error));
        return undefined;
      }
    })();
  }

  closeCanvas() {
    if (this.canvas) this.closing = this.canvas.then((close) => close?.());
    this.canvas = undefined;
  }

  ring() {
    this.bell.dispatchEvent(new Event("memwall-answer"));
  }

  /** @param {object} [early] */
  begin(early) {
    if (early) this.state(early);
    this.lay();
    if (this.host.isConnected) this.connect();
    this.update();
  }

  /** Follows the colours of the page around it: the system's, or those a switch of that page sets. */
  connect() {
    this.scheme.addEventListener("change", this.restyle);
    for (const element of [document.documentElement, document.body]) this.around.observe(element, { attributes: true });
    this.paint();
    if (this.inputs && this.view && this.viewName() === "canvas") this.openCanvas();
  }

  disconnect() {
    this.closeCanvas();
    this.scheme.removeEventListener("change", this.restyle);
    this.around.disconnect();
  }

  paint() {
    const theme = this.host.getAttribute("theme") ?? "auto";
    // The host's own color-scheme is set by our sheet; what the page says is seen on its parent.
    const said = getComputedStyle(this.host.parentElement ?? document.documentElement).colorScheme;
    const follows = said === "dark" || said === "light" ? said === "dark" : isDarkBehind(this.host) ?? (this.scheme.matches && said !== "only light");
    const isDark = theme === "dark" || (theme !== "light" && follows);
    this.root.adoptedStyleSheets = this.sheets.flatMap(({ base, dark }) => (isDark ? [base, dark] : [base]));
    if (isDark !== this.isDark && this.shown) this.ring();
    this.isDark = isDark;
  }

  /** A link may need more of the core than a verdict. */
  async read() {
    try {
      this.readAttributes();
    } catch (error) {
      if (this.engine.rest) throw error;
      await this.engine.complete();
      this.readAttributes();
    }
  }

  /** What the attributes say, over the defaults. */
  readAttributes() {
    this.scenario = new Scenario();
    const link = this.host.getAttribute("scenario") ?? "";
    if (link.startsWith("{")) this.state(JSON.parse(link));
    else if (link) {
      /** @type {import("./engine.mjs").Answer<{ scenario: import("./scenario.mjs").Nested }>} */
      const answer = this.engine.call("scenario_from_share", link.startsWith("#") ? link : `#${link}`);
      if (answer.ok) this.state(answer.value.scenario);
    }
    for (const [name, key] of Object.entries(kAttributes)) {
      const value = this.host.getAttribute(name);
      if (value) this.scenario.given.set(key, value);
    }
    const hasModel = [...this.scenario.given.keys()].some((key) => key.startsWith("model."));
    for (const [key, value] of Object.entries(kDefaults)) if (!(key === "model.ref" && hasModel) && !this.scenario.given.has(key)) this.scenario.given.set(key, value);
  }

  /** @param {object} nested */
  state(nested) {
    this.scenario = Scenario.fromJson(/** @type {import("./scenario.mjs").Nested} */ (nested));
  }

  /** @param {object} nested */
  setScenario(nested) {
    this.state(nested);
    this.changed();
  }

  scenarioObject() {
    return JSON.parse(this.scenario.toJson());
  }

  /** To what the attributes say. */
  async reset() {
    await this.read();
    this.changed();
  }

  /** @param {string} name of an attribute that changed */
  async take(name) {
    if (name === "theme") return this.paint();
    if (name in kAttributes || name === "scenario") await this.read();
    else this.lay();
    this.changed();
  }

  viewName() {
    return this.host.getAttribute("view") ?? "verdict";
  }

  /** The parts of the view that is asked for. */
  lay() {
    const view = this.viewName();
    this.closeCanvas();
    this.inputs = undefined;
    this.body = make("div", { class: `memwall${this.host.hasAttribute("compact") ? " compact" : ""}`, part: "calculator" });
    if (view === "form" || view === "canvas") this.layForm(this.body);
    this.body.append(grown(parts.verdict));
    if (view === "breakdown" || view === "canvas") this.body.append(grown(parts.breakdown));
    if (view === "timeline" || view === "canvas") this.body.append(grown(parts.timeline));
    this.alert = make("p", { class: "stale", role: "alert", hidden: true });
    this.note = make("p", { class: "basis", role: "status" });
    this.link = make("a", { target: "_blank", rel: "noopener" }, text("embed.open"));
    this.body.append(this.alert, this.note, make("p", { class: "open" }, this.link));
    this.chart = undefined;
    const chart = /** @type {HTMLElement | null} */ (this.body.querySelector(".chart"));
    if (chart) this.drawTimeline(chart);
    this.root.replaceChildren(this.body);
    this.laterView = view;
  }

  /** What most views go without is fetched for those that show it. @param {HTMLElement} place */
  async drawTimeline(place) {
    const { TimelineChart } = await import("./timeline.mjs");
    if (!this.body?.contains(place)) return;
    this.chart = new TimelineChart(place, (index) => this.momentAt(index));
    if (this.view) this.chart.draw(this.view.timeline, this.view.bar);
  }

  /** Its place is kept until it is there. @param {HTMLElement} body */
  async layForm(body) {
    const place = make("form", { autocomplete: "off" });
    place.addEventListener("submit", (event) => event.preventDefault());
    body.append(place);
    const { ElementForm } = await import("./calculator-form.mjs");
    if (this.body !== body) return;
    this.inputs = new ElementForm(this, place);
    if (this.view) this.inputs.show(this.view);
    if (this.view && this.viewName() === "canvas") this.openCanvas();
  }

  /** @param {string} key */
  isLocked(key) {
    const locked = (this.host.getAttribute("locked") ?? "").split(/[\s,]+/);
    return locked.includes("all") || locked.includes(key) || Object.entries(kAttributes).some(([name, each]) => each === key && locked.includes(name));
  }

  /** @param {string} key @param {string | undefined} value */
  set(key, value) {
    if (value === undefined) this.scenario.given.delete(key);
    else this.scenario.given.set(key, value);
    this.changed();
  }

  changed() {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.update());
  }

  update() {
    this.pending = 0;
    const asked = this.scenario.toJson();
    /** @type {import("./engine.mjs").Answer<ViewModel>} */
    let answer;
    try {
      answer = this.engine.call("view", asked);
    } catch (error) {
      return this.engine.again(error, () => this.update());
    }
    this.refusal = answer.ok ? undefined : answer.error;
    if (this.alert) {
      this.alert.hidden = answer.ok;
      this.alert.textContent = answer.ok ? "" : sentenceOf(answer.error);
    }
    if (answer.ok) {
      this.show(answer.value, asked);
    } else {
      this.inputs?.refuse(answer.error);
      this.ring();
    }
    const view = answer.ok ? answer.value : undefined;
    this.host.dispatchEvent(new CustomEvent("memwall-change", { bubbles: true, composed: true, detail: {
      scenario: JSON.parse(asked), verdict: view?.verdict, numbers: view?.numbers, error: answer.ok ? undefined : answer.error,
      /** The whole answer to this scenario, for who wants it: it needs more of the core than a verdict does. */
      estimate: () => this.estimate(asked),
    } }));
  }

  /** @param {ViewModel} view @param {string} asked */
  show(view, asked) {
    this.view = view;
    this.shown = asked;
    for (const part of this.body?.querySelectorAll(":scope > section") ?? []) fill(part, [/** @type {import("./bind.mjs").Scope} */ (/** @type {unknown} */ (view))]);
    fillClosed();
    if (this.link) this.link.href = new URL(`./${view.share}`, import.meta.url).href;
    this.chart?.draw(view.timeline, view.bar);
    this.inputs?.show(view);
    this.ring();
    // It asks about the scenario that is shown, so there must be one.
    if (this.laterView) this.layLater(this.laterView);
    this.laterView = undefined;
  }

  /** @param {number} index */
  momentAt(index) {
    if (!this.engine.rest) return void this.engine.complete().then(() => this.chart?.drawAlive(), () => {});
    /** @type {import("./engine.mjs").Answer<import("./types").MomentView>} */
    const answer = this.engine.call("moment", this.shown, String(index));
    return answer.ok ? answer.value : undefined;
  }

  async estimate(asked = this.scenario.toJson()) {
    await this.engine.complete();
    const answer = JSON.parse(this.engine.raw("estimate", asked));
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer;
  }
}
