/** Bars of several answers on one scale: what fills them by category, and the wall where memory ends. */
import { make, makeSvg } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @param {number} fraction */
const percent = (fraction) => `${(fraction * 100).toFixed(3)}%`;
/** A number and its unit stay on one line. @param {string} words */
export const whole = (words) => words.replace(/(\d) ([KMGT]i?B\b|bytes\b|%)/g, "$1\u00a0$2");

/** @typedef {{ needed?: string, parts?: { category: string, label: string, text: string, fraction: number }[] }} Filled */

/** @param {string} label @param {Filled} filled @param {{ usable?: string, usable_fraction?: number }} wall */
export function barOf(label, filled, { usable, usable_fraction: at }) {
  let x = 0;
  const parts = (filled.parts ?? []).map((part) => {
    const rect = makeSvg("rect", { x: percent(x), y: "4", width: percent(part.fraction), height: "12", "data-category": part.category }, makeSvg("title", {}, `${part.label} ${part.text}`));
    x += part.fraction;
    return rect;
  });
  const wall = at ? [makeSvg("line", { class: "wall", x1: percent(at), x2: percent(at), y1: "0", y2: "20" })] : [];
  return makeSvg("svg", { class: "method-bar", width: "100%", height: "20", role: "img", "aria-label": `${label}: ${usable ? text("methods.of", filled.needed ?? "", usable) + " " + text("usable") : filled.needed}` }, ...parts, ...wall);
}

/** @param {Filled[]} all @param {string} [usable] */
export function legendOf(all, usable) {
  const categories = new Map(all.flatMap((each) => each.parts ?? []).map(({ category, label }) => [category, label]));
  return [...[...categories].map(([category, label]) => make("li", { "data-category": category }, label)),
    ...(usable ? [make("li", { class: "k-usable" }, make("b", {}, whole(usable)), ` ${text("usable")}`)] : [])];
}
