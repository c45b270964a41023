/** What PyTorch's caching allocator would reserve, simulated over two steps, beside what the estimate takes. Loaded when it is opened. */
import { make, panelRow, showPanel } from "./dom.mjs";
import { text } from "./strings.mjs";

const kStillMs = 120;

/** @param {import("./share.mjs").LaterApp} app @param {HTMLElement} host */
export function openAllocator(app, host) {
  let still = 0;
  const details = /** @type {HTMLDetailsElement} */ (host.parentElement);

  /** @param {string} label @param {string[]} cells */
  const row = (label, ...cells) => make("tr", {}, make("th", { scope: "row" }, label), ...cells.map((cell) => make("td", { class: "n" }, cell)));

  const draw = () => {
    /** @type {import("./engine.mjs").Answer<import("./types").AllocatorRuns>} */
    const answer = app.engine.call("allocator", app.shown);
    if (!answer.ok) return host.replaceChildren(make("p", { class: "basis" }, app.form?.sentenceOf(answer.error) ?? answer.error.message));
    const { text: estimated, over, requests, runs, left_out: beside } = answer.value;
    const names = ["allocator.policy", "allocator.reserved", "allocator.over", "allocator.segments"].map((key) => text(/** @type {import("./strings.mjs").Key} */ (key)));
    const heads = names.map((name, index) => make("th", { scope: "col", class: index > 0 ? "n" : "" }, name));
    const note = text("allocator.basis", requests.toLocaleString("en")) + (beside && text("allocator.beside", beside));
    const rows = [[text("allocator.estimate"), estimated, over, ""],
      ...runs.map((run) => [text(run.policy === "default" ? "allocator.default" : "allocator.expandable"), run.text, run.over, run.segments.toLocaleString("en")])];
    showPanel(host, {
      note, columns: names.slice(1), buttons: [],
      rows: rows.map(([label, ...cells]) => panelRow({ label, cells })),
    }, () => {});
    host.replaceChildren(
      make("p", { class: "basis", role: "status" }, note),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("allocator.open") }, make("table", {},
        make("thead", {}, make("tr", {}, ...heads)),
        make("tbody", {}, ...rows.map(([label, ...cells]) => row(label, ...cells))))));
  };

  document.addEventListener("memwall-answer", () => {
    clearTimeout(still);
    if (details.open) still = setTimeout(draw, kStillMs);
  });
  details.addEventListener("toggle", () => details.open && draw());
  draw();
}
