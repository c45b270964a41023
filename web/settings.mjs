/** The settings of this browser: colours, units, whether the last scenario is opened again, and to forget all of it. Loaded when it is opened. */
import { linkSheet, make } from "./dom.mjs";
import { forgetAll, keep, keptSettings } from "./storage.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./storage.mjs").Settings} Settings */
/** @typedef {{ apply: (settings: Settings) => void, keepLast: () => void }} App */

/** @type {HTMLDialogElement | undefined} */
let dialog;
/** Where nothing is kept they last as long as the page. @type {Settings} */
let settings = {};

/** @param {App} app */
function build(app) {
  const note = make("p", { class: "basis", role: "status" });
  const change = (/** @type {Settings} */ part) => {
    settings = { ...settings, ...part };
    note.textContent = text(keep("settings", settings) ? "settings.kept" : "settings.not_kept");
    app.apply(settings);
    if (settings.last) app.keepLast();
  };
  const choice = (/** @type {"theme" | "units" | "view"} */ name, /** @type {string} */ label, /** @type {[value: string, label: string][]} */ choices) => {
    const group = make("div", { class: "choices", role: "radiogroup", "aria-label": label });
    for (const [value, words] of choices) {
      const radio = make("input", { type: "radio", name: `settings-${name}`, value, checked: (settings[name] ?? choices[0][0]) === value });
      radio.addEventListener("change", () => change({ [name]: value }));
      group.append(make("label", {}, radio, words));
    }
    return make("div", { class: "setting" }, make("span", {}, label), group);
  };
  const last = make("input", { type: "checkbox", checked: Boolean(settings.last) });
  last.addEventListener("change", () => change({ last: last.checked }));
  const forget = make("button", { type: "button" }, text("settings.forget"));
  forget.addEventListener("click", () => {
    settings = {};
    forgetAll();
    app.apply(settings);
    fill(app);
    dialog?.querySelector("[role=status]")?.replaceChildren(text("settings.forgotten"));
  });
  const close = make("button", { type: "button" }, text("settings.close"));
  close.addEventListener("click", () => dialog?.close());
  return [make("h2", {}, text("settings")),
    choice("theme", text("settings.theme"), [["auto", text("settings.auto")], ["light", text("settings.light")], ["dark", text("settings.dark")]]),
    choice("units", text("settings.units"), [["GiB", "GiB"], ["GB", "GB"]]),
    choice("view", text("settings.view"), [["form", text("settings.form")], ["canvas", text("settings.canvas")]]),
    make("label", { class: "setting" }, last, text("settings.last")), note, make("div", { class: "actions" }, forget, close)];
}

/** @param {App} app */
function fill(app) {
  dialog?.replaceChildren(...build(app));
}

/** @param {App} app */
export async function openSettings(app) {
  await linkSheet("settings.css");
  dialog ??= document.body.appendChild(make("dialog", { class: "settings", "aria-label": text("settings") }));
  settings = { ...settings, ...keptSettings() };
  fill(app);
  dialog.showModal();
}
