// The site of memwall lies in public/memwall; two lines know of the element.
export default {
  title: "Handbook",
  base: "/handbook/",
  head: [["script", { type: "module", src: "/handbook/memwall/memwall-calculator.mjs", integrity: process.env.MEMWALL_INTEGRITY }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "memwall-calculator" } } },
  themeConfig: { nav: [{ text: "Start", link: "/" }, { text: "Serving", link: "/serving" }] },
};
