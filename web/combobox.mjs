/**
 * Search as you type over a list that the core filters: the ARIA combobox with a listbox popup.
 * Arrow keys move, Enter chooses, Escape and leaving restore what was chosen before.
 */
import { make } from "./dom.mjs";
import { text } from "./strings.mjs";

/** @typedef {{ value: string, title: string, detail: string, size: string }} Option */

export class Combobox {
  /**
   * @param {HTMLElement} host
   * @param {{ id: string, label: string, name: string, search: (words: string) => Option[], choose: (value: string) => void }} options
   */
  constructor(host, options) {
    this.options = options;
    this.chosen = "";
    this.active = -1;
    this.list = make("div", { class: "listbox", role: "listbox", id: `${options.id}-list`, "aria-label": options.label, hidden: true });
    this.empty = make("p", { class: "listbox", hidden: true });
    this.input = make("input", {
      type: "text", id: options.id, role: "combobox", "aria-label": options.label, "aria-expanded": "false", "aria-autocomplete": "list",
      "aria-controls": this.list.id, "aria-describedby": `${options.id}-error`, autocomplete: "off", spellcheck: "false",
    });
    this.button = make("button", { type: "button", tabindex: "-1", "aria-label": text("combobox.open", options.name) });
    this.error = make("p", { class: "error", id: `${options.id}-error` });
    this.status = make("p", { class: "vh", role: "status" });
    host.classList.add("field");
    host.replaceChildren(this.input, this.button, this.list, this.empty, this.error, this.status);
    this.input.addEventListener("input", () => this.open(this.input.value));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("blur", () => this.restore());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.button.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (!this.list.hidden) return this.restore();
      this.input.focus();
      this.open("");
    });
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const row = /** @type {Element} */ (event.target).closest("[role=option]");
      if (row) this.take([...this.list.children].indexOf(row));
    });
  }

  /** @param {string} value */
  show(value) {
    this.chosen = value;
    if (!this.input.matches(":focus") || this.list.hidden) this.input.value = value;
  }

  /** @param {string} message */
  showError(message) {
    this.error.textContent = message;
    this.input.toggleAttribute("aria-invalid", message !== "");
    if (message) this.input.setAttribute("aria-invalid", "true");
  }

  /** @param {string} words */
  open(words) {
    /** @type {Option[]} */
    this.found = this.options.search(words);
    this.list.replaceChildren(...this.found.map((option, index) => make("div", { role: "option", id: `${this.list.id}-${index}`, "aria-selected": "false" },
      make("span", {}, option.title), make("span", {}, option.size), make("small", {}, option.detail))));
    this.empty.textContent = text("combobox.none", words);
    this.status.textContent = text("combobox.count", String(this.found.length));
    this.empty.hidden = this.found.length > 0;
    this.list.hidden = this.found.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.list.scrollTop = 0;
    const chosen = words ? 0 : this.found.findIndex((option) => option.value === this.chosen);
    this.activate(chosen);
  }

  close() {
    this.list.hidden = true;
    this.empty.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  restore() {
    this.close();
    this.input.value = this.chosen;
  }

  /** @param {number} index */
  activate(index) {
    this.list.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = index;
    const row = this.list.children[index];
    if (!row) return this.input.removeAttribute("aria-activedescendant");
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", row.id);
  }

  /** @param {number} index */
  take(index) {
    const option = this.found?.[index];
    if (!option) return;
    this.close();
    this.chosen = option.value;
    this.input.value = option.value;
    this.options.choose(option.value);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const count = this.list.children.length;
    if (event.key === "Escape") {
      this.restore();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.list.hidden) this.open("");
      else this.activate((this.active + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    } else if (event.key === "Enter") {
      if (!this.list.hidden) this.take(Math.max(this.active, 0));
    } else {
      return;
    }
    event.preventDefault();
  }
}
