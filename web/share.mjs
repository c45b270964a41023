/**
 * Links, Markdown and JSON of the scenario in force, and the link the page was opened with. A link that
 * cannot be read gives a note; the default scenario is shown instead.
 */
import { byId, make } from "./dom.mjs";
import { sentenceOf } from "./engine.mjs";
import { Scenario } from "./scenario.mjs";
import { text } from "./strings.mjs";
import { showTrouble } from "./trouble.mjs";

/**
 * @typedef {object} App
 * @property {import("./engine.mjs").Engine} engine
 * @property {Scenario} scenario
 * @property {import("./types").ViewModel | undefined} view
 * @property {() => void} changed
 * @property {() => void} update
 * @property {() => Promise<void>} explain
 * @property {string} shown
 * @property {"name" | "size" | undefined} sort
 * @property {(view: import("./types").ViewModel) => unknown} arranged
 */
/**
 * What views that are fetched later ask of the page or of an element: the scenario that is shown, where answers are told (the document
 * of a page), and how a style sheet is added (a page links it).
 * @typedef {App & { shown: string, form?: import("./form.mjs").Form, bell?: EventTarget, addSheet?: (name: string) => Promise<void> }} LaterApp
 */

/** @param {App} app */
function open(app) {
  const trouble = byId("trouble");
  trouble.hidden = true;
  if (location.hash.length > 1 && !document.getElementById(location.hash.slice(1))) {
    /** @type {import("./engine.mjs").Answer<{ scenario: import("./scenario.mjs").Nested, notes: { message: string }[] }>} */
    let answer;
    try {
      answer = app.engine.call("scenario_from_share", location.hash);
    } catch (error) {
      return app.engine.again(error, () => open(app));
    }
    const notes = answer.ok ? answer.value.notes.map((note) => note.message) : [sentenceOf(answer.error)];
    if (answer.ok) app.scenario = Scenario.fromJson(answer.value.scenario);
    if (notes.length > 0)
      showTrouble(answer.ok ? notes.join(" ") : text("note.link", notes.join(" ")), text("note.dismiss"), () => (trouble.hidden = true));
  }
  app.update();
}

/**
 * @param {string} words
 * @param {HTMLElement} done
 */
async function copy(words, done) {
  try {
    await navigator.clipboard.writeText(words);
    done.textContent = text("copied");
    setTimeout(() => (done.textContent = ""), 2000);
  } catch {
    const field = make("input", { type: "text", readonly: true, "aria-label": text("copy_failed"), value: words });
    done.replaceChildren(`${text("copy_failed")}: `, field);
    field.select();
  }
}

/** @param {App} app */
function linkOf(app) {
  const url = new URL(location.href);
  url.hash = app.view?.share ?? "";
  return url.href;
}

/** @param {App} app */
export function connectShare(app) {
  const done = byId("done");
  byId("copy-link").addEventListener("click", () => {
    history.replaceState(null, "", linkOf(app));
    copy(linkOf(app), done);
  });
  byId("copy-markdown").addEventListener("click", async () => {
    await app.explain();
    /** @type {import("./engine.mjs").Answer<string>} */
    const answer = app.engine.call("markdown", app.scenario.toJson());
    copy(answer.ok ? answer.value : answer.error.message, done);
  });
  byId("download-json").addEventListener("click", async () => {
    await app.explain();
    const url = URL.createObjectURL(new Blob([app.engine.raw("estimate", app.scenario.toJson())], { type: "application/json" }));
    make("a", { href: url, download: "memwall.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  addEventListener("hashchange", () => open(app));
  open(app);
}
