#!/usr/bin/env python3
"""generate_accuracy.py --cli memwall --data tests/data --output FILE.html --kinds FILE.json: how exact memwall is, as a page to read.

The command line program predicts every record of the folder, and this script sets its answer in tables; it computes
nothing but counts and shares of what stands in that answer.
"""
import argparse
import collections
import html
import json
import pathlib
import re
import subprocess

from learn_figures import BAR

FILES = ["oracle", "oracle_older", "measured", "params", "cases"]
LEDGERS = {"oracle": "transformers 5.12, torch 2.14", "oracle_older": "transformers 4.47, torch 2.6"}
MOMENTS = {
    "total": "whole step", "fwd_end_2": "end of forward", "bwd_peak_2": "backward", "opt_peak_2": "optimizer step",
    "category.weights": "weights", "category.gradients": "gradients", "category.optimizer_state": "optimizer state", "category.activations": "saved activations"}
WHAT = {
    "total_peak": "peak", "model_states": "between steps", "kv_cache": "KV cache", "weights": "weights", "activations": "activations",
    "compute_buffer": "compute buffer", "op_peak": "one operator", "cuda_context": "empty process", "verdict": "fits or not"}
VERDICTS = ["fits", "tight", "does_not_fit", "cannot_say"]
WORST = 20
SKIP_LINES = 40


