/** Models and accelerators of the catalogue, as lists to search in. A list is asked for when first searched. */
import { text } from "./strings.mjs";

/** @typedef {import("./types").CatalogueRow} CatalogueRow */

export class Lists {
  /** @param {import("./engine.mjs").Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** @type {Map<string, CatalogueRow[]>} */
    this.known = new Map();
  }

  /**
   * Rows in which every word occurs; a name that ends with what was typed comes first.
   * @param {string} kind
   * @param {string} words
   * @returns {import("./combobox.mjs").Option[]}
   */
  search(kind, words) {
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    const rank = (/** @type {CatalogueRow} */ row) => (row.name.toLowerCase().endsWith(words.toLowerCase()) ? 0 : 1);
    return this.rowsOf(kind)
      .filter((row) => parts.every((part) => `${row.name} ${row.detail} ${row.size}`.toLowerCase().includes(part)))
      .sort((a, b) => rank(a) - rank(b))
      .map((row) => ({ value: row.name, title: row.name, detail: [row.detail, ...remarksOf(row)].join(" · "), size: row.size }));
  }

  /** @param {string} kind @returns {CatalogueRow[]} */
  rowsOf(kind) {
    // Without the rest of the core, sizes of some models are left out.
    const [key, ...words] = this.engine.rest ? ["catalogue", kind, ""] : ["names", kind];
    const known = this.known.get(key + kind);
    if (known) return known;
    /** @type {import("./engine.mjs").Answer<CatalogueRow[]>} */
    const answer = this.engine.call(key, ...words);
    const rows = answer.ok ? answer.value : [];
    this.known.set(key + kind, rows);
    return rows;
  }
}

/** @param {CatalogueRow} row */
function remarksOf(row) {
  const trust = row.trust ?? row.usable_trust ?? "";
  return [trust === "recalled" || trust === "assumed" ? text(`trust.${trust}`) : "", row.total_only ? text("total_only") : ""].filter(Boolean);
}
