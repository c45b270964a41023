/**
 * The page: holds the scenario, asks the core after every change, and fills the HTML that is already there.
 * One direction: a control changes the scenario, `update` asks for one view model, everything is filled.
 */
import { fill, fillClosed } from "./bind.mjs";
import { byId, make, showPanel } from "./dom.mjs";
import { Engine, sentenceOf } from "./engine.mjs";
import { Scenario } from "./scenario.mjs";
import { connectShare } from "./share.mjs";
import { keep, kept, keptSettings } from "./storage.mjs";
import { text, word } from "./strings.mjs";
import { TimelineChart } from "./timeline.mjs";
import { showCrash, showTrouble } from "./trouble.mjs";

/** @typedef {import("./types").ViewModel} ViewModel */
/** @typedef {import("./form.mjs").Form} Form */

document.documentElement.setAttribute("data-running", "");

/** @type {Page | undefined} */
let app;
/** The model whose button was pressed before the core was there. */
let early = "";
document.addEventListener("click", (event) => {
  const ref = /** @type {Element} */ (event.target).closest("[data-model]")?.getAttribute("data-model");
  if (ref && app) app.choose(ref);
  else if (ref) early = ref;
});

// The script does not wait for the document, so that the core is compiled meanwhile.
if (document.readyState === "loading") await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));

const page = /** @type {HTMLElement} */ (document.querySelector(".page"));
const filled = [".chip", "#answer", ".beside", "#details", ".facts", ".foot"].map((selector) => /** @type {Element} */ (document.querySelector(selector)));

/** What the page shows before anything is asked. @returns {import("./scenario.mjs").Nested} */
const defaultScenario = () => JSON.parse(page.dataset.defaultScenario ?? "{}");

/** What a first search needs is asked for when the first answer has long been drawn. */
const kQuietMs = 500;

