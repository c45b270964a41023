/** Made by scripts/generate_site.py from the field table: rows of what the form of an element asks. */
export const elementFields: import("./types").FieldRow[];
