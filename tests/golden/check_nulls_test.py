#!/usr/bin/env python3
"""memwall check over records in the long form of their schema: a key that is null says as much as one that is not there.

tests/data leaves null values out. Here every group of every record gets, as null, each key that the same group has in
another record, and every answer stays what it was.
"""
import collections
import json
import os
import pathlib
import subprocess

OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", "build"))
DATA = pathlib.Path("tests/data")
FILES = ["oracle", "oracle_older", "measured", "cases"]
GROUPS = ["", "model", "model.config", "model.structure", "method", "precision", "optimizer", "batch", "savers", "mesh", "offload",
          "serving", "op", "implementation", "accelerator", "measured", "expected"]


def group(record, path, make=False):
    for name in filter(None, path.split(".")):
        if not isinstance(record.get(name), dict):
            if not make:
                return None
            record[name] = {}
        record = record[name]
    return record


def check(records):
    text = "".join(json.dumps(record) + "\n" for record in records)
    done = subprocess.run([str(OUTPUTS / "native/memwall"), "check", "-", "--json"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def main():
    records = [json.loads(line) for name in FILES for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    before = check(records)
    keys = collections.defaultdict(set)
    for record in records:
        for path in GROUPS:
            keys[path] |= set(group(record, path) or ())
    # Null everywhere would say that no group is stated; groups that are there are filled.
    added = 0
    for record in records:
        for path in GROUPS:
            found = group(record, path)
            for key in keys[path] if found is not None else ():
                if key not in found:
                    found[key] = None
                    added += 1
    assert added > 50 * len(records), added
    after = check(records)
    for one, other in zip(before["records"], after["records"]):
        assert one == other, (one["id"], one["predicted_bytes"], other["predicted_bytes"])
    assert before["skipped"] == after["skipped"]
    print(f"{len(records)} records with {added} keys that are null")


if __name__ == "__main__":
    main()
