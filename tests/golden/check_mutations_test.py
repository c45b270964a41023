#!/usr/bin/env python3
"""No record stops `memwall check`: thousands of records with values dropped, exchanged, negative, huge, of the wrong type,
unknown or deeply nested are all read, each stands once in the answer, and the answer is JSON without NaN or infinity."""
import copy
import json
import os
import pathlib
import random
import subprocess

OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", "build"))
DATA = pathlib.Path("tests/data")
PER_FILE = 800
DEEP = json.loads("[" * 200 + "]" * 200)
ODD = [None, True, False, -1, 0, 1, 2**31, 2**53, 2**63 - 1, 2**64 - 1, -(2**63), 0.5, 1e18, 1e300, "", "x", "none", "fp32", "8k", "\u0000", "é" * 300,
       [], {}, [[]], ["q_proj"], [None, {}], {"name": {}}, DEEP]


def paths(value, path=()):
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))


def parent(record, path):
    for key in path[:-1]:
        record = record[key]
    return record


def mutate(record, donors, rng):
    record = copy.deepcopy(record)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        path = rng.choice(list(paths(record)))
        if path == ("id",):
            continue
        holder, kind = parent(record, path), rng.randrange(4)
        if kind == 0:
            del holder[path[-1]]
        elif kind == 1:
            holder[path[-1]] = copy.deepcopy(rng.choice(ODD))
        elif kind == 2:
            donor = rng.choice(donors)
            holder[path[-1]] = copy.deepcopy(parent(donor, rng.choice(list(paths(donor)))))
        else:
            holder[rng.choice(["hidden_size", "sequence_length", "name", "unknown_key", ""])] = copy.deepcopy(rng.choice(ODD))
    return record


def main():
    rng = random.Random(1)
    records = {name: [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()] for name in ["oracle", "oracle_older", "measured", "params", "cases"]}
    everything = [record for of_file in records.values() for record in of_file]
    mutants = [mutate(rng.choice(of_file), everything, rng) for of_file in records.values() for _ in range(PER_FILE)]
    for number, mutant in enumerate(mutants):
        mutant["id"] = f"m{number}"
    text = "".join(json.dumps(mutant) + "\n" for mutant in mutants)
    text += "".join(line + "\n" for line in ["{", "null", "[]", "5", '"id"', '{"id":"lone"}', '{"id":3,"kind":"train"}', "\x7f"])
    done = subprocess.run([str(OUTPUTS / "native/memwall"), "check", "-", "--json"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert done.stderr == "", done.stderr
    answer = json.loads(done.stdout, parse_constant=lambda word: (_ for _ in ()).throw(AssertionError(f"{word} is no JSON")))
    ids = [record["id"] for record in answer["records"]]
    assert len(ids) == len(mutants) + 8
    assert ids[len(mutants) + 5] == "lone"  # no record without a kind, but its id can be read
    ids[len(mutants) + 5] = f"standard input:{len(mutants) + 6}"
    for line, found in enumerate(ids, 1):  # what has no id is called by its place
        assert found == f"standard input:{line}" or (line <= len(mutants) and found == f"m{line - 1}"), (line, found)
    skipped = {entry["id"] for entry in answer["skipped"]}
    for record in answer["records"]:
        if record["id"] in skipped:
            assert record["predicted_bytes"] is None, record
        elif record["kind"] == "case":
            assert record["predicted_verdict"], record
        elif record["predicted_bytes"] is not None:
            assert record["predicted_bytes"] >= 0, record
    print(f"{len(ids)} records, {len(skipped)} skipped")


if __name__ == "__main__":
    main()
