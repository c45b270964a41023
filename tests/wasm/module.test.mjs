/** The JS module under Node against the command line: the same bytes, the same refusals, nothing that leaks. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const outputs = resolve(process.env.MEMWALL_OUTPUTS ?? "build");
const cli = join(outputs, "native", "memwall");
const { load, MemwallError } = await import(pathToFileURL(join(outputs, "npm", "memwall.mjs")).href);

const kScenarios = [
  { accelerator: { name: "4090" } },
  { model: { ref: "gpt2" }, accelerator: { name: "4090" }, task: "inference" },
  { model: { ref: "gpt2" }, accelerator: { name: "4090" }, batch: { micro_batch_size: 32, sequence_length: 1024 } },
  { model: { ref: "gpt2" }, accelerator: { name: "4090" }, savers: { attention: "eager", activation_checkpointing: "full" } },
  { model: { ref: "meta-llama/Llama-3.1-8B" }, accelerator: { name: "H100 SXM5 80GB" }, task: "finetune" },
  { model: { ref: "meta-llama/Llama-3.1-8B" }, accelerator: { name: "H100 SXM5 80GB", count: 64 }, mesh: { zero_stage: 3 } },
  { model: { ref: "meta-llama/Llama-2-70b-hf" }, precision: { recipe: "bf16_master_both_gradients" }, batch: { sequence_length: 4096 } },
  { model: { params: 7_000_000_000 }, accelerator: { name: "RTX 3060" } },
  { model: { params: 100_000_000_000_000 } },
  { model: { ref: "no such model" } },
  { model: { ref: "gpt2" }, mesh: { tp: 8 } },
  { model: { ref: "gpt2" }, batch: { micro_batch_size: -1 } },
  { model: { ref: "gpt2" }, modle: {} },
  { batch: { micro_batch: 4 }, model: { ref: "gpt2" } },
  {},
  { nonsense: 1 },
  { model: { config: { hidden_size: 768 } } },
  { model: { config: { model_type: "lama", hidden_size: 768, num_hidden_layers: 2 } } },
  { model_type: "llama", hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4, intermediate_size: 128, vocab_size: 1000 },
];

/** @param {string[]} words @param {string} input */
const run = (words, input) => spawnSync(cli, words, { input, encoding: "utf8" });

const memwall = await load();

for (const scenario of kScenarios) {
  const native = run(["estimate", "-", "--json"], JSON.stringify(scenario));
  try {
    assert.equal(memwall.estimateJson(scenario), native.stdout, JSON.stringify(scenario));
  } catch (error) {
    if (!(error instanceof MemwallError)) throw error;
    const { code, where, message, hint } = error;
    assert.deepEqual(JSON.parse(native.stdout), { error: { code, where, message, hint } });
    assert.equal(native.status, 2);
  }
}

for (const scenario of kScenarios.slice(1, 6)) {
  const words = ["compare", "-", "--json", "--methods", "full,freeze,houlsby", "--last-layers", "2"];
  const native = JSON.parse(run(words, JSON.stringify(scenario)).stdout);
  assert.deepEqual(memwall.compare(scenario, { methods: ["full", "freeze", "houlsby"], lastLayers: 2 }), native);
  assert.equal(native.methods[0].method, "none");
}
{
  const files = [kScenarios[1], kScenarios[2]].map((scenario, index) => {
    const file = join(tmpdir(), `memwall-${process.pid}-${index}.json`);
    writeFileSync(file, JSON.stringify(scenario));
    return file;
  });
  const { stdout, status } = run(["compare", ...files, "--json"], "");
  for (const file of files) rmSync(file);
  assert.equal(status, 0);
  assert.deepEqual(memwall.lineup([kScenarios[1], kScenarios[2]]), JSON.parse(stdout));
  assert.throws(() => memwall.lineup([]), { code: "out_of_range" });
}
{
  const native = JSON.parse(run(["allocator", "-", "--json"], JSON.stringify(kScenarios[1])).stdout);
  assert.deepEqual(memwall.allocator(kScenarios[1]), native);
  assert.ok(native.runs.length === 2 && native.runs.every((each) => each.reserved_bytes >= each.allocated_bytes));
  assert.throws(() => memwall.allocator({}), { code: "missing" });
}
{
  // Records against predictions: the report of the command line, be it of one text, of several files, of some of them, or of rubbish.
  const files = ["tests/data/params.jsonl", "tests/data/cases.jsonl"].map((file) => ({ name: basename(file), text: readFileSync(file, "utf8") }));
  const paths = files.map(({ name }) => `tests/data/${name}`);
  assert.deepEqual(await memwall.check(files), JSON.parse(run(["check", ...paths, "--json"], "").stdout));
  assert.deepEqual(await memwall.check(files, { only: "kind=case" }), JSON.parse(run(["check", ...paths, "--json", "--only", "kind=case"], "").stdout));
  const odd = `\ufeff{"id":"模型","kind":"train"}\r\n\n{ no record\u0000\n${files[0].text.split("\n")[0]}`;
  const report = await memwall.check(odd);
  assert.deepEqual(report, JSON.parse(run(["check", "-", "--json"], odd).stdout));
  assert.equal(report.records.length, 3);
  await assert.rejects(memwall.check(odd, { only: "colour=red" }), (error) => error instanceof MemwallError && error.field === "only" && error.hint !== "");
  assert.deepEqual(await (await load({ checkBinary: await readFile(join(outputs, "npm", "check.wasm")) })).check(odd), report);
}
assert.ok(memwall.compare(kScenarios[1]).methods.length > 10, "the usual methods");
assert.throws(() => memwall.compare({}), { code: "missing" });

