/**
 * The canvas view of the page: shows what the form view shows. The form stays where it was, out of sight; every new answer
 * is sent to both.
 */
import { CanvasView } from "./canvas-view.mjs";
import { loadCanvas } from "./canvas-host.mjs";
import { inputsFrom } from "./canvas-inputs.mjs";
import { byId, linkSheet } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./share.mjs").LaterApp & { form?: import("./form.mjs").Form, refusal?: { message: string, hint: string }, answered?: () => void }} Page */

/** Views that are fetched when they are opened, here or in the form: their <details>. */
const kPanels = ["allocator", "shortlist", "map", "methods", "pins", "accuracy"];
const kNoPicture = { shown: false, x: 0, y: 0, lines: [], across: [], up: [], text: "" };

/** @param {string} id @returns {any} what is in it: its panel and what its buttons do (dom.mjs, showPanel) */
const panelHost = (id) => byId(id).lastElementChild;

/** As src/ui/panels.hpp has them. */
const panels = () => ({ all: kPanels.filter((id) => !byId(id).closest("[hidden]")).map((id) => {
  const details = /** @type {HTMLDetailsElement} */ (byId(id));
  const { panel } = panelHost(id);
  const { open } = details;
  const { note, columns, rows, buttons, picture = kNoPicture, table = 0 } = (open && panel) || { note: text("canvas.loading"), columns: [], rows: [], buttons: [] };
  return { key: id, title: document.getElementById(`${id}-title`)?.textContent ?? text("allocator"), summary: details.firstElementChild?.textContent ?? "", open, note, columns, rows, buttons, picture, about: document.querySelector(`#${id}-title a`) !== null, table };
}) });

/** @param {Page} page @returns {import("./canvas-view.mjs").Face} */
const faceOf = (page) => ({
  inputs: (steps) => {
    if (!page.form) return undefined;
    const stale = byId("stale").hidden ? "" : (byId("stale-why").textContent ?? "");
    return inputsFrom(page.form, { stale, done: byId("done").textContent ?? "", ...steps });
  },
  twin: document,
  control: (key) => page.form?.controls.get(key),
  search: (key, words) => (key === "model.ref" ? page.form?.model : page.form?.accelerator)?.options.search(words) ?? [],
  set: (key, value) => (key === "way" ? page.form?.chooseWay(/** @type {any} */ (value)) : page.form?.set(key, value)),
  travelled: () => page.form?.forgetConfig(),
  press: (name) => byId(name).click(),
  pressPanel: (key, button) => (button === "open" ? byId(key).toggleAttribute("open") : panelHost(key).press(button)),
  /** A config.json. */
  take: (content) => {
    if (content instanceof File) page.form?.readFile(content);
    else if (content.trim()) page.form?.take("config.json", content);
  },
});

/** @type {Promise<void> | undefined} */
let style;

/**
 * Shows the canvas instead of the form; resolves with what brings the form back.
 * @param {Page} page
 * @returns {Promise<() => void>}
 */
export async function openCanvas(page) {
  await Promise.all([(style ??= linkSheet("canvas.css")), loadCanvas()]);
  const element = document.createElement("section");
  element.setAttribute("aria-label", text("canvas.label"));
  byId("canvas-place").append(element);
  const view = new CanvasView(page, element, faceOf(page));
  const done = new MutationObserver(() => view.sendInputs());
  const stopped = new AbortController();
  const { signal } = stopped;
  const close = () => {
    page.answered = undefined;
    done.disconnect();
    stopped.abort();
    view.close();
    element.remove();
    document.body.removeAttribute("data-canvas");
  };
  document.body.setAttribute("data-canvas", "");
  try {
    await view.open();
  } catch (error) {
    close();
    throw error;
  }
  done.observe(byId("done"), { childList: true, characterData: true, subtree: true });
  let painted = 0;
  const sendPanels = () => {
    const image = panelHost("map").panel?.image;
    if (image && image.times !== painted) view.host?.sendPicture(image.canvas);
    painted = image?.times ?? painted;
    view.host?.send("panels", panels());
  };
  page.answered = () => {
    view.update();
    sendPanels();
  };
  sendPanels();
  document.addEventListener("memwall-panel", sendPanels, { signal });
  document.addEventListener("memwall-limits", () => view.sendInputs(), { signal });
  for (const id of kPanels) byId(id).addEventListener("toggle", sendPanels, { signal });
  // The chip leads to the answer, which is at the top of the canvas.
  document.querySelector(".chip")?.addEventListener("click", (event) => {
    event.preventDefault();
    scrollTo({ top: 0 });
  }, { signal });
  return close;
}
