/**
 * Filling the page: the HTML says what goes where, this puts the view model in.
 *
 *   data-text="verdict.sentence"           the element's text
 *   data-set="width=fraction|percent; …"   attributes; formats: percent (of a path, or of a quotient a/b),
 *                                          word (looked up in the strings), learn (the page that explains it)
 *   data-show="notes"                      hidden when empty, zero or false
 *   <template data-each="bar">             one copy of its element for each item, kept behind the template
 *
 * What stands in a closed <details> cannot be seen: `fill` leaves it to `fillClosed`, which is called when the
 * rest has been painted.
 *
 * Inside a copy a path starts at the item, then at the enclosing ones; `before` is the sum of the
 * fractions of the items before. scripts/generate_site.py does the same at build time, so the first
 * answer is in the HTML already, and filling again changes nothing that is the same.
 */
import { word } from "./strings.mjs";

/** @typedef {Record<string, unknown>} Scope */

/**
 * @param {Scope[]} scopes innermost first
 * @param {string} path
 * @returns {unknown}
 */
function find(scopes, path) {
  const [first, ...rest] = path.split(".");
  const scope = scopes.find((candidate) => first in candidate);
  let value = scope?.[first];
  for (const part of rest) value = /** @type {Scope | undefined} */ (value)?.[part];
  return value;
}

/** Where the pages to read are; an element says it from the host's page. */
let learn = "learn/";
/** @param {string} place */
export const learnAt = (place) => (learn = place);
/** Attributes of a link to what explains something. @param {string} place */
export const leadTo = (place) => ({ href: learn + place, target: learn === "learn/" ? undefined : "_blank" });

/** A number and its unit stay on one line. */
const kNumberAndUnit = /(\d) ([KMGT]i?B\b|bytes\b|bits\b|%|×)/g;

/** @param {number} fraction */
const percent = (fraction) => `${(fraction * 100).toFixed(3)}%`;

/**
 * @param {Scope[]} scopes
 * @param {string} binding path, or path|format
 * @returns {string}
 */
function textOf(scopes, binding) {
  const [path, format] = binding.split("|");
  if (format === "percent") {
    const [part, whole] = path.split("/").map((each) => Number(find(scopes, each)));
    return percent(whole ? part / whole : (part ?? 0));
  }
  const value = find(scopes, path);
  const plain = value === undefined || value === null ? "" : String(value);
  if (format === "learn") return `${learn}#${plain}`;
  return format === "word" ? word(`${path.split(".").pop()}.${plain}`, plain) : plain.replace(kNumberAndUnit, "$1\u00a0$2");
}

/** @param {unknown} value */
const isEmpty = (value) => !value || (Array.isArray(value) && value.length === 0);

/**
 * @param {Element} element
 * @param {Scope[]} scopes
 */
function fillElement(element, scopes) {
  const { text, set, show } = /** @type {HTMLElement} */ (element).dataset;
  if (show !== undefined) element.toggleAttribute("hidden", isEmpty(find(scopes, show)));
  for (const pair of set?.split(";") ?? []) {
    const [name, binding] = pair.trim().split("=");
    const value = textOf(scopes, binding);
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  if (text !== undefined) {
    const value = textOf(scopes, text);
    if (element.textContent !== value) element.textContent = value;
  }
}

/**
 * Keeps one copy of the template's element for each item. A copy is known by its item's key (data-key
 * names the member, otherwise the position) and filled again: open rows stay open, the focus stays.
 * @param {HTMLTemplateElement} template
 * @param {Scope[]} scopes
 * @returns {Element} the last copy, or the template
 */
function fillList(template, scopes) {
  const items = /** @type {Scope[]} */ (find(scopes, template.dataset.each ?? "") ?? []);
  /** @type {Map<string, Element>} */
  const known = new Map();
  for (let next = template.nextElementSibling; next?.hasAttribute("data-item"); next = next.nextElementSibling)
    known.set(next.getAttribute("data-item") ?? "", next);
  let last = /** @type {Element} */ (template);
  let before = 0;
  items.forEach((item, index) => {
    const key = String(item[template.dataset.key ?? ""] ?? index);
    const copy = known.get(key) ?? /** @type {Element} */ (template.content.firstElementChild?.cloneNode(true));
    known.delete(key);
    copy.setAttribute("data-item", key);
    fill(copy, [{ ...item, before }, ...scopes]);
    if (last.nextElementSibling !== copy) last.after(copy);
    before += Number(item.fraction ?? 0);
    last = copy;
  });
  for (const copy of known.values()) copy.remove();
  return last;
}

/** @type {Map<Element, Scope[]>} closed <details> and what they are to be filled with */
const waiting = new Map();

/**
 * @param {Element} root
 * @param {Scope[]} scopes innermost first
 */
export function fill(root, scopes) {
  fillElement(root, scopes);
  waiting.delete(root);
  if (root instanceof HTMLDetailsElement && !root.open) {
    waiting.set(root, scopes);
    if (root.firstElementChild) fill(root.firstElementChild, scopes);
  } else {
    fillChildren(root, scopes);
  }
}

/** What is in a closed <details> of a closed one comes to stand at the end and is met too. */
export function fillClosed() {
  for (const [details, scopes] of waiting) {
    waiting.delete(details);
    fillChildren(details, scopes);
  }
}

/** @param {Element} root @param {Scope[]} scopes */
function fillChildren(root, scopes) {
  let child = root.firstElementChild;
  while (child) {
    if (child instanceof HTMLTemplateElement && child.dataset.each !== undefined) child = fillList(child, scopes);
    else fill(child, scopes);
    child = child.nextElementSibling;
  }
}
