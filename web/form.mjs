/**
 * The inputs: which fields stand where, the ways to describe a model, and everything else under More,
 * generated from the field table.
 */
import { fill } from "./bind.mjs";
import { Combobox } from "./combobox.mjs";
import { byId, make } from "./dom.mjs";
import { Control, isOfOtherTask } from "./fields.mjs";
import { sentenceOf } from "./engine.mjs";
import { Lists } from "./lists.mjs";
import { kWays } from "./scenario.mjs";
import { text } from "./strings.mjs";

/** @typedef {import("./types").FieldRow} FieldRow */
/** @typedef {import("./types").ViewModel} ViewModel */
/** @typedef {import("./scenario.mjs").Way} Way */

const kHandFields = ["num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size", "tie_word_embeddings"]
  .map((name) => `model.config.${name}`);
const kCountFields = ["model.params", "overhead.activation_bytes_per_token"];
/** What nobody can guess: emptied it is missing, where others go back to a default. */
const kRequired = new Set(["model.config.num_hidden_layers", "model.config.hidden_size", "model.params"]);
const kSteppers = new Set(["batch.micro_batch_size", "accelerator.count", "serving.concurrent_sequences", "batch.gradient_accumulation_steps"]);
/** Bytes and bare counts, which are no settings to be raised. */
const kNoLimits = /bytes$|^model\.params$/;
const kStillMs = 200;
const kNeverGeneric = /^(model\.ref|accelerator\.name)$/;
/** Fields that mean nothing for other methods. @type {[fields: RegExp, methods: RegExp][]} */
const kOfMethods = [
  [/^method\.(rank|alpha|modules_to_save|adapter_dtype|dropout)$/, /lora|dora|vera|lo[hk]|oft|ia3|houlsby|pfeiffer/],
  [/^method\.target_modules$/, /lora|dora|vera|lo[hk]|oft|ia3|houlsby|pfeiffer|freeze/],
  [/^method\.first_trainable_layer$/, /lora|dora|vera|lo[hk]|oft|ia3|houlsby|pfeiffer|freeze/],
  [/^method\.prompt_length$/, /^p(rom|tun)/],
];
/** Numbers that unfold why they are so (why.mjs). Those of the breakdown stand in it with theirs. */
const kNumbers = ".gauge .legend [data-text], .fact .figure [data-text], .fact .figure[data-text], .numbers b, .speed > [data-text^=throughput\\.s]";
/** What a pasted text is called; as a file of that name it is read as a config before anything else. */
const kConfig = "config.json";
/** The most that is read of a file: kMaxConfigBytes of the core. The page itself would stand still over more. */
const kMostMiB = 4;

export class Form {
  /** @param {import("./share.mjs").App} app */
  constructor(app) {
    this.app = app;
    /** @type {import("./engine.mjs").Answer<FieldRow[]>} */
    const answer = app.engine.call("fields");
    this.rows = answer.ok ? answer.value : [];
    this.lists = new Lists(app.engine);
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    byId("form").addEventListener("submit", (event) => event.preventDefault());
    this.makeWays();
    this.makeComboboxes();
    for (const host of document.querySelectorAll("[data-fields]")) this.place(host, /** @type {HTMLElement} */ (host).dataset.fields?.split(" ") ?? []);
    const more = /** @type {HTMLDetailsElement} */ (byId("more"));
    more.addEventListener("toggle", () => more.open && this.makeMore());
    byId("reset-all").addEventListener("click", () => {
      app.scenario.take(JSON.parse(/** @type {HTMLElement} */ (document.querySelector(".page")).dataset.defaultScenario ?? "{}"));
      this.forgetConfig();
      this.chooseWay("catalogue");
    });
    document.addEventListener("click", (event) => {
      const key = /** @type {Element} */ (event.target).closest("[data-go]")?.getAttribute("data-go");
      if (key) this.go(key);
    });
    this.makeSorts();
    this.still = 0;
    /** @type {Map<string, import("./types").LargestView>} the largest that fits of other numbers than the headline's, of the scenario that is shown */
    this.limits = new Map();
    this.limitsOf = "";
    document.addEventListener("memwall-answer", () => this.askLimits());
    for (const name of ["click", "keydown"]) document.addEventListener(name, (event) => this.onNumber(/** @type {KeyboardEvent} */ (event)));
    byId("details").addEventListener("toggle", (event) => this.onRow(/** @type {Element} */ (event.target)), true);
  }

