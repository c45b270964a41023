/**
 * A canvas drawn by the module app (src/bindings/app_bindings.cpp): its WebGL2 context, size, events and frames.
 * Nothing is drawn unless something happened; nothing while it is hidden or out of sight. Works in a shadow root,
 * and any number of times on a page: the compiled module is shared.
 */
import { TextAgent } from "./canvas-agent.mjs";
import { messageFrom } from "./canvas-message.mjs";

/** @typedef {import("./canvas-message.mjs").Sendable} Sendable */
/** @typedef {[name: string, first: string, second: string]} Action */
/**
 * The exports of app.mjs.
 * @typedef {Record<string, (...values: any[]) => any> & { GL: { createContext: Function, makeContextCurrent: Function, deleteContext: Function } }} App
 */

/**
 * What the canvas is called, what does what its frames ask, who takes text and files that belong to no field, and what is scrolled
 * where that is not the page.
 * @typedef {{ label: string, act: (actions: Action[]) => void, take?: (content: string | File) => void, scroller?: HTMLElement }} Options
 */

/** Frames after an event: ImGui takes events in one by one, and what opens is measured before it is drawn. */
const kSettling = 3;
const kMostUnseen = 20;
const kTapSlop = 8;
/** Keys by their DOM names; letters count with Control only. */
const kKeys = new Set(["Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Delete", "Backspace", " ", "Enter", "Escape"]);
const kLetters = new Set(["a", "c", "x", "y", "z"]);
const kNowhere = -1e6;

/** @param {string} name of a file beside this one */
async function bytesOf(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** The module in its two parts, and the two fonts that the page shows too. */
const load = () => Promise.all([import(new URL("./app.mjs", import.meta.url).href), bytesOf("./app.wasm").then((bytes) => WebAssembly.compile(bytes)), bytesOf("./fonts/inter-400.otf"), bytesOf("./fonts/inter-600.otf")]);

/** @type {ReturnType<typeof load> | undefined} shared by all canvases */
let loading;
/** Asks for all of it at once; whoever is about to make a canvas need not wait for what comes before. */
export const loadCanvas = () => (loading ??= load().catch((error) => {
  loading = undefined;
  throw error;
}));

/** @returns {Promise<{ app: App, fonts: ArrayBuffer[] }>} */
async function instantiate() {
  const [{ default: create }, module, ...fonts] = await loadCanvas();
  const app = await create({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(instance: WebAssembly.Instance) => void} */ done) => {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
  });
  return { app, fonts };
}

export class CanvasHost {
  /**
   * @param {HTMLElement} element gets the class canvas-host
   * @param {{ app: App, fonts: ArrayBuffer[] }} module
   * @param {Options} options
   */
  constructor(element, { app, fonts }, options) {
    this.element = element;
    this.app = app;
    this.options = options;
    this.due = 0;
    this.request = 0;
    this.last = 0;
    this.inSight = true;
    this.lost = false;
    this.cursor = "";
    this.density = 0;
    this.height = 0;
    this.edits = false;
    /** @type {HTMLCanvasElement | undefined} */
    this.picture = undefined;
    element.classList.add("canvas-host");
    this.stick = element.appendChild(document.createElement("div"));
    this.stick.className = "canvas-stick";
    this.canvas = this.stick.appendChild(document.createElement("canvas"));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", options.label);
    this.agent = new TextAgent(this.stick, {
      label: options.label,
      type: (text) => this.type(text),
      key: (name) => this.strike(name),
    });
    this.context = app.GL.createContext(this.canvas, { majorVersion: 2, alpha: false, antialias: false, depth: false, stencil: false });
    if (!this.context) throw new Error("WebGL 2");
    app.GL.makeContextCurrent(this.context);
    app.start(...fonts);
    this.stopped = new AbortController();
    this.listen();
  }

  /**
   * @param {HTMLElement} element
   * @param {Options & { words: (key: string) => string }} options
   */
  static async create(element, options) {
    const host = new CanvasHost(element, await instantiate(), options);
    host.send("words", host.app.word_keys().split(" ").map(options.words));
    host.sendColours();
    host.measure();
    return host;
  }

