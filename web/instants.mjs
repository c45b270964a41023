/**
 * Every instant of a step, operator by operator: a part of them as a chart, which slides over the whole. Loaded when it is opened; the
 * part, and the rows of the instant that is read, come from the core.
 */
import { make } from "./dom.mjs";
import { text } from "./strings.mjs";
import { TimelineChart } from "./timeline.mjs";

const kStillMs = 120;

/** @param {import("./share.mjs").LaterApp} app @param {HTMLElement} host */
export function openInstants(app, host) {
  let first = 0;
  let frame = 0;
  let still = 0;
  const details = /** @type {HTMLDetailsElement} */ (host.parentElement);
  const where = make("p", { class: "basis", role: "status" });
  const slider = make("input", { type: "range", class: "scrub", min: "0", step: "1", "aria-label": text("instants.part") });
  const peak = make("button", { type: "button" }, text("instants.peak"));
  const place = make("div", { class: "chart" });
  const chart = new TimelineChart(place, (index) => {
    /** @type {import("./engine.mjs").Answer<import("./types").MomentView>} */
    const answer = app.engine.call("instant", app.shown, String(first + index));
    return answer.ok ? answer.value : undefined;
  }, text("instants.one"));
  host.replaceChildren(where, slider, place, make("div", { class: "actions" }, peak));

  /** @param {string} around an instant; nothing: the highest */
  const draw = (around) => {
    /** @type {import("./engine.mjs").Answer<import("./types").WindowView>} */
    const answer = app.engine.call("window", app.shown, around);
    if (!answer.ok) return void (where.textContent = answer.error.message);
    const { count, timeline } = answer.value;
    first = answer.value.first;
    slider.max = String(count - 1);
    slider.value = around || String(answer.value.peak);
    slider.setAttribute("aria-valuetext", timeline.description);
    where.textContent = timeline.description;
    chart.draw({ ...timeline, is_part: first + timeline.worst !== answer.value.peak });
  };
  slider.addEventListener("input", () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => draw(slider.value));
  });
  peak.addEventListener("click", () => draw(""));
  document.addEventListener("memwall-answer", () => {
    clearTimeout(still);
    if (details.open) still = setTimeout(() => draw(""), kStillMs);
  });
  details.addEventListener("toggle", () => details.open && draw(""));
  draw("");
}
