/** What the page says when it cannot go on as it should; what was shown before stays. */
import { byId, make } from "./dom.mjs";
import { text } from "./strings.mjs";

/**
 * @param {string} message
 * @param {string} action label of the button
 * @param {() => void} act
 * @param {...Node} more
 */
export function showTrouble(message, action, act, ...more) {
  const button = make("button", { type: "button" }, action);
  button.addEventListener("click", act);
  const box = byId("trouble");
  box.replaceChildren(make("p", {}, message), ...more, button);
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
}

/**
 * A bug of ours: says so with the version and a link that restores the scenario.
 * @param {{ view: import("./types").ViewModel | undefined }} app
 * @param {unknown} error
 */
export function showCrash(app, error) {
  const link = new URL(app.view?.share ?? "", location.href).href;
  const facts = [
    [text("crash.version"), app.view?.version ?? ""],
    [text("crash.error"), error instanceof Error ? error.message : String(error)],
  ].map(([name, value]) => make("p", {}, `${name}: ${value}`));
  showTrouble(text("crash"), text("retry"), () => location.reload(), ...facts,
    make("p", {}, `${text("crash.link")}: `, make("a", { href: link }, link)));
}
