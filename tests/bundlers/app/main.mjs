import { load } from "memwall";

const memwall = await load();
const scenario = JSON.parse(document.body.dataset.scenario ?? "{}");
document.body.append(memwall.estimateJson(scenario));
document.body.dataset.done = String(memwall.catalogue("models", "gpt2").length > 0);
