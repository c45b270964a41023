/**
 * The start of memwall.html, the whole page as one file for a disk or a mail (scripts/single_file.py puts it in front of the page's
 * own scripts). A page from disk may import no module and fetch nothing, so every file of the site lies in this one, packed, and is
 * handed out here under addresses that do not exist. A classic script: nothing else runs before it.
 */
(function () {
  "use strict";
  const kBase = "https://memwall.invalid/";
  /** @type {Record<string, string>} */
  const kTypes = { wasm: "application/wasm", mjs: "text/javascript", css: "text/css", html: "text/html" };
  /** @type {Record<string, string>} gzip in base64, by name in the site */
  const packed = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("memwall-files")).textContent ?? "{}");
  const scope = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window));

  /** @param {string} name */
  function open(name) {
    const bytes = Uint8Array.from(atob(packed[name]), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain, { headers: { "content-type": kTypes[name.split(".").pop() ?? ""] ?? "text/plain" } });
  }
  /** @param {string | URL} address */
  const nameOf = (address) => String(address).replace(kBase, "").replace(/^\.?\//, "");

  /** @type {Map<string, Promise<string>>} addresses of modules */
  const modules = new Map();
  /** @param {string} name @returns {Promise<string>} */
  function moduleAddress(name) {
    const known = modules.get(name);
    if (known) return known;
    const made = (async () => {
      let source = await open(name).text();
      for (const [whole, needed] of source.matchAll(/from\s*"\.\/([\w.-]+)"/g)) source = source.replace(whole, `from ${JSON.stringify(await moduleAddress(needed))}`);
      return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    })();
    modules.set(name, made);
    return made;
  }

  /** @type {Map<string, string>} addresses of what is wanted at once: style sheets and the worker */
  const ready = new Map();
  // What scripts/single_file.py writes in the scripts in place of import() and new Worker(); import.meta.url is kBase there.
  scope.memwallImport = async (/** @type {string} */ address) => import(await moduleAddress(nameOf(address)));
  scope.memwallWorker = (/** @type {string} */ address) => new Worker(/** @type {string} */ (ready.get(nameOf(address))));
  window.fetch = async (address) => (nameOf(/** @type {string} */ (address)) in packed ? open(nameOf(/** @type {string} */ (address))) : Promise.reject(new TypeError(`${address} is not in this file`)));
  const setAttribute = HTMLLinkElement.prototype.setAttribute;
  HTMLLinkElement.prototype.setAttribute = function (/** @type {string} */ name, /** @type {string} */ value) {
    setAttribute.call(this, name, (name === "href" && ready.get(nameOf(value))) || value);
  };
  Object.defineProperty(HTMLLinkElement.prototype, "href", { set(value) { this.setAttribute("href", value); } });

  /** What is linked to as another page opens over this one. @param {string} name @param {string} place */
  async function read(name, place) {
    const page = new DOMParser().parseFromString(await open(name).text(), "text/html");
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", page.title);
    dialog.className = "reader";
    const close = document.createElement("button");
    close.textContent = "×";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => dialog.close());
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = (await Promise.all(["style.css", "learn/learn.css"].map((sheet) => open(sheet).text()))).join("").replaceAll(":root", ":host").replaceAll("body{", ":host{");
    root.append(style, ...(page.querySelector("main") ? [/** @type {Element} */ (page.querySelector("main"))] : page.body.children));
    root.addEventListener("click", (event) => follow(event, name.replace(/[^/]*$/, "")));
    dialog.append(close, host);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    if (place) root.getElementById(place)?.scrollIntoView();
  }

  /** @param {Event} event @param {string} folder the link is written for */
  function follow(event, folder) {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    const target = link?.getAttribute("href") ?? "";
    if (!link || /^(#|\w+:)/.test(target)) return;
    event.preventDefault();
    const [path, place] = new URL(target, kBase + folder).href.replace(kBase, "").split("#");
    const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
    for (const shown of document.querySelectorAll("dialog.reader")) /** @type {HTMLDialogElement} */ (shown).close();
    if (name in packed) read(name, place ?? "");
  }
  document.addEventListener("click", (event) => {
    if (!event.composedPath().some((each) => each instanceof HTMLDialogElement)) follow(event, "");
  });

  // boot.js must not say that nothing arrived while this unpacks.
  document.documentElement.setAttribute("data-running", "");
  (async () => {
    for (const name of Object.keys(packed)) {
      if (name.endsWith(".css")) ready.set(name, URL.createObjectURL(new Blob([await open(name).text()], { type: "text/css" })));
      if (name.endsWith("worker.mjs")) ready.set(name, await moduleAddress(name));
    }
    await import(await moduleAddress("main.mjs"));
  })().catch((error) => {
    const trouble = /** @type {HTMLElement} */ (document.getElementById("trouble"));
    trouble.textContent = `${trouble.dataset.old} (${error})`;
    trouble.hidden = false;
  });
})();
