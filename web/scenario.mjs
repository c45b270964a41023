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
  }

  /** @param {Nested} nested a scenario as the core writes it */
  static fromJson(nested) {
    const scenario = new Scenario();
    scenario.merge(nested);
    if (scenario.given.has("model.ref")) scenario.way = "catalogue";
    else if (scenario.given.has("model.params")) scenario.way = "count";
    else if ([...scenario.given.keys()].some(kKeysOfWay.hand)) scenario.way = "hand";
    return scenario;
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
    return !key.startsWith("model.") || kKeysOfWay[this.source()](key);
  }

  /** Forgets all that describes a model by hand. */
  forgetHand() {
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
