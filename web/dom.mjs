/** Building elements, and finding those that the page is known to have. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | undefined>} [attributes] false and undefined are left out
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | boolean | undefined>} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
}

/** A style sheet of the page, when it is there. @param {string} href @returns {Promise<void>} */
export const linkSheet = (href) => new Promise((resolve, reject) => {
  if (document.querySelector(`link[href="${href}"]`)) return resolve();
  const link = make("link", { rel: "stylesheet", href });
  link.addEventListener("load", () => resolve());
  link.addEventListener("error", () => reject(new Error(href)));
  document.head.append(link);
});

/**
 * What a view that was fetched shows, for the canvas too (src/ui/panels.hpp).
 * @typedef {{ name: string, label: string }} PanelButton
 * @typedef {{ role: string, head: PanelButton, typed: boolean, cells: string[], lines: string[], parts: { category: string, fraction: number }[], wall: number, buttons: PanelButton[] }} PanelRow
 * @typedef {{ x: number, y: number, text: string }} PanelMark
 * @typedef {{ shown: boolean, x: number, y: number, lines: PanelMark[], across: PanelMark[], up: PanelMark[], text: string }} PanelPicture
 * @typedef {{ note: string, columns: string[], rows: PanelRow[], buttons: PanelButton[], picture?: PanelPicture, table?: number, image?: { canvas: HTMLCanvasElement, times: number } }} Panel image: what the picture is painted on, and how often it was
 * @param {HTMLElement} host what the view is in
 * @param {Panel} panel
 * @param {(button: string) => void} press
 */
export function showPanel(host, panel, press) {
  Object.assign(host, { panel, press });
  document.dispatchEvent(new Event("memwall-panel"));
}

/** A row of a panel, its members in the order of the message. @param {Partial<PanelRow> & { label: string, use?: string }} row use: the button that its label is */
export const panelRow = ({ label, use = "", role = "", typed = false, cells = [], lines = [], parts = [], wall = 0, buttons = [] }) =>
  ({ role, head: { name: use, label }, typed, cells, lines, parts: parts.map(({ category, fraction }) => ({ category, fraction })), wall, buttons });

/** How a verdict is coloured. @type {Record<string, string>} */
export const roles = { fits: "good", tight: "warning", does_not_fit: "bad", cannot_say: "neutral" };

/** @param {string} id */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
