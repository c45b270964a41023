/**
 * The canvas of a <memwall-calculator view="canvas">: as large as the element, with a scroll of its own. What the element shows
 * without it (form, verdict, breakdown) is there first, and stays as its twin.
 */
import { loadCanvas } from "./canvas-host.mjs";
import { fieldOf, searchOf } from "./canvas-inputs.mjs";
import { CanvasView, copyText } from "./canvas-view.mjs";
import { make } from "./dom.mjs";
import { sentenceOf } from "./engine.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./calculator.mjs").Calculator} Calculator */

/** What cannot be changed here is said. @param {Calculator} app @param {any} field */
const locked = (app, field) => (app.isLocked(field.key) ? { ...field, kind: "fixed", largest: "", stepper: false } : field);

/** @param {Calculator} app @param {string} done */
function sectionsOf(app, done) {
  const form = app.inputs;
  const ofGpu = /^(accelerator|mesh)\./;
  const fields = [...(form?.controls.values() ?? [])].filter(({ element }) => !element.hidden).map((control) => locked(app, fieldOf(control, app)));
  const section = (/** @type {string} */ key, /** @type {string} */ title, /** @type {any[]} */ all) => ({ key, title, foldable: false, summary: "", fields: all });
  const search = (/** @type {"model.ref" | "accelerator.name"} */ key) => locked(app, searchOf(key, form?.boxes.get(key)));
  return {
    sections: [section("model", text("model"), [search("model.ref")]), section("accelerator", text("accelerator"), [search("accelerator.name"), ...fields.filter(({ key }) => ofGpu.test(key))]),
      section("run", text("run"), fields.filter(({ key }) => !ofGpu.test(key)))],
    stale: app.refusal ? sentenceOf(app.refusal) : "", done,
  };
}

/**
 * @param {Calculator} app
 * @param {HTMLElement} twin what it stands for
 * @returns {Promise<() => void>} what takes it away
 */
export async function openCanvas(app, twin) {
  await Promise.all([app.addSheet("canvas.css"), loadCanvas()]);
  const place = make("section", { "aria-label": text("canvas.label") });
  const scroller = make("div", { class: "canvas-scroll" }, place);
  const frame = make("div", { class: "canvas-place" }, scroller);
  let done = "";
  /** @type {Record<string, () => unknown>} */
  const kButtons = {
    "reset-all": () => app.reset(),
    "copy-link": () => take(app.link?.href ?? ""),
    "copy-markdown": () => take(JSON.parse(app.engine.raw("markdown", app.shown)).value ?? ""),
    "download-json": async () => {
      const url = URL.createObjectURL(new Blob([app.engine.raw("estimate", app.shown)], { type: "application/json" }));
      make("a", { href: url, download: "memwall.json" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    },
  };
  /** @param {string} words */
  const take = async (words) => {
    await copyText(words);
    done = text("copied");
    view.sendInputs();
  };
  const view = new CanvasView(app, place, {
    scroller,
    twin,
    lead: (term) => open(new URL(app.places[term] ?? `learn/#${term}`, import.meta.url), "_blank", "noopener"),
    inputs: (steps) => ({ ...sectionsOf(app, done), can_undo: steps.canUndo, can_redo: steps.canRedo }),
    control: (key) => app.inputs?.controls.get(key),
    search: (key, words) => app.inputs?.lists.search(key === "model.ref" ? "models" : "accelerators", words) ?? [],
    set: (key, value) => app.set(key, value),
    travelled: () => {},
    press: (name) => kButtons[name]?.(),
  });
  const update = () => {
    done = "";
    view.update();
    view.host?.sendColours();
  };
  const close = () => {
    app.bell.removeEventListener("memwall-answer", update);
    view.close();
    frame.remove();
    twin.removeAttribute("data-twin");
  };
  app.root.append(frame);
  twin.setAttribute("data-twin", "");
  try {
    await view.open();
  } catch (error) {
    close();
    throw error;
  }
  app.bell.addEventListener("memwall-answer", update);
  return close;
}
