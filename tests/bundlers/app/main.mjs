import { load } from "memwall";

const memwall = await load();
const scenario = JSON.parse(document.body.dataset.scenario ?? "{}");
document.body.append(memwall.estimateJson(scenario));
// What check() needs is loaded by its first call.
const record = document.body.dataset.record ?? "";
document.body.dataset.checked = JSON.stringify(await memwall.check(record));
document.body.dataset.done = String(memwall.catalogue("models", "gpt2").length > 0);
