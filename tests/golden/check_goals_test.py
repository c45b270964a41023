#!/usr/bin/env python3
"""memwall check over every record of tests/data: the goals of exactness hold, and nothing that was predicted is lost.

Goals are of the plan (parameters all exact; PyTorch's ledger to a ten-thousandth for nine in ten records of architectures
with a block program). FLOOR is what has been reached: raise it with the work that raises it, never lower it.
"""
import json
import math
import os
import pathlib
import subprocess

OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", "build"))
DATA = pathlib.Path("tests/data")
FILES = ["oracle", "oracle_older", "measured", "params", "cases"]
# The moments that are held to the byte: the ends and peaks of both steps.
MOMENTS = ("fwd_end", "bwd_peak", "opt_peak")
STATES = ("category.weights", "category.gradients", "category.optimizer_state", "trainable_params")
# file: records predicted
FLOOR = {"oracle": 247, "oracle_older": 106, "measured": 200, "params": 64, "cases": 54}
EXACT = 0.01  # per cent
# Cases of training on one GPU: exactly right, right or adjacent. The goals are 80 and 95 per cent.
USER_CASES = {"exact": 11, "adjacent": 14}


def check(name, records=None):
    path = "-" if records else str(DATA / f"{name}.jsonl")
    text = "".join(json.dumps(record) + "\n" for record in records or [])
    done = subprocess.run([str(OUTPUTS / "native/memwall"), "check", path, "--json"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, (name, done.returncode, done.stderr, done.stdout[:500])
    return json.loads(done.stdout, parse_constant=lambda word: (_ for _ in ()).throw(AssertionError(f"{word} is no JSON")))


def share(values, limit):
    return sum(value <= limit for value in values) / len(values)


def percentile(values, part):
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


def errors(record):
    """Absolute errors in per cent of the moments that have a goal; infinite for a record that is skipped."""
    if record["predicted_bytes"] is None:
        return [math.inf]
    phases = record["phases"]
    return [record["abs_error_pct"]] + [abs(phases[name]["error_pct"]) for name in phases if name.startswith(MOMENTS)]


def is_trained_on_one(line):
    gpus = line["accelerator"].get("count") or line.get("mesh", {}).get("world_size") or 1
    return line["kind"] == "train" and gpus == 1 and line["trust"] in ("exact", "high") and not line.get("doubtful")


def ledger_goal(name, answer, exact_share, p95):
    worst = [max(errors(record)) for record in answer["records"]]
    assert share(worst, EXACT) >= exact_share, (name, share(worst, EXACT))
    peaks = [math.inf if record["abs_error_pct"] is None else record["abs_error_pct"] for record in answer["records"]]
    assert percentile(peaks, 0.95) <= p95, (name, percentile(peaks, 0.95))
    for record in answer["records"]:
        for category in STATES:
            if category in record["phases"]:
                assert abs(record["phases"][category]["error_pct"]) <= EXACT, (record["id"], category)


def read(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def older_by_default():
    """What transformers 4.47 makes of logits follows from its version, where a record does not say it."""
    records = read("oracle_older")
    for record in records:
        record["savers"].pop("loss", None)
    answer = check("oracle_older without its losses", records)
    assert all(record["abs_error_pct"] <= EXACT for record in answer["records"])


# Saved activations that transformers 4.47 keeps less of than 5.12 does (its attention code; the totals of PyTorch's ledger
# in both differ by these): bytes a score, or bytes an element of the hidden states.
OLDER = {"oracle-r0048": ("score", 4), "oracle-r0050": ("score", 2), "oracle-r0012": ("score", -4), "oracle-r0009": ("hidden", 4)}


def older_attention():
    records = [record for record in read("oracle") if record["id"] in OLDER]
    now = check("records of 5.12", records)
    for record in records:
        record["implementation"]["version"] = "transformers 4.47.1, torch 2.6.0"
    then = check("the same of 4.47", records)
    for record, new, old in zip(records, now["records"], then["records"]):
        config, tokens = record["model"]["config"], record["batch"]["sequence_length"]
        kind, bytes_each = OLDER[record["id"]]
        each = tokens * config["num_attention_heads"] if kind == "score" else config["hidden_size"]
        expected = bytes_each * record["batch"]["micro_batch_size"] * config["num_hidden_layers"] * tokens * each
        less = new["phases"]["category.activations"]["predicted"] - old["phases"]["category.activations"]["predicted"]
        assert abs(less - expected) <= 2 * config["num_hidden_layers"] * 512, (record["id"], less, expected)


def main():
    older_by_default()
    older_attention()
    answers = {name: check(name) for name in FILES}
    for name, answer in answers.items():
        lines = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
        skipped = {entry["id"]: entry["reason"] for entry in answer["skipped"]}
        assert [record["id"] for record in answer["records"]] == [line["id"] for line in lines], name
        for record in answer["records"]:
            if record["kind"] == "case" and record["id"] not in skipped:
                assert record["predicted_verdict"] in ("fits", "tight", "does_not_fit", "cannot_say"), record["id"]
        predicted = len(lines) - len(skipped)
        print(f"{name}: {predicted} of {len(lines)} predicted")
        assert predicted >= FLOOR[name], (name, predicted, FLOOR[name])
        assert sum(group["count"] + group["skipped"] for group in answer["groups"] if " | phase " not in group["name"]) == len(lines), name
    assert all(record["abs_error_pct"] == 0 for record in answers["params"]["records"])
    # Engines print their caches' bytes; some of them rounded to MiB.
    caches = [record for record in answers["measured"]["records"] if record["what"] == "kv_cache" and record["abs_error_pct"] is not None]
    assert len(caches) >= 14 and all(record["abs_error_pct"] <= 0.1 for record in caches), caches
    # One operator alone, eager and fused; where none is predicted, it is a miss.
    alone = [record["abs_error_pct"] if record["abs_error_pct"] is not None else math.inf
             for record in answers["measured"]["records"] if record["what"] == "op_peak"]
    assert len(alone) == 45 and percentile(alone, 0.5) <= 0.5 and percentile(alone, 0.9) <= 2, alone
    # The caching allocator replayed over our trace against the same over the instrument's own (default policy).
    for name, median, most in (("oracle", 0.3, 4), ("oracle_older", 0.6, 8)):
        replayed = [abs(record["reserved_simulated"]["error_pct"]) for record in answers[name]["records"] if "reserved_simulated" in record]
        assert len(replayed) >= FLOOR[name] and percentile(replayed, 0.5) <= median and percentile(replayed, 0.9) <= most, name
    # Training on one GPU, all methods; what is not predicted is a miss.
    lines = [json.loads(line) for line in (DATA / "measured.jsonl").read_text().splitlines()]
    trained = [record["abs_error_pct"] if record["abs_error_pct"] is not None else math.inf
               for line, record in zip(lines, answers["measured"]["records"]) if is_trained_on_one(line)]
    assert len(trained) == 58 and percentile(trained, 0.5) <= 5 and percentile(trained, 0.9) <= 15, trained
    cases = answers["cases"]["user_cases"]
    print(f"user cases: {cases['exact']} exactly right and {cases['adjacent']} right or adjacent of {cases['count']}, {cases['tight']} said to be tight")
    assert cases["count"] == 14 and all(cases[key] >= least for key, least in USER_CASES.items()), cases
    assert cases["tight"] <= 0.35 * cases["count"], cases
    ledger_goal("oracle", answers["oracle"], exact_share=0.90, p95=1)
    ledger_goal("oracle_older", answers["oracle_older"], exact_share=0.80, p95=2)


if __name__ == "__main__":
    main()
