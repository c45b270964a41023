/** The code of learn/embedding.html: what its calculator shows is what the two texts below it put into a page. */
const element = /** @type {import("../memwall-calculator.mjs").MemwallCalculator} */ (document.querySelector("memwall-calculator"));
const place = new URL("../", import.meta.url).href;
const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.getElementById(name));
const quoted = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** @type {HTMLSelectElement[]} */
const choices = ["view", "theme"].map((name) => /** @type {HTMLSelectElement} */ (find(`embed-${name}`)));

function write() {
  const [view, theme] = choices.map((choice) => choice.value);
  const scenario = JSON.stringify(element.scenario);
  const link = element.shadowRoot?.querySelector(".open a")?.getAttribute("href") ?? place;
  const hash = new URL(link, place).hash;
  find("embed-tag").textContent = `<script type="module" src="${place}memwall-calculator.mjs"></script>
<memwall-calculator view="${view}" theme="${theme}" scenario="${quoted(scenario)}"></memwall-calculator>`;
  find("embed-frame").textContent = `<iframe title="memwall" width="100%" height="420" src="${quoted(`${place}embed.html?view=${view}&theme=${theme}${hash}`)}"></iframe>`;
}

for (const choice of choices)
  choice.addEventListener("change", () => {
    element.setAttribute(choice.id.replace("embed-", ""), choice.value);
    write();
  });
element.addEventListener("memwall-change", write);
for (const button of document.querySelectorAll("button[data-copies]"))
  button.addEventListener("click", async () => {
    const text = find(/** @type {HTMLElement} */ (button).dataset.copies ?? "");
    try {
      await navigator.clipboard.writeText(text.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(text); // The browser refused the clipboard: it is one key away.
    }
  });
find("embed-maker").hidden = false;