  /** @param {string} name of the export @param {Sendable} content */
  send(name, content) {
    if (!this.app[name](messageFrom(content))) throw new Error(`the canvas did not understand its ${name}`);
    this.wake();
  }

  /** The colours of the page's style sheet, so that both faces look the same. */
  sendColours() {
    const style = getComputedStyle(this.element);
    this.send("colours", this.app.colour_keys().split(" ").map((/** @type {string} */ key) => parseInt(style.getPropertyValue(`--${key}`).trim().slice(1), 16) || 0));
  }

  /** The picture of a panel (src/ui/panels.hpp). @param {HTMLCanvasElement} picture */
  sendPicture(picture) {
    this.picture = picture;
    const gl = /** @type {WebGL2RenderingContext | null} */ (this.canvas.getContext("webgl2"));
    if (!gl || this.lost) return;
    this.app.GL.makeContextCurrent(this.context);
    this.app.bind_picture();
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    this.wake();
  }

  stop() {
    this.stopped.abort();
    this.sizes?.disconnect();
    this.sight?.disconnect();
    cancelAnimationFrame(this.request);
    this.app.GL.makeContextCurrent(this.context);
    this.app.stop();
    this.app.GL.deleteContext(this.context);
    // A browser has few contexts; this one is given back now and not when its canvas is forgotten.
    this.canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    this.element.replaceChildren();
  }

  // ---- frames ----

  /** @param {number} [frames] */
  wake(frames = kSettling) {
    this.due = Math.max(this.due, frames);
    if (this.request === 0 && this.isSeen()) this.request = requestAnimationFrame(() => this.tick());
  }

  isSeen() {
    return this.inSight && !document.hidden && !this.lost;
  }

  tick() {
    this.request = 0;
    if (!this.isSeen()) return;
    this.due = this.draw() ? Math.max(this.due - 1, 1) : this.due - 1;
    if (this.due > 0) this.wake(this.due);
  }

  /** One frame, now. @returns {boolean} whether another one is wanted */
  draw() {
    return this.frame(true);
  }

  /** Frames that are not shown, until every event is taken in. */
  takeIn() {
    for (let frames = 0; this.frame(false) && frames < kMostUnseen; ++frames);
  }

  /** @param {boolean} isShown */
  frame(isShown) {
    if (this.lost) return false;
    const now = performance.now();
    if (this.density !== devicePixelRatio) this.measure();
    this.app.GL.makeContextCurrent(this.context);
    this.app.scroll(this.offset());
    const more = this.app.frame((now - this.last) / 1000, isShown);
    this.last = now;
    this.follow();
    return more;
  }

  /** What the page has to do after a frame. */
  follow() {
    const height = Math.ceil(this.app.content_height());
    if (height !== this.height) {
      this.height = height;
      this.element.style.height = `${height}px`;
    }
    const wanted = this.app.wanted_scroll();
    if (wanted >= 0) (this.options.scroller ?? window).scrollBy({ top: wanted - this.offset(), behavior: "instant" });
    const cursor = this.app.cursor();
    if (cursor !== this.cursor) this.canvas.style.cursor = this.cursor = cursor;
    const caret = this.app.caret().split(" ").map(Number);
    this.edits = caret[2] > 0;
    if (this.edits) this.agent.show(caret);
    this.focusRight();
    const actions = this.app.actions();
    if (actions) this.options.act(actions.split("\x1e").filter(Boolean).map((/** @type {string} */ each) => /** @type {Action} */ (each.split("\x1f"))));
  }

  /** How far the page has moved the content up. */
  offset() {
    const top = this.stick.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    return Math.max(0, Math.round(top));
  }

  /** The canvas in device pixels. Browsers that emulate a density report CSS pixels where device pixels belong. */
  measure() {
    const { width, height } = this.stick.getBoundingClientRect();
    const density = devicePixelRatio;
    const round = (/** @type {number} */ length, /** @type {number | undefined} */ exact) =>
      exact !== undefined && Math.abs(exact - length * density) <= 1 ? exact : Math.round(length * density);
    this.density = density;
    const wide = Math.max(1, round(width, this.exact?.inlineSize));
    const high = Math.max(1, round(height, this.exact?.blockSize));
    if (this.canvas.width !== wide) this.canvas.width = wide;
    if (this.canvas.height !== high) this.canvas.height = high;
    this.app.resize(wide / density, high / density, density);
  }