  /** The largest values that fit of the other numbers, one after another while nothing else is to do; the next answer ends it. */
  askLimits() {
    clearTimeout(this.still);
    const { engine, shown, view } = this.app;
    const wanted = [...this.controls].filter(([key, { row, element }]) => row.solvable && !kNoLimits.test(key) && !this.limits.has(key) && !element.hidden && key !== view?.largest.field && element.closest("[hidden]") === null);
    const next = () => {
      const [key, control] = wanted.shift() ?? [];
      if (!key || !control || this.app.shown !== shown) return;
      /** @type {import("./engine.mjs").Answer<{ value: number | null, verdict: string }>} */
      const answer = engine.call("solve", shown, key);
      if (answer.ok && answer.value.value) {
        const limit = { field: key, value: answer.value.value.toLocaleString("en-US"), state: answer.value.verdict, sentence: "" };
        this.limits.set(key, limit);
        control.showLargest(limit);
        document.dispatchEvent(new Event("memwall-limits"));
      }
      this.still = setTimeout(next);
    };
    if (view?.verdict.usable) this.still = setTimeout(next, kStillMs);
  }

  /** @param {KeyboardEvent} event a click or a key */
  async onNumber(event) {
    const number = /** @type {HTMLElement} */ (event.target).closest(".asks");
    if (!number || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const why = await import("./why.mjs");
    why.follow(this.app);
    why.explain(this.app, /** @type {HTMLElement} */ (number));
  }

  /** @param {Element} row */
  async onRow(row) {
    if (!row.matches(".row[open]")) return;
    const why = await import("./why.mjs");
    why.follow(this.app);
    why.showTensors(this.app, row);
  }

  /** The table of the breakdown is sorted as it is on the canvas: by a column, or in the order of the ledger. */
  makeSorts() {
    const groups = /** @type {HTMLElement} */ (document.querySelector(".groups"));
    const buttons = /** @type {const} */ ([["name", "canvas.name"], ["size", "canvas.amount"]]).map(([by, label]) => {
      const button = make("button", { type: "button", class: "link", "aria-pressed": "false", "data-sort": by }, text(label));
      button.addEventListener("click", () => {
        this.app.sort = this.app.sort === by ? undefined : by;
        for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.sort === this.app.sort));
        if (this.app.view) fill(groups, [/** @type {any} */ (this.app.arranged(this.app.view))]);
      });
      return button;
    });
    groups.before(make("p", { class: "sorts" }, ...buttons));
  }

  /** Elements may have been made anew, or have nothing to say. */
  markNumbers() {
    for (const number of document.querySelectorAll(kNumbers)) {
      const says = Boolean(number.textContent?.trim());
      if (number.classList.contains("asks") === says) continue;
      number.classList.toggle("asks", says);
      for (const [name, value] of [["role", "button"], ["tabindex", "0"], ["aria-expanded", "false"]]) says ? number.setAttribute(name, value) : number.removeAttribute(name);
    }
  }

  /** Help comes after the form. */
  explain() {
    /** @type {import("./engine.mjs").Answer<FieldRow[]>} */
    const answer = this.app.engine.call("fields");
    for (const row of answer.ok ? answer.value : []) {
      const control = this.controls.get(row.key);
      if (control) control.explain(row.help);
    }
    if (answer.ok) this.rows = answer.value;
  }

  /** @param {string} key @param {string} [value] as typed */
  set(key, value = "") {
    if (key === "model.ref" && value) this.app.scenario.choose(value);
    else if (value.trim() || kRequired.has(key)) this.app.scenario.given.set(key, value.trim() && value);
    else this.app.scenario.given.delete(key);
    this.app.changed();
  }

  /** @param {Element} host @param {string[]} keys */
  place(host, keys) {
    for (const key of keys) {
      const row = this.rows.find((candidate) => candidate.key === key);
      if (!row || this.controls.has(key)) continue;
      const control = new Control({ ...row, stepper: kSteppers.has(key), required: kRequired.has(key) }, (changed, value) => this.set(changed, value));
      this.controls.set(key, control);
      host.append(control.element);
    }
  }

  makeComboboxes() {
    this.model = new Combobox(byId("model-combobox"), {
      id: "model", label: text("model.search"), name: text("model"),
      search: (words) => this.lists.search("models", words),
      choose: (id) => this.set("model.ref", id),
    });
    this.accelerator = new Combobox(byId("accelerator-combobox"), {
      id: "accelerator", label: text("accelerator.search"), name: text("accelerator"),
      search: (words) => this.lists.search("accelerators", words),
      choose: (name) => this.set("accelerator.name", name),
    });
  }

  prepare() {
    this.lists.rowsOf("models");
  }

  makeWays() {
    for (const way of kWays) {
      const radio = make("input", { type: "radio", name: "way", value: way });
      radio.addEventListener("change", () => this.chooseWay(way));
      byId("ways").append(make("label", {}, radio, text(`model.${way}`)));
    }
    const fieldsOf = (/** @type {string[]} */ keys) => {
      const fields = make("div", { class: "fields" });
      this.place(fields, keys);
      return fields;
    };
    byId("way-hand").append(fieldsOf(kHandFields), make("p", { class: "basis" }, text("model.hand.help")));
    byId("way-count").append(fieldsOf(kCountFields), make("p", { class: "basis" }, text("model.count.help")));
    this.makeConfig();
  }

  makeConfig() {
    this.configText = make("textarea", { id: "config", "aria-label": text("model.paste"), placeholder: text("model.paste"), spellcheck: "false", "aria-describedby": "config-read config-error" });
    this.configRead = make("p", { id: "config-read", role: "status" });
    this.configError = make("p", { class: "error", id: "config-error", role: "alert" });
    const file = make("input", { type: "file", id: "config-file", accept: ".json,application/json", class: "vh" });
    const area = this.configText;
    area.addEventListener("input", () => this.read(kConfig, area.value));
    area.addEventListener("paste", (event) => {
      const words = event.clipboardData?.getData("text") ?? "";
      if (!isTooLarge(words.length)) return;
      event.preventDefault();
      this.read(kConfig, words);
    });
    file.addEventListener("change", () => this.readFile(file.files?.[0]));
    // Anywhere: a browser would leave the page for a file that nobody takes.
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      area.classList.add("drop");
    });
    document.addEventListener("dragleave", () => area.classList.remove("drop"));
    document.addEventListener("drop", (event) => {
      if (event.defaultPrevented) return; // the canvas has taken it
      event.preventDefault();
      area.classList.remove("drop");
      const file = event.dataTransfer?.files[0];
      const words = event.dataTransfer?.getData("text");
      if (file) this.readFile(file);
      else if (words) this.take(kConfig, words);
    });
    byId("way-config").append(make("div", { class: "field" }, area, this.configRead, this.configError,
      make("label", { class: "file-button", for: "config-file" }, text("model.choose_file")), file));
  }

  /** @param {File | undefined} file */
  async readFile(file) {
    if (file) this.take(file.name, isTooLarge(file.size) ? "" : await file.text(), file.size);
  }

  /** @param {string} name @param {string} words @param {number} [size] */
  take(name, words, size = words.length) {
    if (!this.configText) return;
    this.configText.value = isTooLarge(size) ? "" : words;
    this.chooseWay("config");
    this.read(name, words || " ", size);
  }

  /** @param {string} name @param {string} words @param {number} [size] of the whole, in bytes or letters */
  read(name, words, size = words.length) {
    /** @type {import("./engine.mjs").Refusal | undefined} */
    let refusal;
    let done = "";
    if (isTooLarge(size)) {
      if (this.configText) this.configText.value = "";
      refusal = { code: "out_of_range", where: kConfig, message: text("model.too_large", name, String(kMostMiB)), hint: "" };
    } else if (words) {
      /** @type {import("./engine.mjs").Answer<{ scenario: any, notes: { message: string }[] }>} */
      const answer = this.app.engine.call("import_text", kConfig, words);
      if (answer.ok) {
        const { scenario, notes } = answer.value;
        if (scenario.model?.name === kConfig) scenario.model.name = name;
        this.app.scenario.forgetHand();
        this.app.scenario.merge(scenario);
        this.app.scenario.way = "config";
        done = [text("model.read", name), ...notes.map((note) => note.message)].join(". ");
      } else {
        refusal = { ...answer.error, where: kConfig, message: placed(answer.error), hint: "" };
      }
    }
    this.showConfig(refusal, done);
    this.app.changed();
  }

  /**
   * @param {import("./engine.mjs").Refusal | undefined} refusal why the text of config.json could not be read
   * @param {string} done
   */
  showConfig(refusal, done) {
    this.unread = refusal;
    this.configText?.toggleAttribute("aria-invalid", false);
    if (refusal) this.configText?.setAttribute("aria-invalid", "true");
    if (this.configError) this.configError.textContent = refusal?.message ?? "";
    if (this.configRead) this.configRead.textContent = done;
  }

  /** Why what the form says cannot be answered, where that is a text nobody can read. */
  unreadConfig() {
    return this.app.scenario.way === "config" ? this.unread : undefined;
  }

  forgetConfig() {
    if (this.configText) this.configText.value = "";
    this.showConfig(undefined, "");
  }

  /**
   * By hand and by size start from the model in force.
   * @param {Way} way
   */
  chooseWay(way) {
    const { scenario, view } = this.app;
    if (way === "hand" && kHandFields.every((key) => !scenario.given.has(key) || scenario.over.has(key)))
      for (const field of view?.form ?? [])
        if (kHandFields.includes(field.key) && field.value) scenario.given.set(field.key, field.value);
    if (way === "count" && !scenario.given.has("model.params")) scenario.given.set("model.params", view?.parameters.exact ?? "");
    scenario.way = way;
    this.showWay();
    this.app.changed();
  }

  showWay() {
    const way = this.app.scenario.way;
    for (const other of kWays) byId(`way-${other}`).hidden = other !== way;
    for (const radio of byId("ways").querySelectorAll("input")) radio.checked = radio.value === way;
  }

  /** Every other field that is computed now, by group; made when first looked at. */
  makeMore() {
    const host = byId("more-fields");
    if (host.hasChildNodes()) return;
    const rest = this.rows.filter((row) => hasAlternatives(row) && !this.controls.has(row.key) && !kNeverGeneric.test(row.key));
    for (const group of new Set(rest.map((row) => row.group))) {
      const rows = rest.filter((row) => row.group === group);
      const fields = make("div", { class: "fields" });
      this.place(fields, rows.map((row) => row.key));
      host.append(make("section", { "data-group": group }, make("h2", {}, rows[0].group_label), fields));
    }
    if (this.app.view) this.show(this.app.view);
  }

  /** @param {string} key */
  openMoreFor(key) {
    if (!this.rows.some((row) => row.key === key)) return;
    this.makeMore();
    const control = this.controls.get(key);
    if (control && byId("more").contains(control.element)) /** @type {HTMLDetailsElement} */ (byId("more")).open = true;
  }

  /** @param {ViewModel} view */
  show(view) {
    const { given } = this.app.scenario;
    const values = new Map(view.form.map((field) => [field.key, field]));
    const runs = values.get("task")?.value === "inference";
    const method = values.get("method.name")?.value ?? "";
    if (this.limitsOf !== this.app.shown) this.limits.clear();
    this.limitsOf = this.app.shown;
    for (const [key, control] of this.controls) {
      const field = values.get(key);
      const ofAnotherWay = !this.app.scenario.isSent(key) && byId("more").contains(control.element);
      const ofAnotherMethod = kOfMethods.some(([fields, methods]) => fields.test(key) && !methods.test(method));
      control.element.hidden = !field || ofAnotherWay || ofAnotherMethod || isOfOtherTask(key, runs);
      if (field) control.show(field, this.app.scenario.isSent(key) ? given.get(key) : undefined);
      control.showError(field?.error ?? "");
      control.showLargest(view.largest.field === key ? view.largest : this.limits.get(key));
    }
    const zero = this.controls.get("mesh.zero_stage");
    if (zero && Number(values.get("accelerator.count")?.value ?? 1) <= 1) zero.element.hidden = true;
    this.showChosen(values.get("model.ref")?.value ?? "", values.get("accelerator.name")?.value ?? "");
    this.model?.showError("");
    this.accelerator?.showError("");
    for (const section of byId("more-fields").children)
      /** @type {HTMLElement} */ (section).hidden = !section.querySelector(".field:not([hidden])");
    const count = [...given.keys()].filter((key) => this.isUnderMore(key)).length;
    this.markNumbers();
    byId("more-given").textContent = count > 0 ? text("more.given", String(count)) : "";
    this.showWay();
  }

  /** @param {string} model @param {string} accelerator */
  showChosen(model, accelerator) {
    this.model?.show(model);
    this.accelerator?.show(accelerator);
    for (const button of document.querySelectorAll("[data-model]")) button.setAttribute("aria-pressed", String(button.getAttribute("data-model") === model));
  }

  /** @param {string} key */
  isUnderMore(key) {
    const control = this.controls.get(key);
    return this.app.scenario.isSent(key) && !kNeverGeneric.test(key) && (!control || byId("more").contains(control.element));
  }

  /**
   * Fields by the labels they have here, not by their keys.
   * @param {import("./engine.mjs").Refusal} error
   */
  sentenceOf(error) {
    return error.where === kConfig ? error.message : sentenceOf(error).replace(/[a-z]\w*(\.\w+)+/g, (key) => this.rows.find((row) => row.key === key)?.label ?? key);
  }

  /** The form shows what was asked, also where that has no answer. @param {import("./engine.mjs").Refusal} error */
  refuse(error) {
    const { given } = this.app.scenario;
    this.showWay();
    this.showChosen(String(given.get("model.ref") ?? this.model?.chosen ?? ""), String(given.get("accelerator.name") ?? this.accelerator?.chosen ?? ""));
    const message = this.sentenceOf(error);
    if (!this.controls.has(error.where)) this.openMoreFor(error.where);
    for (const [key, control] of this.controls) {
      control.showTyped(given.get(key));
      control.showLargest(undefined);
      control.showError(key === error.where ? message : "");
    }
    this.model?.showError(error.where === "model.ref" || error.where === "model" ? message : "");
    this.accelerator?.showError(error.where === "accelerator.name" ? message : "");
    const control = this.controls.get(error.where);
    if (control) control.element.hidden = false;
  }

  /** @param {string} key */
  go(key) {
    this.openMoreFor(key);
    const control = this.controls.get(key);
    if (!control) return;
    control.element.scrollIntoView({ block: "center" });
    control.focus();
  }
}

/** @param {number} size */
const isTooLarge = (size) => size > kMostMiB * 2 ** 20;

/**
 * Where in the text something is wrong, and what.
 * @param {import("./engine.mjs").Refusal} error
 */
function placed(error) {
  const [, line, column] = /:(\d+):(\d+)$/.exec(error.where) ?? [];
  const place = error.where.replace(/^config\.json:? ?|^model\.config\./, "");
  const sentence = sentenceOf(error);
  if (line) return text("model.at", line, column, sentence);
  return !place || sentence.startsWith(place) ? sentence : `${place}: ${sentence}`;
}

/**
 * A field of which this version computes one value only is not worth a control.
 * @param {FieldRow} row
 */
function hasAlternatives(row) {
  if (row.kind === "choice" || row.kind === "set") return row.computed && row.computed_choices.length > 1;
  return row.computed && row.later === "";
}
