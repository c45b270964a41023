/**
 * first_calls.mjs CORE.mjs COUNTED.wasm PROFILE: calls of the core what a page may call before the rest of it is there, and
 * writes which functions were entered (scripts/split_wasm.py). That is the verdict of every language model of one stack in
 * the catalogue, to train and to run, on one accelerator, and a link that is opened. What is left out waits for the rest.
 */
import { readFileSync, writeFileSync } from "node:fs";

const [, , coreFile, countedFile, profileFile] = process.argv;
const { default: create } = await import(coreFile);
/** @type {WebAssembly.Instance | undefined} */
let counted;
const core = await create({
  instantiateWasm: (imports, receive) => {
    WebAssembly.instantiate(readFileSync(countedFile), imports).then(({ instance }) => receive((counted = instance)));
    return {};
  },
});

core.units("GB");
core.view(JSON.stringify({ model: { ref: "gpt2" }, accelerator: { name: "4090" } }));
core.units("GiB");
const rows = (name) => readFileSync(new URL(`../src/catalogue/${name}.jsonl`, import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const accelerators = rows("accelerators");
const languageModels = rows("models").filter((row) => row.vocab_size > 0 && !row.num_encoder_layers);
languageModels.forEach(({ id: ref }, index) => {
  const { name } = accelerators[index % accelerators.length];
  for (const task of ["finetune", "inference"]) {
    const answer = JSON.parse(core.view(JSON.stringify({ model: { ref }, accelerator: { name }, task })));
    if (answer.ok) core.scenario_from_share(answer.value.share);
  }
});

const memory = Object.values(counted.exports).find((each) => each instanceof WebAssembly.Memory);
const at = memory.buffer.byteLength;
const pageBytes = 65536;
memory.grow(1);
const size = counted.exports.__write_profile(at, pageBytes);
if (size > pageBytes) throw new Error(`a profile of ${size} bytes`);
writeFileSync(profileFile, new Uint8Array(memory.buffer, at, size));
