/**
 * <memwall-calculator model="…" gpu="…" task="…" view="verdict">: the calculator in somebody else's page.
 *
 *     <script type="module" src="…/memwall-calculator.mjs"></script>
 *     <memwall-calculator model="mistralai/Mistral-7B-v0.1" gpu="RTX 4090" task="finetune" view="form"></memwall-calculator>
 *
 * Attributes: model, gpu, task; scenario (a link's part after "#", or JSON); view (form, verdict, breakdown, timeline, fit-map, methods, canvas); theme
 * (auto, light, dark); locked (field keys with commas between them, or "all"); compact. All of them may change at any time.
 * Event memwall-change after every answer; property scenario; method estimate(). What stands inside the element is shown
 * until the calculator is there, which is when it comes near the viewport. learn/embedding.html says more.
 *
 * This file is small and fetches nothing: the rest (calculator.mjs, one core for all of a page) comes with the first one seen.
 */
const kHeights = { form: 620, verdict: 260, breakdown: 560, timeline: 620, "fit-map": 980, methods: 1200, canvas: 720 };
const kNear = "600px";

const placeholder = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host { display: block; min-height: var(--memwall-height, 260px); } :host([hidden]) { display: none; }`);
  return sheet;
};
/** @type {CSSStyleSheet | undefined} */
let waitingSheet;

/** @type {IntersectionObserver | undefined} one for all */
let near;
const watch = (/** @type {MemwallCalculator} */ element) => {
  near ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) /** @type {MemwallCalculator} */ (target).create();
  }, { rootMargin: kNear });
  near.observe(element);
};

export class MemwallCalculator extends HTMLElement {
  static observedAttributes = ["model", "gpu", "task", "scenario", "view", "theme", "locked", "compact"];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    /** @type {import("./calculator.mjs").Calculator | undefined} */
    this.calculator = undefined;
    /** @type {Promise<import("./calculator.mjs").Calculator> | undefined} */
    this.creating = undefined;
    /** @type {object | undefined} set before the calculator was there */
    this.early = undefined;
  }

  connectedCallback() {
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    if (this.calculator) return this.calculator.connect();
    root.adoptedStyleSheets = [(waitingSheet ??= placeholder())];
    if (!root.firstChild) root.append(document.createElement("slot"));
    const view = /** @type {keyof typeof kHeights} */ (this.getAttribute("view") ?? "verdict");
    this.style.setProperty("--memwall-height", `${kHeights[view] ?? kHeights.verdict}px`);
    watch(this);
  }

  disconnectedCallback() {
    near?.unobserve(this);
    this.calculator?.disconnect();
  }

  /** @param {string} name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(name, before, now) {
    if (before !== now) this.calculator?.take(name);
  }

  /** Fetches what is needed and shows it; a second call waits for the first. */
  create() {
    near?.unobserve(this);
    return (this.creating ??= import(new URL("./calculator.mjs", import.meta.url).href).then(async (/** @type {typeof import("./calculator.mjs")} */ { Calculator }) => {
      this.calculator = await Calculator.create(this, this.early);
      return this.calculator;
    }).catch((error) => {
      // What stands inside the element stays visible; the page around it goes on.
      this.creating = undefined;
      this.dispatchEvent(new CustomEvent("memwall-error", { bubbles: true, composed: true, detail: { message: String(error.message ?? error) } }));
      throw error;
    }));
  }

  /** The whole answer, as `memwall estimate --json` gives it. @returns {Promise<object>} */
  async estimate() {
    return (await this.create()).estimate();
  }

  /** What was stated, as a nested object of field keys. */
  get scenario() {
    return this.calculator?.scenarioObject() ?? this.early ?? {};
  }

  set scenario(value) {
    if (this.calculator) this.calculator.setScenario(value);
    else this.early = value;
  }
}

if (!customElements.get("memwall-calculator")) customElements.define("memwall-calculator", MemwallCalculator);
