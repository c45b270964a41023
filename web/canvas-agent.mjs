/**
 * The text agent: a real text area that has the focus while a text field of the canvas is edited, so that screen
 * keyboards, input methods and the clipboard work as everywhere. It lies over the field, invisible until an input
 * method composes in it.
 */

/** In front of the cursor there is always something to delete, or Backspace would say nothing on Android. */
const kSentinel = "\u200b";

export class TextAgent {
  /**
   * @param {HTMLElement} parent
   * @param {{ type: (text: string) => void, key: (name: string) => void, label: string }} sink
   */
  constructor(parent, sink) {
    this.sink = sink;
    this.area = document.createElement("textarea");
    const attributes = { class: "canvas-agent", tabindex: "-1", rows: "1", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": sink.label };
    for (const [name, value] of Object.entries(attributes)) this.area.setAttribute(name, value);
    parent.append(this.area);
    this.clear();
    this.area.addEventListener("compositionstart", () => this.area.toggleAttribute("data-composing", true));
    this.area.addEventListener("compositionend", (event) => {
      this.area.removeAttribute("data-composing");
      if (event.data) sink.type(event.data);
      this.clear();
    });
    this.area.addEventListener("input", (event) => this.onInput(/** @type {InputEvent} */ (event)));
  }

  /** @param {InputEvent} event */
  onInput(event) {
    if (event.isComposing) return;
    const text = this.area.value.replaceAll(kSentinel, "");
    if (event.inputType.startsWith("delete")) this.sink.key(event.inputType.endsWith("Forward") ? "Delete" : "Backspace");
    else if (event.inputType === "insertLineBreak") this.sink.key("Enter");
    else if (text) this.sink.type(text);
    this.clear();
  }

  clear() {
    this.area.value = kSentinel;
    this.area.setSelectionRange(1, 1);
  }

  get composing() {
    return this.area.hasAttribute("data-composing");
  }

  /** @param {number[]} box x, y, width, height of the field */
  show([x, y, width, height]) {
    const { style } = this.area;
    style.left = `${x}px`;
    style.top = `${y}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    style.lineHeight = `${height}px`;
  }
}
