/**
 * Keeps the page for when there is no network. scripts/generate_offline.py writes the name of this build and its files in.
 * All files of a build come from one cache, so that a page never runs with parts of two builds; a newer build waits
 * until the page's user takes it (web/offline.mjs), and then the older caches of this place go.
 */
"use strict";
const kBuild = "";
/** @type {string[]} relative to this file */
const kFiles = [];

const worker = /** @type {any} */ (self);
/** Several copies may live on one host: each minds its own caches. */
const kPlace = `memwall ${new URL("./", location.href).pathname} `;
const kCache = kPlace + kBuild;
const kUrls = new Set(kFiles.map((name) => new URL(name, location.href).href));

worker.addEventListener("install", (/** @type {any} */ event) =>
  // What the browser still has from loading the page is asked for once more, but only sent where it changed.
  event.waitUntil(caches.open(kCache).then((cache) => cache.addAll([...kUrls].map((url) => new Request(url, { cache: "no-cache" }))))));

worker.addEventListener("activate", (/** @type {any} */ event) =>
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(kPlace) && name !== kCache);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  })()));

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "take over") worker.skipWaiting();
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  if (event.request.method !== "GET" || !kUrls.has(url.href)) return;
  event.respondWith(caches.open(kCache).then((cache) => cache.match(url.href)).then((found) => found ?? fetch(event.request)));
});