{
  const estimate = memwall.estimate(kScenarios[1]);
  assert.equal(estimate.verdict, "fits");
  assert.equal(estimate.parameters.total, 124_439_808);
  assert.deepEqual(memwall.estimate(estimate), estimate, "an estimate can be handed back as its scenario");
  const view = memwall.view(kScenarios[1]);
  assert.equal(view.verdict.state, "fits");
  assert.ok(view.share.startsWith("#"));
  assert.ok(memwall.markdown(kScenarios[1]).includes(view.verdict.sentence));
}

{
  const found = memwall.solve(kScenarios[2], "batch.micro_batch_size");
  const needed = (/** @type {number} */ size) =>
    memwall.estimate({ ...kScenarios[2], batch: { micro_batch_size: size, sequence_length: 1024 } }).numbers.device_total_bytes;
  assert.ok(needed(found.value) <= found.usable_bytes && needed(found.value + 1) > found.usable_bytes);
}

{
  assert.equal(memwall.params(kScenarios[1]).total, 124_439_808);
  assert.ok(memwall.catalogue("accelerators", "h100").length > 0);
  assert.ok(memwall.catalogue("models").length >= 500);
  assert.ok(memwall.fields().some((row) => row.key === "batch.micro_batch_size"));
  assert.match(memwall.version(), /^\d+\.\d+\.\d+$/);
  assert.throws(() => memwall.catalogue("toasters"), MemwallError);
}

{
  const fragment = memwall.shareFromScenario(kScenarios[2]);
  assert.deepEqual(memwall.scenarioFromShare(fragment).scenario, { model: { ref: "gpt2" }, batch: kScenarios[2].batch, accelerator: { name: "4090" } });
  const config = { model_type: "llama", hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4, intermediate_size: 128, vocab_size: 1000 };
  const { scenario } = memwall.importText("config.json", JSON.stringify(config));
  assert.equal(memwall.estimate(scenario).completed.model.config.hidden_size, 64);
  assert.throws(() => memwall.importText("config.json", "{"), (error) => error instanceof MemwallError && error.code === "malformed");
}

{
  const scenario = { model: { ref: "gpt2" }, accelerator: { name: "4090" } };
  const [batches, lengths] = [[1, 5], [128, 1024]];
  const { needed_bytes, usable_bytes } = memwall.grid(scenario, { field: "batch.micro_batch_size", values: batches }, { field: "batch.sequence_length", values: lengths });
  const estimates = lengths.flatMap((sequence_length) => batches.map((micro_batch_size) => memwall.estimate({ ...scenario, batch: { micro_batch_size, sequence_length } })));
  assert.deepEqual(needed_bytes, estimates.map(({ numbers }) => numbers.device_total_bytes));
  assert.equal(usable_bytes, estimates[0].numbers.usable_bytes);
  const wrong = (/** @type {() => unknown} */ call) => assert.throws(call, MemwallError);
  wrong(() => memwall.grid(scenario, { field: "batch.micro_batch_size", values: [] }, { field: "batch.sequence_length", values: [1] }));
  wrong(() => memwall.grid(scenario, { field: "nothing", values: [1] }, { field: "batch.sequence_length", values: [1] }));
}

{
  // What JSON would drop or turn into null is refused at its field, and one bad scenario does not stop the others.
  const base = { model: { ref: "gpt2" }, accelerator: { name: "4090" } };
  for (const value of [NaN, Infinity, -Infinity, undefined, null, 10n, () => 1, Symbol.iterator]) {
    const bad = /** @type {any} */ ({ ...base, batch: { micro_batch_size: value } });
    for (const call of /** @type {const} */ (["estimate", "estimateJson", "view", "markdown", "params", "shareFromScenario"]))
      assert.throws(() => memwall[call](bad), (error) => error instanceof MemwallError && error.field === "batch.micro_batch_size" && error.hint !== "", `${call} ${String(value)}`);
    assert.throws(() => memwall.solve(bad, "batch.micro_batch_size"), MemwallError);
    const { errors, verdicts, device_total_bytes } = memwall.estimateMany([base, bad, { ...base, batch: { micro_batch_size: 2 } }]);
    assert.deepEqual(errors.map((error) => error?.field), [undefined, "batch.micro_batch_size", undefined]);
    assert.deepEqual(verdicts, ["fits", "cannot_say", "fits"]);
    assert.ok(device_total_bytes[0] < device_total_bytes[2] && Number.isNaN(device_total_bytes[1]));
    assert.equal(device_total_bytes[0], memwall.estimate(base).numbers.device_total_bytes);
  }
  // Numbers that JSON cannot write are refused by the core, which says what is allowed.
  for (const value of [NaN, Infinity, -Infinity])
    assert.throws(() => memwall.estimate({ ...base, batch: { micro_batch_size: value } }), { code: "malformed", hint: "allowed: 1 to 1,048,576", message: `Micro-batch size "${value}" is not a finite number` });
  for (const bad of [undefined, null, NaN, 3, "gpt2", [], { model: [1] }]) assert.throws(() => memwall.estimate(/** @type {any} */ (bad)), (error) => error instanceof MemwallError, String(bad));
}

{
  // A second instance, from bytes, as a page under a strict policy would make it.
  const other = await load({ wasmBinary: await readFile(join(outputs, "npm", "core.wasm")) });
  assert.equal(other.estimateJson(kScenarios[4]), memwall.estimateJson(kScenarios[4]));
}

{
  // Only strings cross the border, so the module's memory stays what it was.
  const many = (/** @type {number} */ times) => {
    for (let i = 0; i < times; ++i) memwall.view(kScenarios[i % 6]);
  };
  many(60);
  const before = process.memoryUsage().arrayBuffers;
  many(600);
  assert.ok(process.memoryUsage().arrayBuffers <= before + 65536 * 2, "wasm memory grew");
}
console.log(`${kScenarios.length} scenarios equal`);
