#!/usr/bin/env python3
"""compact.py RECORDS.jsonl ... : writes the records memwall is held against beside this script, one compact JSON line each.

Kept are the inputs, what was measured and where it was published. Left out are doubtful records, values that are not
stated, and all prose: what someone asked, said or concluded. Params records stay whole (tests/unit reads their shapes).
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROSE = {"ask", "note", "assumptions", "themes", "inputs_in_hand", "other_settings", "outcome", "tokens_note", "reason", "advice", "complete"}
# The instrument's own split of every phase is not compared; its total is.
MEASURED = {"bytes", "low", "high", "counter", "what", "verdict", "phase", "scope", "reserved_simulated"}
CATEGORIES = {"weights", "gradients", "optimizer_state", "activations", "inputs", "buffers"}


def without_empty(value):
    if not isinstance(value, dict):
        return value
    kept = {key: without_empty(inner) for key, inner in value.items() if key not in PROSE}
    return {key: inner for key, inner in kept.items() if inner is not None and inner != {} and inner != []}


def compact(record):
    if record["kind"] == "params":
        return {key: value for key, value in record.items() if key not in PROSE}
    out = without_empty(record)
    out.pop("doubtful", None)
    if "measured" in out:
        out["measured"] = {key: value for key, value in out["measured"].items() if key in MEASURED}
    if "phases" in out:
        out["phases"] = {name: {"total": phase["total"]} for name, phase in out["phases"].items()}
        out["categories"] = {name: value for name, value in out["categories"].items() if name in CATEGORIES}
    return out


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        lines = [json.dumps(compact(record), ensure_ascii=False, separators=(",", ":")) for record in records if not record["doubtful"]]
        (HERE / path.name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
