// The site of memwall lies in static/memwall.
export default {
  title: "Handbook",
  url: "https://docs.example",
  baseUrl: "/handbook/",
  onBrokenLinks: "throw",
  scripts: [{ src: "/handbook/memwall/memwall-calculator.mjs", type: "module", integrity: process.env.MEMWALL_INTEGRITY }],
  presets: [["classic", { docs: { routeBasePath: "/", sidebarPath: undefined }, blog: false, pages: false }]],
  themeConfig: { colorMode: { respectPrefersColorScheme: false }, navbar: { items: [{ to: "/", label: "Start" }, { to: "/serving", label: "Serving" }] } },
};
