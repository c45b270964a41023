/**
 * What the user stated, by field key, as typed. The core reads and completes it; nothing is derived here.
 * A model can be described in several ways; what was stated for the others is kept and not sent.
 */

/** @typedef {"catalogue" | "hand" | "config" | "count"} Way */
/** @typedef {{ [key: string]: string | number | boolean | Nested | unknown[] }} Nested */

/** @type {Way[]} */
export const kWays = ["catalogue", "hand", "config", "count"];

/** @type {Record<Way, (key: string) => boolean>} */
const kKeysOfWay = {
  catalogue: (key) => key === "model.ref",
  hand: (key) => key.startsWith("model.config.") || key.startsWith("model.structure.") || key === "model.name",
  config: (key) => kKeysOfWay.hand(key),
  count: (key) => key === "model.params",
};

export class Scenario {
  constructor() {
    /** @type {Map<string, string | number | boolean>} */
    this.given = new Map();
    /** @type {Way} */
    this.way = "catalogue";
    /** @type {Set<string>} dimensions that were stated over a model of the catalogue, by a link or a file, until another is chosen */
    this.over = new Set();
  }

  /** @param {Nested} nested a scenario as the core writes it */
  static fromJson(nested) {
    const scenario = new Scenario();
    scenario.take(nested);
    if (scenario.given.has("model.ref")) scenario.way = "catalogue";
    else if (scenario.given.has("model.params")) scenario.way = "count";
    else if ([...scenario.given.keys()].some(kKeysOfWay.hand)) scenario.way = "hand";
    return scenario;
  }

  /** Instead of all that was stated. @param {Nested} nested */
  take(nested) {
    this.given.clear();
    this.merge(nested);
    this.over = new Set(this.given.has("model.ref") ? [...this.given.keys()].filter(kKeysOfWay.hand) : []);
  }

  /** @param {string} ref a model of the catalogue */
  choose(ref) {
    for (const key of this.over) this.given.delete(key);
    this.over.clear();
    this.given.set("model.ref", ref);
  }

  /**
   * @param {Nested} nested
   * @param {string} [path]
   */
  merge(nested, path = "") {
    for (const [name, value] of Object.entries(nested)) {
      if (Array.isArray(value)) this.given.set(path + name, value.join(","));
      else if (typeof value === "object" && value !== null) this.merge(value, `${path}${name}.`);
      else this.given.set(path + name, value);
    }
  }

  /**
   * The way whose model is asked about: the one on view, or, while nothing is stated in it yet, the first
   * that has a model, so that the answer stays until there is another.
   * @returns {Way}
   */
  source() {
    const keys = [...this.given.keys()];
    const stated = (/** @type {Way} */ way) => keys.some(kKeysOfWay[way]);
    return stated(this.way) ? this.way : (kWays.find(stated) ?? this.way);
  }

  /** @param {string} key */
  isSent(key) {
    const source = this.source();
    return !key.startsWith("model.") || kKeysOfWay[source](key) || (source === "catalogue" && this.over.has(key));
  }

  /** Forgets all that describes a model by hand. */
  forgetHand() {
    this.over.clear();
    for (const key of [...this.given.keys()]) if (kKeysOfWay.hand(key)) this.given.delete(key);
  }

  /** @returns {string} */
  toJson() {
    /** @type {Nested} */
    const root = {};
    for (const [key, value] of this.given) {
      if (!this.isSent(key)) continue;
      const path = key.split(".");
      const last = /** @type {string} */ (path.pop());
      let at = root;
      for (const part of path) at = /** @type {Nested} */ (at[part] ??= {});
      at[last] = value;
    }
    return JSON.stringify(root);
  }
}
