/** Made by scripts/generate_site.py from index.html: sections of the page as [tag, attributes, ...children]. */
export const parts: Record<"verdict" | "breakdown" | "timeline", any> & { places: Record<string, string> };
