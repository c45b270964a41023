/* Runs in every browser, so plain old JavaScript: shows the colours of the settings before anything is painted, and says so when the page's modules cannot run or did not
   arrive. The answer that is already in the page stays. main.mjs sets data-running. */
(function () {
  "use strict";
  var root = document.documentElement;
  try {
    root.setAttribute("data-theme", JSON.parse(localStorage.getItem("memwall-settings") || "{}").theme || "auto");
  } catch (e) { /* nothing is kept here */ }
  /** @param {string} kind */
  function say(kind) {
    var box = document.getElementById("trouble");
    if (!box || root.hasAttribute("data-running")) return;
    box.textContent = box.getAttribute("data-" + kind) || "";
    box.removeAttribute("hidden");
  }
  var isOld = !("noModule" in document.createElement("script")) || typeof WebAssembly !== "object";
  if (isOld) document.addEventListener("DOMContentLoaded", function () { say("old"); });
  window.addEventListener("load", function () {
    setTimeout(function () { if (!isOld) say("failed"); }, 0);
  });
})();