export class Page {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.settings = keptSettings();
    /** The last scenario of an earlier visit, until it is answered. A version that cannot answer it goes on with its own. */
    this.restored = Boolean(this.settings.last) && location.hash.length < 2 && typeof kept("last") === "object";
    this.scenario = Scenario.fromJson(this.restored ? kept("last") : defaultScenario());
    if (early) this.scenario.given.set("model.ref", early);
    /** @type {ViewModel | undefined} the last good one */
    this.view = undefined;
    this.shown = "";
    /** @type {"name" | "size" | undefined} */
    this.sort = undefined;
    /** @type {import("./engine.mjs").Refusal | undefined} of what the form says, when it was refused */
    this.refusal = undefined;
    /** @type {Form | undefined} */
    this.form = undefined;
    this.pending = 0;
    this.answers = 0;
    this.rest = 0;
    /** @type {Promise<void> | undefined} */
    this.explaining = undefined;
    /** @type {(() => void) | undefined} told after every answer */
    this.answered = undefined;
    this.chart = new TimelineChart(byId("chart"), (index) => this.momentAt(index));
    if (this.settings.units) engine.showUnits(this.settings.units);
    connectShare(this);
  }

  /** @param {string} ref a model of the catalogue */
  choose(ref) {
    this.scenario.choose(ref);
    this.changed();
  }

  /** The answer comes first, also one that is asked for meanwhile; then the rest of the core and the form. */
  async makeForm() {
    /** @type {typeof import("./form.mjs")} */
    let arrived;
    try {
      [arrived] = await Promise.all([import("./form.mjs"), this.engine.complete()]);
    } catch (error) {
      return this.showMissing(error, () => this.makeForm());
    }
    if (this.pending !== 0) return void setTimeout(() => this.makeForm());
    const form = (this.form = new arrived.Form(this));
    if (this.view) form.show(this.view);
    if (this.refusal) this.refuse(this.refusal);
    this.connectCanvas();
    this.connectLater("map", async (host) => (await import("./fit-map.mjs")).FitMap.open(this, host));
    this.connectLater("instants", async (host) => (await import("./instants.mjs")).openInstants(this, host));
    this.connectLater("allocator", async (host) => (await import("./allocator.mjs")).openAllocator(this, host));
    this.connectLater("shortlist", async (host) => (await import("./shortlist.mjs")).openShortlist(this, host));
    this.connectLater("accuracy", async (host) => (await import("./accuracy.mjs")).openAccuracy(this, host));
    this.connectLater("pins", async (host) => (await import("./pins.mjs")).openPins(this, host));
    byId("pin").addEventListener("click", async () => {
      try {
        await this.explain();
        await (await import("./pins.mjs")).pin(this);
      } catch (error) {
        this.showMissing(error, () => byId("pin").click());
      }
    });
    this.connectSettings();
    this.connectLater("methods", async (host) => (await import("./methods.mjs")).openMethods(this, host));
    setTimeout(() => form.prepare(), kQuietMs);
    document.documentElement.setAttribute("data-ready", "");
    document.head.append(make("link", { rel: "stylesheet", href: "fonts.css" }));
    this.explain().then(() => import("./offline.mjs")).then(({ stayOffline }) => stayOffline(this, text, make), () => {}); // it is not needed
  }

  /** Reasons, sources and help: asked for when the first answer stands, or before by what needs them. Until then the core says that they are to come. */
  explain() {
    return (this.explaining ??= this.engine.explain().then(
      () => {
        this.form?.explain();
        this.update();
      },
      (error) => {
        this.explaining = undefined;
        this.showMissing(error, () => this.explain());
      },
    ));
  }

  /** @param {any} error why something did not arrive @param {() => void} again */
  showMissing(error, again) {
    showTrouble(text("explain_failed", error.message), text("retry"), () => {
      byId("trouble").hidden = true;
      again();
    });
  }

  /** Several changes before the next frame cost one estimate. Until then the page is busy: what it shows answers an earlier question. */
  changed() {
    page.setAttribute("aria-busy", "true");
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.update());
  }

  update() {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    clearTimeout(this.rest);
    page.setAttribute("aria-busy", "true");
    const asked = this.scenario.toJson();
    const unread = this.form?.unreadConfig();
    /** @type {import("./engine.mjs").Answer<ViewModel>} */
    let answer;
    try {
      answer = unread ? { ok: false, error: unread } : this.engine.call("view", asked);
    } catch (error) {
      return this.engine.again(error, () => this.update());
    }
    if (answer.ok) this.show(answer.value, asked);
    else this.refuse(answer.error);
    this.rest = setTimeout(() => this.finish());
  }

  /** What cannot be seen of an answer or stands far below, when the rest is painted. */
  finish() {
    if (this.pending !== 0) return;
    fillClosed();
    if (this.view) this.chart.draw(this.view.timeline, this.view.bar);
    if (this.settings.last) this.keepLast();
    page.dataset.answers = String(++this.answers);
    page.removeAttribute("aria-busy");
    document.dispatchEvent(new Event("memwall-answer"));
  }

  /** @param {number} index of the timeline that is shown */
  momentAt(index) {
    if (!this.engine.rest) return undefined;
    /** @type {import("./engine.mjs").Answer<import("./types").MomentView>} */
    const answer = this.engine.call("moment", this.shown, String(index));
    return answer.ok ? answer.value : undefined;
  }

  /**
   * @param {ViewModel} view
   * @param {string} asked the scenario it answers
   */
  show(view, asked) {
    this.view = view;
    this.shown = asked;
    this.refusal = undefined;
    this.restored = false;
    this.markStale(false);
    const arranged = this.arranged(view);
    for (const element of filled) fill(element, [arranged]);
    this.form?.show(view);
    this.answered?.();
    document.title = `${word(`state.${view.verdict.state}`, "")} · ${view.title} · memwall`;
  }

  /** Sorted as is wished: by name, by size, or as it comes. @param {ViewModel} view @returns {import("./bind.mjs").Scope} */
  arranged({ groups, ...others }) {
    const { sort } = this;
    const by = (/** @type {any[]} */ all, /** @type {string} */ name) => (sort ? [...all].sort((a, b) => (sort === "name" ? (a[name] < b[name] ? -1 : 1) : b.fraction - a.fraction)) : all);
    return { ...others, groups: by(groups, "label").map((group) => ({ ...group, rows: by(group.rows, "title") })) };
  }

  /** @param {boolean} isStale what is shown is not the answer to what the form says */
  markStale(isStale) {
    page.toggleAttribute("data-stale", isStale);
    byId("stale").hidden = !isStale;
    for (const button of document.querySelectorAll(".actions button")) button.toggleAttribute("disabled", isStale);
  }

  /**
   * The last good answer stays, marked; the sentence stands at its field.
   * @param {import("./engine.mjs").Refusal} error
   */
  refuse(error) {
    if (this.restored) {
      this.restored = false;
      this.scenario = Scenario.fromJson(defaultScenario());
      return this.update();
    }
    this.refusal = error;
    this.markStale(true);
    byId("stale-why").textContent = this.form ? this.form.sentenceOf(error) : sentenceOf(error);
    this.form?.refuse(error);
    this.answered?.();
  }

  /**
   * Views that are fetched when they are opened.
   * @param {string} id of their <details>
   * @param {(host: HTMLElement) => Promise<unknown>} open
   */
  connectLater(id, open) {
    const details = byId(id);
    const host = /** @type {HTMLElement} */ (details.lastElementChild);
    const opened = async () => {
      try {
        await this.explain();
        await open(host);
      } catch (/** @type {any} */ error) {
        const note = text("explain_failed", error.message);
        const button = make("button", { type: "button" }, text("retry"));
        button.addEventListener("click", opened);
        host.replaceChildren(make("div", { class: "message", role: "alert" }, make("p", {}, note), button));
        showPanel(host, { note, columns: [], rows: [], buttons: [{ name: "retry", label: text("retry") }] }, opened);
      }
    };
    details.addEventListener("toggle", opened, { once: true });
  }

  keepLast() {
    if (this.shown) keep("last", JSON.parse(this.shown));
  }

  /** @param {import("./storage.mjs").Settings} settings */
  apply(settings) {
    this.settings = settings;
    document.documentElement.setAttribute("data-theme", settings.theme ?? "auto");
    document.dispatchEvent(new Event("memwall-theme"));
    this.engine.showUnits(settings.units ?? "GiB");
    this.changed();
  }

  connectSettings() {
    const button = byId("settings");
    const open = async () => {
      try {
        (await import("./settings.mjs")).openSettings(this);
      } catch (error) {
        this.showMissing(error, open);
      }
    };
    button.addEventListener("click", open);
    button.hidden = false;
  }

  /** The canvas is fetched when it is asked for, and the form stays when it cannot be shown. */
  connectCanvas() {
    const button = byId("canvas-switch");
    /** @type {(() => void) | undefined} */
    let close;
    button.addEventListener("click", async () => {
      if (close) {
        close();
        close = undefined;
      } else {
        try {
          const [{ openCanvas }] = await Promise.all([import("./canvas.mjs"), this.explain()]);
          close = await openCanvas(this);
        } catch (error) {
          showTrouble(text("canvas.failed", error instanceof Error ? error.message : String(error)), text("note.dismiss"), () => (byId("trouble").hidden = true));
        }
      }
      button.textContent = text(close ? "canvas.close" : "canvas.open");
    });
    button.hidden = false;
    if (this.settings.view === "canvas") button.click();
  }
}

async function run() {
  try {
    const made = (app = new Page(await Engine.load()));
    addEventListener("error", (event) => showCrash(made, event.error ?? event.message));
    addEventListener("unhandledrejection", (event) => showCrash(made, event.reason));
    requestAnimationFrame(() => setTimeout(() => made.makeForm()));
  } catch (error) {
    document.documentElement.setAttribute("data-failed", "");
    showTrouble(text("load_failed", error instanceof Error ? error.message : String(error)), text("retry"), () => location.reload());
  }
}

run();
