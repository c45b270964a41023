#!/usr/bin/env python3
"""The 90 % interval: the committed table is what tests/data say, and it holds runs it has not seen.

After the records or the predictions have changed, make the table again:
    memwall check --intervals tests/data/*.jsonl > src/estimate/interval_rows.inc
"""
import collections
import json
import math
import os
import pathlib
import subprocess

OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", "build"))
FILES = sorted(map(str, pathlib.Path("tests/data").glob("*.jsonl")))
TABLE = pathlib.Path("src/estimate/interval_rows.inc")
FEWEST = 20


def check(*arguments):
    done = subprocess.run([str(OUTPUTS / "native/memwall"), "check", "--intervals", *FILES, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def quantiles(shares):
    """As check/intervals.hpp says; the page never leaves the prediction itself outside."""
    ordered = sorted(shares)
    k = max(1, (len(ordered) + 1) // 20)
    return min(1.0, math.floor(ordered[k - 1] * 200 + 1e-6) / 200), max(1.0, math.ceil(ordered[-k] * 200 - 1e-6) / 200)


def held(evidence, classes):
    """Of runs of these classes, how many lie between the quantiles of those of other models."""
    own = [run for run in evidence if run["class"] in classes]
    by_model = collections.defaultdict(list)
    for run in own:
        by_model[run["model"]].append(run["share_millionths"] / 1e6)
    inside = total = 0
    for model, shares in by_model.items():
        low, high = quantiles([run["share_millionths"] / 1e6 for run in own if run["model"] != model])
        inside += sum(low <= share <= high for share in shares)
        total += len(shares)
    return inside, total


def main():
    made = check()
    assert made == TABLE.read_text(), f"{TABLE} is not what tests/data say:\n{made}"
    answer = json.loads(check("--json"))
    rows = {row["class"]: row for row in answer["rows"]}
    members = {name: [other for other, row in rows.items() if name in (other, row["wider"])] for name in rows}
    used = {name if row["runs"] >= FEWEST else row["wider"] for name, row in rows.items()}
    everything = [0, 0]
    for name in sorted(used):
        if rows[name]["runs"] < FEWEST:
            continue
        inside, total = held(answer["evidence"], members[name])
        print(f"{name}: {inside} of {total} unseen runs inside")
        everything = [everything[0] + inside, everything[1] + total]
        assert 0.80 <= inside / total <= 0.97, (name, inside, total)
    assert 0.80 <= everything[0] / everything[1] <= 0.97


if __name__ == "__main__":
    main()
