/**
 * Every text of the page itself. What speaks about a scenario (sentences, labels of fields and rows) comes
 * finished from the core; here is the chrome around it. generate_site.py reads the same table: the part
 * between the braces is plain JSON.
 */
export const strings = /** @type {const} */ ({
  "title": "memwall: will it fit?",
  "description": "Will this model train, finetune or serve on that GPU? GPU memory explained byte by byte, before a costly run.",
  "tagline": "Will it fit?",
  "skip": "Skip to the answer",
  "inputs": "Scenario",
  "answer": "Answer",

  "model": "Model",
  "model.way": "How to describe the model",
  "model.catalogue": "Catalogue",
  "model.hand": "By hand",
  "model.config": "config.json",
  "model.count": "Size only",
  "model.search": "Search models",
  "model.quick": "Often asked",
  "model.paste": "Paste a Hugging Face config.json, or drop the file here",
  "model.choose_file": "Choose a file",
  "model.read": "Read {0}",
  "model.at": "Line {0}, column {1}: {2}",
  "model.too_large": "{0} is larger than {1} MiB: nothing of it was read",
  "model.count.help": "Only the number of parameters: 7B, 350M, 1.3e9. Activations are then an estimate you can change.",
  "model.hand.help": "Dimensions of a llama-like decoder; all other settings of its structure are under More settings.",
  "accelerator": "GPU",
  "accelerator.search": "Search GPUs",
  "run": "Run",
  "more": "More settings",
  "more.given": "{0} set",

  "default": "default",
  "reset": "Reset {0}",
  "reset.short": "reset",
  "reset_all": "Reset all",
  "less": "Decrease {0}",
  "increase": "Increase {0}",
  "largest": "max {0}",
  "largest.tight": "{0} (tight)",
  "largest.help": "Set {0} to the largest value that fits: {1}",
  "on": "On",
  "off": "Off",

  "state.fits": "Fits",
  "state.tight": "Tight",
  "state.does_not_fit": "Does not fit",
  "state.cannot_say": "Cannot say",
  "stale": "Not updated: this is the last valid answer",

  "needed": "needed",
  "usable": "usable",
  "interval": "90 % interval",
  "beside": "Beside it",
  "multiple": "Compared with the weights",
  "largest.title": "Largest that fits",
  "numbers": "Four numbers, kept apart",
  "breakdown": "Where it goes",
  "timeline": "Over one step",
  "timeline.read": "Instant",
  "timeline.worst": "Worst instant",
  "timeline.capacity": "for tensors",
  "timeline.alive": "What is in memory at this instant",
  "timeline.row": "Row",
  "timeline.bytes": "Bytes",
  "timeline.table": "The same as a table",
  "timeline.moment": "Instant",
  "timeline.total": "Total",
  "learn": "What this is",
  "learn.about": "What {0} is",
  "formula": "Formula",
  "in_numbers": "In numbers",
  "bytes": "Result",
  "because": "Because",
  "lives": "Lives",
  "source": "Source",
  "confidence": "Confidence",
  "confidence.exact": "exact",
  "confidence.published": "published",
  "confidence.measured": "measured",
  "confidence.assumed": "assumed",
  "parameters": "Parameters",
  "parameters.unit": "parameters",
  "parameters.tensor": "Tensor",
  "parameters.shape": "Shape",
  "parameters.count": "Count",
  "notes": "Notes",
  "assumptions": "Assumptions",
  "assumptions.help": "What nobody can know beforehand. Change what you know better.",
  "change": "Change",

  "copy_link": "Copy link",
  "copy_markdown": "Copy as Markdown",
  "download_json": "Download JSON",
  "copied": "Copied",
  "copy_failed": "The browser refused the clipboard: select and copy this text",

  "canvas.open": "Canvas view",
  "canvas.close": "Form view",
  "canvas.label": "Calculator, drawn; the same is below as a form",
  "canvas.failed": "The canvas could not be shown: {0}. The form does everything it does.",
  "canvas.name": "Category",
  "canvas.share": "Share",
  "canvas.amount": "Memory",
  "canvas.copy_text": "Copy as text",
  "canvas.undo": "Undo",
  "canvas.redo": "Redo",

  "methods": "Methods side by side",
  "methods.open": "What each method of finetuning needs, and what speaks against finetuning",
  "methods.compared": "What each needs",
  "methods.last_layers": "Freezing trains the last layers",
  "methods.of": "{0} of {1}",
  "methods.table": "All of it as a table",
  "methods.method": "Method",
  "methods.memory": "Memory",
  "methods.use": "Use it: {0}",

  "trust.recalled": "recalled",
  "trust.assumed": "size assumed",
  "total_only": "total only",
  "combobox.none": "Nothing found for “{0}”",
  "combobox.count": "{0} found",
  "combobox.open": "Show all of {0}",

  "note.link": "This link could not be opened: {0}",
  "note.dismiss": "Dismiss",

  "noscript": "JavaScript is off. The answer shown is that of the default scenario; to ask about your own, switch JavaScript on, or use the command line program.",
  "old_browser": "This browser is too old for the calculator (it needs ES modules and WebAssembly). The answer shown is that of the default scenario.",
  "scripts_failed": "A part of the calculator did not arrive. The answer shown is that of the default scenario; reload the page to try again.",
  "load_failed": "The calculator could not be loaded: {0}. The answer shown is that of the default scenario.",
  "explain_failed": "Lists, reasons, sources and help could not be loaded: {0}. The numbers shown are not affected.",
  "retry": "Try again",
  "embed.open": "Open in memwall",
  "update": "A newer version has arrived.",
  "update.take": "Reload",
  "update.later": "Later",
  "instants": "Every instant",
  "instants.open": "The step operator by operator",
  "instants.part": "Part of the step",
  "instants.one": "Instant of this part",
  "instants.peak": "Go to the highest",
  "allocator.open": "Reserved, simulated: what the caching allocator does",
  "allocator.basis": "{0} requests of the first and the steady step, replayed through the rules of PyTorch's caching allocator on a device with room. The verdict takes the estimate.",
  "allocator.policy": "Policy",
  "allocator.reserved": "Reserved",
  "allocator.over": "Above allocated",
  "allocator.segments": "Segments",
  "allocator.estimate": "Estimate (allocator slack)",
  "allocator.default": "Simulated, PyTorch's default",
  "allocator.expandable": "Simulated, expandable_segments",
  "pins": "Scenarios side by side",
  "pins.open": "Pin scenarios and compare them",
  "pins.pin": "Pin",
  "pins.add": "Pin what is shown",
  "pins.now": "What is shown",
  "pins.name": "Pin {0}",
  "pins.show": "Show",
  "pins.use": "Show {0}",
  "pins.up": "Move {0} up",
  "pins.down": "Move {0} down",
  "pins.remove": "Remove {0}",
  "pins.clear": "Forget all pins",
  "pins.done": "Pinned as {0}; see Scenarios side by side",
  "pins.none": "Nothing is pinned yet.",
  "pins.table": "What differs",
  "pins.kept": "Pins are kept in this browser only.",
  "pins.not_kept": "This browser keeps nothing here: pins last as long as this page.",
  "shortlist": "Other GPUs",
  "shortlist.open": "On which GPUs it fits",
  "shortlist.count": "Fits on {0} of {1}; {2} on the first of them. The cheapest come first, by what an hour costs at least (* recalled, not read from a source); then what comes nearest.",
  "shortlist.name": "GPU",
  "shortlist.verdict": "Verdict",
  "shortlist.left": "Left",
  "shortlist.usable": "Usable",
  "shortlist.price": "From, an hour",
  "shortlist.use": "Use {0}",
  "shortlist.all": "Show all {0}",
  "shortlist.fewer": "Show fewer",

  "map": "Fit map",
  "map.open": "What fits over two numbers at once",
  "map.help": "Colour is the memory needed; lines join equal memory; what is hatched does not fit. Point to read, click to take the values.",
  "map.across": "Across",
  "map.up": "Up",
  "map.micro_batch_size": "Micro-batch size",
  "map.sequence_length": "Sequence length",
  "map.count": "Accelerators",
  "map.accumulation": "Gradient accumulation",
  "map.rank": "Rank",
  "map.sequences": "Concurrent sequences",
  "map.context": "Context tokens",
  "map.usable": "{0} usable",
  "map.description": "Memory needed over {0} and {1}; the sliders read any point, the table says how far each row fits.",
  "map.take": "Use these values",
  "map.csv": "Download CSV",
  "map.table": "How far it fits, as a table",
  "map.largest": "Fits up to: {0}",
  "map.needed": "Needed",
  "map.none": "does not fit",

  "crash": "Something went wrong in memwall itself. Your scenario is safe in the link below; please report it with the version.",
  "crash.version": "Version",
  "crash.link": "Link to this scenario",
  "crash.error": "Error",

  "footer.private": "Everything is computed in this page. No request leaves it.",
  "footer.licenses": "Licences",
  "footer.learn": "Learn",
  "footer.accuracy": "How exact",
  "footer.units": "GiB = 2³⁰ bytes, GB = 10⁹ bytes"
});

/** @typedef {keyof typeof strings} Key */

/**
 * The text of a key, with {0}, {1} ... replaced.
 * @param {Key} key
 * @param {...string} values
 */
export function text(key, ...values) {
  return strings[key].replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? "");
}

/**
 * Texts that one part of the page alone shows arrive with it: scripts/generate_site.py takes them out above.
 * @param {Record<string, string>} more
 */
export function addTexts(more) {
  Object.assign(strings, more);
}

/**
 * The text of a key put together at run time ("state." + state), or the fallback.
 * @param {string} key
 * @param {string} fallback
 */
export function word(key, fallback) {
  return /** @type {Record<string, string>} */ (strings)[key] ?? fallback;
}
