/**
 * What a page does when it is complete: it lets a service worker keep its files for when there is no network, says when
 * a newer build has arrived, and takes files that the system opens with it. Loaded behind everything else.
 */

/**
 * @typedef {object} Page
 * @property {import("./types").ViewModel | undefined} view
 * @property {import("./form.mjs").Form | undefined} form
 */

/**
 * @param {Page} page
 * @param {(key: import("./strings.mjs").Key) => string} text
 * @param {typeof import("./dom.mjs").make} make
 */
export async function stayOffline(page, text, make) {
  takeFiles(page);
  const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("memwall-offline", { createScriptURL: () => "sw.js" });
  const registration = await navigator.serviceWorker?.register(policy?.createScriptURL("") ?? "sw.js").catch(() => undefined);
  if (!registration) return; // Blocked, or opened from a place that has none: the page works as before, with the network.
  const offer = (/** @type {ServiceWorker | null} */ waiting) => {
    if (!waiting || !navigator.serviceWorker.controller || document.querySelector(".update")) return;
    const take = make("button", { type: "button", class: "quiet-button" }, text("update.take"));
    const later = make("button", { type: "button", class: "quiet-button" }, text("update.later"));
    const box = make("div", { class: "update", role: "status" }, `${text("update")} `, take, " ", later);
    take.addEventListener("click", () => waiting.postMessage("take over"));
    later.addEventListener("click", () => box.remove());
    document.body.append(box);
  };
  // Parts of two builds do not fit together: every open page goes over to the build that one of them has taken, with its scenario.
  let isControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) {
      history.replaceState(null, "", page.view?.share ?? location.hash);
      location.reload();
    }
    isControlled = true;
  });
  offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const arriving = registration.installing;
    arriving?.addEventListener("statechange", () => arriving.state === "installed" && offer(arriving));
  });
}

/** Files that were opened with the installed page. @param {Page} page */
function takeFiles(page) {
  /** @type {any} */ (window).launchQueue?.setConsumer(async (/** @type {{ files?: FileSystemFileHandle[] }} */ { files }) => {
    if (files?.[0]) page.form?.readFile(await files[0].getFile());
  });
}