  // ---- events ----

  listen() {
    const { canvas, stick } = this;
    const { signal } = this.stopped;
    /** @param {EventTarget} target @param {string} name @param {(event: any) => void} act @param {AddEventListenerOptions} [more] */
    const on = (target, name, act, more) => target.addEventListener(name, act, { signal, ...more });
    on(canvas, "pointermove", (event) => this.onMove(event));
    on(canvas, "pointerdown", (event) => this.onDown(event));
    on(canvas, "pointerup", (event) => this.onUp(event));
    on(canvas, "pointercancel", () => (this.touch = undefined));
    on(canvas, "pointerleave", (event) => event.pointerType === "mouse" && this.point(kNowhere, kNowhere));
    on(canvas, "mousedown", (event) => event.preventDefault());
    on(canvas, "wheel", (event) => this.onWheel(event), { passive: false });
    on(stick, "keydown", (event) => this.onKey(event));
    on(stick, "keyup", (event) => this.onKeyUp(event));
    for (const name of ["copy", "cut"]) on(stick, name, (event) => this.onCopy(event));
    on(stick, "paste", (event) => {
      event.preventDefault();
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (this.edits) this.type(text.replace(/[\r\n]+/g, " "));
      else this.options.take?.(text);
    });
    on(stick, "dragover", (event) => event.preventDefault());
    on(stick, "drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.options.take?.(file);
    });
    on(stick, "focusin", (event) => this.onFocus(event));
    on(stick, "focusout", (event) => {
      if (stick.contains(/** @type {Node | null} */ (event.relatedTarget)) || this.moving) return;
      this.app.leave();
      this.wake();
    });
    on(canvas, "webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
    });
    on(canvas, "webglcontextrestored", () => this.onRestored());
    on(document, "visibilitychange", () => this.wake());
    on(this.options.scroller ?? window, "scroll", () => this.wake(1), { passive: true });
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.sendColours());
    on(document, "memwall-theme", () => this.sendColours());
    this.watchDensity();
    // Drawn in the same turn, or the old picture would be seen stretched.
    this.sizes = new ResizeObserver(([entry]) => {
      this.exact = entry.devicePixelContentBoxSize?.[0];
      this.measure();
      if (this.isSeen()) this.draw();
      this.wake();
    });
    try {
      this.sizes.observe(stick, { box: "device-pixel-content-box" }); // also told of another density
    } catch {
      this.sizes.observe(stick); // not in every browser
    }
    this.sight = new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      this.wake();
    });
    this.sight.observe(stick);
  }

  /** Another screen, or another zoom, is told of by a query for the density of now, once. */
  watchDensity() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
      this.measure();
      this.wake();
      this.watchDensity();
    }, { once: true, signal: this.stopped.signal });
  }

  /** @param {number} x @param {number} y in CSS pixels of the canvas */
  point(x, y) {
    this.app.point(x, y);
    this.wake();
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    if (event.pointerType === "mouse" || event.pointerType === "pen") return this.point(...this.placeOf(event));
    const touch = this.touch;
    if (!touch) return;
    const [, y] = this.placeOf(event);
    touch.moved = Math.max(touch.moved, Math.hypot(event.clientX - touch.x, event.clientY - touch.y));
    // An open list is moved by the finger; everything else is the page's own scrolling.
    if (touch.moved > kTapSlop && this.app.takes_wheel()) {
      this.app.wheel(0, (y - touch.at) / 50);
      touch.at = y;
      this.wake();
    }
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (event.button !== 0) return;
    const [x, y] = this.placeOf(event);
    if (event.pointerType === "touch") {
      this.touch = { x: event.clientX, y: event.clientY, at: y, moved: 0 };
      this.point(x, y);
      return;
    }
    this.canvas.setPointerCapture(event.pointerId);
    this.focus();
    this.app.point(x, y);
    this.app.press(true);
    this.wake();
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const [x, y] = this.placeOf(event);
    if (event.pointerType !== "touch") {
      this.app.point(x, y);
      this.app.press(false);
      return this.wake();
    }
    const touch = this.touch;
    this.touch = undefined;
    if (!touch || touch.moved > kTapSlop) return;
    // In the event itself: phones show their keyboard only for a focus that is set here.
    this.focus();
    this.app.point(x, y);
    this.frame(false);
    this.app.press(true);
    this.frame(false);
    this.app.press(false);
    this.frame(false);
    this.app.point(kNowhere, kNowhere);
    this.takeIn();
    this.wake();
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (event.ctrlKey || !this.app.takes_wheel()) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 / 3 : 1 / 100;
    this.app.wheel(-event.deltaX * lines, -event.deltaY * lines);
    this.wake();
  }

  /** @param {string} text */
  type(text) {
    // With Control held, as while pasting, ImGui takes no text.
    this.app.modifiers(false, false, false);
    this.app.type(text);
    this.wake();
  }

  /** A key that comes as one event. @param {string} name */
  strike(name) {
    this.app.key(name, true);
    this.app.key(name, false);
    this.wake();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.isComposing || this.agent.composing) return;
    const control = event.ctrlKey || event.metaKey;
    this.app.modifiers(control, event.shiftKey, event.altKey);
    if (event.key === "Tab") return this.onTab(event);
    const name = control ? event.key.toLowerCase() : event.key;
    if (!(control ? kKeys.has(name) || kLetters.has(name) : kKeys.has(name)) || (name === " " && this.edits)) return;
    // Without a focused widget the keys are the page's: arrows and the space bar scroll it.
    if (!this.app.takes_keys()) return;
    // A held key repeats as the browser says, frame by frame.
    if (event.repeat) this.app.key(name, false);
    this.app.key(name, true);
    this.wake();
    if (control && (name === "c" || name === "x")) this.takeIn();
    else event.preventDefault();
  }

  /** At its ends the canvas gives the focus back to the page. @param {KeyboardEvent} event */
  onTab(event) {
    if (this.app.is_at(!event.shiftKey)) {
      this.app.leave();
      this.keepFocus(this.canvas);
      return this.wake();
    }
    event.preventDefault();
    this.strike("Tab");
    this.takeIn();
  }

  /** @param {KeyboardEvent} event */
  onKeyUp(event) {
    const control = event.ctrlKey || event.metaKey;
    if (kKeys.has(event.key)) this.app.key(event.key, false);
    if (kLetters.has(event.key.toLowerCase())) this.app.key(event.key.toLowerCase(), false);
    this.app.modifiers(control, event.shiftKey, event.altKey);
    this.wake();
  }

  /** @param {ClipboardEvent} event */
  onCopy(event) {
    const text = this.app.copied();
    if (!text) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text.replaceAll("\u00a0", " "));
  }

  // ---- focus ----

  focus() {
    if (!this.hasFocus()) this.keepFocus(this.canvas);
  }

  hasFocus() {
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.stick.getRootNode());
    return this.stick.contains(activeElement);
  }

  /** Moves the focus inside the host without taking it for an arrival. @param {HTMLElement} target */
  keepFocus(target) {
    this.moving = true;
    target.focus({ preventScroll: true });
    this.moving = false;
  }

  /** Typing needs the text agent, everything else the canvas. */
  focusRight() {
    if (!this.hasFocus()) return;
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.stick.getRootNode());
    const right = this.edits ? this.agent.area : this.canvas;
    if (activeElement !== right && !this.agent.composing) this.keepFocus(right);
  }

  /** Arriving by Tab, the focus goes to the widget at that end. @param {FocusEvent} event */
  onFocus(event) {
    const from = /** @type {Node | null} */ (event.relatedTarget);
    if (this.moving || (from && this.stick.contains(from))) return;
    const isAfter = from !== null && (this.canvas.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    this.app.enter(isAfter);
    this.wake();
  }

  onRestored() {
    this.app.GL.makeContextCurrent(this.context);
    this.app.restored();
    this.lost = false;
    if (this.picture) this.sendPicture(this.picture);
    this.wake();
  }
}
