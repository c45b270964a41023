// Examples of the JS module that must compile, and of mistakes that must not.
import { load, Memwall, MemwallError, type Estimate, type Scenario } from "../../build/npm/memwall.js";

const memwall = await load();
const scenario: Scenario = {
  model: { ref: "gpt2" },
  accelerator: { name: "4090", count: 2 },
  task: "finetune",
  precision: { recipe: "amp_bf16" },
  batch: { micro_batch_size: 4, sequence_length: 1024 },
  savers: { activation_checkpointing: "full", attention: "flash" },
  mesh: { zero_stage: 2 },
};
const estimate: Estimate = memwall.estimate(scenario);
const total: number | undefined = estimate.numbers?.device_total_bytes;
const text: string = memwall.estimateJson(scenario);
const largest: number | null = memwall.solve(scenario, "batch.micro_batch_size").value;
const adapters: number | undefined = memwall.compare(scenario, { methods: ["lora"], lastLayers: 3 }).methods[1].checkpoint_bytes;
const sentence: string = memwall.view(scenario).verdict.sentence;
const names: string[] = memwall.catalogue("models", "llama").map((row) => row.name);
const back: Scenario = memwall.scenarioFromShare(memwall.shareFromScenario(scenario)).scenario;
const median: number | null = (await memwall.check([{ name: "mine.jsonl", text: "{}" }], { only: "kind=train" })).groups[0].median_abs_pct;
try {
  memwall.estimate({ model: { params: 7e9 } });
} catch (error) {
  if (error instanceof MemwallError) console.log(error.where, error.hint);
}
console.log(total, text, median, largest, adapters, sentence, names, back, memwall.version());

// @ts-expect-error: no such task
memwall.estimate({ task: "evaluate" });
// @ts-expect-error: no such field
memwall.estimate({ batch: { micro_batch: 4 } });
// @ts-expect-error: a number, not a text
memwall.estimate({ batch: { micro_batch_size: "4" } });
// @ts-expect-error: no such group
memwall.estimate({ modle: { ref: "gpt2" } });
// @ts-expect-error: fields that cost no memory cannot be solved for
memwall.solve(scenario, "mesh.zero_stage");
// @ts-expect-error: no such method
memwall.compare(scenario, { methods: ["lore"] });
// @ts-expect-error: scenarios stand in a list
memwall.lineup(scenario);
// @ts-expect-error: records are text
memwall.check([scenario]);
// @ts-expect-error: no such catalogue
memwall.catalogue("toasters");
// @ts-expect-error: the numbers are missing without a model
memwall.estimate(scenario).numbers.device_total_bytes;
// @ts-expect-error: made by load() only
new Memwall();
