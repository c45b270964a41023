/**
 * embed.html, the calculator for an iframe. Its address says what it shows: ?view=form&theme=dark&locked=…&compact, a scenario
 * behind "#", as in the links of the page. Messages go to and come from one origin only, the one that ?origin= names or, without
 * it, that of the page the frame is in:
 *   to the page    { type: "memwall-height", schema: 1, height }, and { type: "memwall-change", schema: 1, scenario, verdict }
 *   from the page  { type: "memwall-scenario", schema: 1, scenario }
 */
const kSchema = 1;
const asked = new URLSearchParams(location.search);
const element = /** @type {import("./memwall-calculator.mjs").MemwallCalculator} */ (document.createElement("memwall-calculator"));
for (const name of ["model", "gpu", "task", "view", "theme", "locked", "compact"]) {
  const value = asked.get(name);
  if (value !== null) element.setAttribute(name, value);
}
if (location.hash.length > 1) element.setAttribute("scenario", location.hash);
document.body.append(element);

/** @returns {string} of the page around this one; nothing where there is none or it does not say */
function originAround() {
  try {
    return new URL(asked.get("origin") ?? document.referrer).origin;
  } catch {
    return "";
  }
}
const around = originAround();

/** @param {string} type @param {object} content */
function tell(type, content) {
  if (parent !== window && around) parent.postMessage({ type, schema: kSchema, ...content }, around);
}

new ResizeObserver(() => requestAnimationFrame(() => tell("memwall-height", { height: Math.ceil(element.getBoundingClientRect().height) }))).observe(element);
element.addEventListener("memwall-change", (event) => {
  const { scenario, verdict } = /** @type {CustomEvent} */ (event).detail;
  tell("memwall-change", { scenario, verdict });
});
addEventListener("message", ({ origin, source, data }) => {
  if (!around || origin !== around || source !== parent || data?.type !== "memwall-scenario" || data.schema !== kSchema) return;
  if (typeof data.scenario === "object" && data.scenario) element.scenario = data.scenario;
});
