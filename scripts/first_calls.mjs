/**
 * first_calls.mjs CORE.mjs COUNTED.wasm PROFILE: calls of the core what a page may call before the rest of it is there, and
 * writes which functions were entered (scripts/split_wasm.py). That is the verdict of every language model of one stack in
 * the catalogue, to train and to run, on one accelerator, a link that is opened, and what most change in the form of an element:
 * numbers in digits, precision, the stage of ZeRO, the usual optimizers, methods and checkpointing. What is left out waits for the rest.
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

for (const name of ["full", "freeze", "lora", "qlora"])
  for (const zero_stage of ["0", "1", "2", "3"])
    for (const activation_checkpointing of ["none", "full"])
      for (const ref of ["meta-llama/Llama-3.1-8B", "mistralai/Mixtral-8x7B-v0.1"])
        core.view(JSON.stringify({ model: { ref }, accelerator: { name: "H100 SXM5 80GB", count: "8" }, task: "finetune", method: { name }, mesh: { zero_stage }, savers: { activation_checkpointing } }));
for (const { id: ref } of languageModels)
  for (const name of ["freeze", "lora", "qlora"])
    core.view(JSON.stringify({ model: { ref }, accelerator: { name: "H100 SXM5 80GB" }, task: "finetune", method: { name }, savers: { activation_checkpointing: "full" } }));

for (const kind of ["models", "accelerators"]) core.names(kind);

const kChanges = {
  batch: [["micro_batch_size", "1", "2", "64"], ["sequence_length", "512", "1000"]],
  serving: [["concurrent_sequences", "1", "64"], ["context_tokens", "512", "1000"]],
  accelerator: [["count", "2", "8"]],
  mesh: [["zero_stage", "0", "1", "2", "3"]],
  precision: [["recipe", "amp_bf16", "amp_fp16", "fp32", "bf16", "fp16", "bf16_master", "bf16_master_fp32_gradients", "bf16_master_both_gradients", "fp16_master"]],
  method: [["name", "full", "freeze", "lora", "qlora"]],
  savers: [["activation_checkpointing", "none", "full"]],
  optimizer: [["name", "adamw", "adam", "sgd", "sgd_momentum", "adam_8bit", "adamw_8bit", "paged_adamw_8bit", "paged_adamw_32bit", "lion", "adagrad", "rmsprop"]],
};
for (const task of ["pretrain", "finetune", "inference"])
  for (const [group, fields] of Object.entries(kChanges))
    for (const [name, ...values] of fields)
      for (const value of values)
        for (const ref of ["meta-llama/Llama-3.1-8B", "mistralai/Mixtral-8x7B-v0.1"])
          core.view(JSON.stringify({ model: { ref }, task, accelerator: { name: "H100 SXM5 80GB", ...(group === "accelerator" && { [name]: value }) }, ...(group !== "accelerator" && { [group]: { [name]: value } }) }));

const memory = Object.values(counted.exports).find((each) => each instanceof WebAssembly.Memory);
const at = memory.buffer.byteLength;
const pageBytes = 65536;
memory.grow(1);
const size = counted.exports.__write_profile(at, pageBytes);
if (size > pageBytes) throw new Error(`a profile of ${size} bytes`);
writeFileSync(profileFile, new Uint8Array(memory.buffer, at, size));