def run(cli, *arguments):
    done = subprocess.run([str(cli), "check", *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{cli} check: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def percent(value, digits=1):
    return "–" if value is None else f"{value:.{digits}f} %"


def share(value):
    return percent(None if value is None else value * 100)


def error(value):
    if value is None:
        return "–"
    return "0 %" if abs(value) < 0.00005 else f"{value:.4f} %" if abs(value) < 0.01 else f"{value:.2f} %"


def size(value):
    return "–" if value is None else f"{value / 2**30:,.2f} GiB" if value >= 2**30 else f"{value / 2**20:,.1f} MiB"


def both(value):
    """in the units of either setting: GiB, and GB behind a bar"""
    return "–" if value is None else size(value) + "|" + (f"{value / 1e9:,.2f} GB" if value >= 1e9 else f"{value / 1e6:,.1f} MB")


def words(name):
    return name.replace("_", " ")


class Table:
    """Rows of texts; columns after the first `names` ones are numbers."""

    def __init__(self, caption, heads, names=1):
        self.caption, self.heads, self.names, self.rows = caption, heads, names, []

    def add(self, *cells):
        self.rows.append(cells)

    def write(self):
        def cell(tag, index, text):
            kind = "name" if index == 0 else "" if index < self.names else "n"
            scope = {"th": ' scope="col"'}.get(tag, "")
            return f"<{tag}{scope}{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{html.escape(str(text))}</{tag}>"

        head = "".join(cell("th", index, text) for index, text in enumerate(self.heads))
        body = "\n".join("<tr>" + "".join(cell("td", index, text) for index, text in enumerate(row)) + "</tr>" for row in self.rows)
        label = html.escape(self.caption)
        return (f'<div class="scroll" role="region" tabindex="0" aria-label="{label}"><table><caption class="vh">{label}</caption>'
                f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>")


def group(answer, name):
    return next((found for found in answer["groups"] if found["name"] == name), None)


def ledger_table(answers):
    table = Table("PyTorch's ledger against prediction", ["Library", "What", "Runs", "Median", "9 in 10 within", "To the byte*", "Within 1 %"], names=2)
    for file, library in LEDGERS.items():
        for moment, label in MOMENTS.items():
            name = f"{file}.jsonl | train | hf_transformers | total_peak" if moment == "total" else f"{file}.jsonl | phase {moment}"
            if found := group(answers[file], name):
                table.add(library, label, found["count"], error(found["median_abs_pct"]), error(found["p90_abs_pct"]), share(found["within_0_01"]), share(found["within_1"]))
    return table


def measured_table(answer):
    heads = ["Program", "Task", "Reading", "Predicted", "Not yet", "Median", "9 in 10 within", "Within 5 %", "Within 10 %", "Within 15 %", "In the interval"]
    table = Table("Published measurements against prediction", heads, names=3)
    for found in answer["groups"]:
        *place, what = found["name"].split(" | ")
        if len(place) < 3 or what.startswith("counter") or what == "verdict" or found["count"] == 0:
            continue
        table.add(words(place[2]), place[1], WHAT.get(what, words(what)), found["count"], found["skipped"], error(found["median_abs_pct"]), error(found["p90_abs_pct"]),
                  share(found["within_5"]), share(found["within_10"]), share(found["within_15"]), share(found["inside_interval"]))
    return table


def verdict_table(caption, records):
    counts = collections.Counter((record["expected_verdict"], record["predicted_verdict"]) for record in records)
    table = Table(caption, ["What happened", *(f"says {words(verdict)}" for verdict in VERDICTS)])
    for expected in VERDICTS:
        row = [counts[expected, predicted] for predicted in VERDICTS]
        if any(row):
            table.add(words(expected), *row)
    return table


def interval_table(intervals):
    runs = {row["class"]: row["runs"] for row in intervals["rows"]}
    table = Table("The 90 % interval by kind of scenario", ["Kind", "Known runs", "From", "To", "Taken"], names=1)
    for row in intervals["rows"]:
        enough = row["runs"] >= 20
        wider = next(other["name"] for other in intervals["rows"] if other["class"] == row["wider"])
        if not runs[row["wider"]]:
            continue
        table.add(row["name"], row["runs"], f"{row['low_permille'] / 10:g} %", f"{row['high_permille'] / 10:g} %", "as it stands" if enough else f"too few: {wider}")
    return table


def worst_table(answers, lines):
    heads = ["Record", "Published in", "Reading", "Predicted", "Measured", "Error", "Largest row"]
    table = Table("The largest errors", heads, names=3)
    records = [record for name in ("measured", *LEDGERS) for record in answers[name]["records"] if record["abs_error_pct"] is not None]
    for record in sorted(records, key=lambda record: -record["abs_error_pct"])[:WORST]:
        source = lines[record["id"]]["source"]
        table.add(record["id"], source, WHAT.get(record["what"], record["what"]), size(record["predicted_bytes"]), size(record["measured_bytes"]),
                  f"{record['error_pct']:+.1f} %", words(record["dominant_row"]))
    return table


def skip_table(answers):
    reasons = collections.Counter(re.sub(r"(?<![A-Za-z_\d])\d[\d,.]*", "N", entry["reason"].split(": ", 1)[-1]) for answer in answers.values() for entry in answer["skipped"])
    table = Table("Not predicted yet", ["Reason", "Records"])
    for reason, count in reasons.most_common(SKIP_LINES):
        table.add(reason, count)
    rest = len(reasons) - len(table.rows)
    if rest > 0:
        table.add(f"{rest} other reasons", sum(reasons.values()) - sum(row[1] for row in table.rows))
    return table


ESTIMATED = ("training_estimated", "training_estimated_recomputing")
PLACE = re.compile(r"^https?://(www\.)?")


def kinds(answers, intervals, lines):
    """Of each class of the interval the runs it rests on, furthest off first, as the page's view shows them."""
    checked = {record["id"]: record for answer in answers.values() for record in answer["records"]}
    found = {}
    for row in intervals["rows"]:
        key = row["class"]
        own = [run for run in intervals["evidence"] if run["class"] == key or next(other["wider"] for other in intervals["rows"] if other["class"] == run["class"]) == key]
        estimated = key in ESTIMATED
        far = lambda run: abs(run["share_millionths"] / 1e6 - 1) if estimated else checked[run["id"]]["abs_error_pct"]
        own.sort(key=far, reverse=True)
        errors = sorted(far(run) for run in own)
        runs = []
        for run in own:
            record, source = checked[run["id"]], PLACE.sub("", str(lines[run["id"]].get("source", "")))
            off = f"{run['share_millionths'] / 1e6:.2f} ×" if estimated else "0 %" if record["abs_error_pct"] < 0.005 else f"{record['error_pct']:+.2f} %"
            runs.append([run["id"], run["model"], both(record["measured_bytes"]), both(record["predicted_bytes"]), off, source])
        at = lambda part: "" if estimated or not errors else error(errors[min(len(errors) - 1, int(part * len(errors)))])
        found[key] = {"name": row["name"], "count": f"{len(own):,}", "median": at(0.5), "nine": at(0.9), "furthest": at(1), "runs": runs}
    return found


def figures(answers):
    ledger = group(answers["oracle"], "oracle.jsonl | train | hf_transformers | total_peak")
    params = answers["params"]["groups"][0]
    everything = [record for answer in answers.values() for record in answer["records"]]
    skipped = sum(len(answer["skipped"]) for answer in answers.values())
    yield share(ledger["within_0_01"]), f"of {ledger['count']} ledger runs of current transformers met to the byte*"
    yield share(params["within_0_01"]), f"of {params['count']} parameter counts of real model code exact"
    yield f"{len(everything) - skipped:,}", f"of {len(everything):,} records predicted"


def page(answers, intervals, lines):
    tiles = "".join(f"<div><dt>{html.escape(label)}</dt><dd><b>{value}</b></dd></div>" for value, label in figures(answers))
    fits = [record for record in answers["measured"]["records"] if record["what"] == "verdict" and record["predicted_verdict"]]
    cases = [record for record in answers["cases"]["records"] if record["predicted_verdict"]]
    sections = [
        ("PyTorch’s own ledger",
         "<p>Real model code of Hugging Face transformers ran with tensors that have shapes but no data, while every storage that came and went was written down: "
         "an exact account of a training step, without a GPU. memwall predicts each run from its settings alone.</p>"
         + ledger_table(answers).write() + '<p class="quiet">* Within a ten-thousandth; most are equal.</p>'),
        ("Published measurements",
         "<p>Figures that others measured and printed, with the counter they read: allocated, reserved, or what the driver shows. "
         "They hold what no ledger sees: kernels’ workspaces, the allocator, rounding in print.</p>"
         + measured_table(answers["measured"]).write()),
        ("Verdicts",
         (f"<p>Runs that are known to have fitted or not.</p>{verdict_table('Verdicts on runs', fits).write()}" if fits else "")
         + f"<p>What people ran into, from public threads; what they did not state takes memwall’s default.</p>{verdict_table('Verdicts on user cases', cases).write()}"),
        ("The 90 % interval",
         "<p>Beside every answer stands the range in which nine of ten known runs of that kind came to lie, as a share of the prediction: "
         "published readings, and ledger runs whose allocations were replayed through PyTorch’s caching allocator. "
         "Where activations are estimated the share is of these alone, below zero where the peak came at a moment without them.</p>" + interval_table(intervals).write()),
        ("Largest errors", "<p>Nothing is tuned to a record. What theory cannot explain stays visibly wrong.</p>" + worst_table(answers, lines).write()),
        ("Not predicted yet", "<p>Refused with the reason, never guessed.</p>" + skip_table(answers).write()),
        ("See for yourself", "<p>The records stand in the project with their sources.</p><pre>memwall check tests/data/*.jsonl --worst 20</pre>"),
    ]
    body = "\n".join(f"<section><h2>{title}</h2>\n{text}</section>" for title, text in sections)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>How exact is memwall · memwall</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../style.css">
<link rel="stylesheet" href="../fonts.css">
<link rel="stylesheet" href="learn.css">
</head>
<body>
{BAR}
<main class="learn">
<h1>How exact memwall is</h1>
<p>Every prediction here was made by the program you are using, from the settings of a run, and set against what that run was seen to take.</p>
<dl class="numbers">{tiles}</dl>
{body}
</main>
</body>
</html>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--kinds", type=pathlib.Path, required=True, help="the runs of each kind of scenario, for the page's view of them")
    options = parser.parse_args()
    cli = options.cli.resolve()
    files = {name: options.data / f"{name}.jsonl" for name in FILES}
    lines = {record["id"]: record for path in files.values() for record in map(json.loads, path.read_text().splitlines())}
    answers = {name: run(cli, path) for name, path in files.items()}
    intervals = run(cli, *files.values(), "--intervals")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page(answers, intervals, lines))
    options.kinds.write_text(json.dumps(kinds(answers, intervals, lines), ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
