/**
 * What this browser keeps for the page, as JSON: settings, the last scenario, pins. Where nothing is kept (refused, as in some private
 * windows, or full) reading gives nothing, and writing says so.
 */
const kPrefix = "memwall-";

/** @param {string} name @returns {any} undefined where nothing is kept, or something that is no JSON */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(kPrefix + name) ?? "") ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {unknown} value @returns {boolean} whether it is kept */
export function keep(name, value) {
  try {
    localStorage.setItem(kPrefix + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Everything of this page. Who holds what was kept is told. */
export function forgetAll() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(kPrefix)) localStorage.removeItem(name);
  } catch {
    // nothing is kept
  }
  document.dispatchEvent(new Event("memwall-forgotten"));
}

/** @typedef {{ theme?: "auto" | "light" | "dark", units?: "GiB" | "GB", view?: "form" | "canvas", last?: boolean }} Settings */

/** @returns {Settings} */
export function keptSettings() {
  const found = kept("settings");
  return typeof found === "object" ? found : {};
}
