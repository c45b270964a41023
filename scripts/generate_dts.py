#!/usr/bin/env python3
"""generate_dts.py --cli memwall --output memwall.d.ts: the types of the JS module, from the field table.

What a scenario may say follows from `memwall fields --json`: groups are the parts of the keys, a choice is a union of the
words that this version computes. Shapes of the answers are those of web/types.d.ts and of API below.
"""
import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

API = """
export interface Note { where: string; message: string }
export interface Instant {
  segment: string; step: number; micro_step: number; layer?: number; module: string; operator: string; bytes: number;
  categories: Record<string, number>;
}
export interface LedgerRow {
  key: string; title: string; category: string; bytes: number; formula: string; numbers: string; dtype: string; rule: string;
  because: string; source: string; confidence: Confidence; live_from: string; live_until: string;
}
export type Confidence = "exact" | "published" | "measured" | "assumed";
export type Verdict = "fits" | "does_not_fit" | "tight" | "cannot_say";
/** Without a model only verdict, missing, scenario and notes are there. */
export interface Estimate {
  schema: 1; version: string; verdict: Verdict; missing: string;
  numbers?: {
    allocated_bytes: number; reserved_bytes: number; device_total_bytes: number;
    usable_bytes: number | null; left_bytes: number | null;
    /** Not read from a source. */
    usable_recalled: boolean;
  };
  interval?: { low_bytes: number; high_bytes: number; basis: string };
  parameters?: { total: number; active: number; trainable: number; recalled: boolean };
  rank?: string; peak?: Instant; categories?: Record<string, number>; rows?: LedgerRow[]; host_rows?: LedgerRow[];
  instants?: Instant[];
  throughput?: {
    step_seconds: number; tokens_per_second: number; roof: "compute" | "bandwidth"; efficiency_permille: number;
    confidence: Confidence; usd_per_million_tokens_low?: number; usd_per_million_tokens_high?: number;
  } | null;
  /** What was stated, and every field with its default. */
  scenario: Scenario; completed?: Scenario; notes: Note[];
}
export interface Solution {
  schema: 1; version: string; field: string; bound: "memory" | "field_limit" | "nothing_fits"; value: number | null;
  smallest?: number; needed_bytes: number; usable_bytes: number; usable_recalled: boolean; verdict: Verdict;
  next?: { value: number; needed_bytes: number }; evaluations: number; notes: Note[];
}
export interface ParameterTree {
  schema: 1; version: string; model_type: string; total: number; active: number; modules: Record<string, number>;
  tensors: { name: string; role: string; module: string; shape: number[]; copies: number; parameters: number; tied: boolean }[];
}
export type CatalogueKind = "models" | "accelerators" | "formats" | "optimizers" | "methods";
export type SolvableField = SOLVABLE;

export class MemwallError extends Error {
  readonly code: string;
  readonly where: string;
  /** The same: the field that was refused, by its key. */
  readonly field: string;
  readonly hint: string;
}
/** A field of whole numbers and at most 256 of its values. */
export interface GridAxis { field: string; values: number[]; }
export interface ShortlistRow {
  name: string; vendor: string; needed: string; usable: string; left: string; price: string;
  state: "fits" | "tight" | "does_not_fit"; sentence: string; fraction: number;
  needed_bytes: number; usable_bytes: number; price_cents: number;
  usable_recalled: boolean; price_recalled: boolean;
}
export interface Grid { usable_bytes: number; needed_bytes: number[]; }
/** Shares are 0 to 1; null where there is nothing to compare. */
export interface CheckGroup {
  name: string; count: number; skipped: number; median_abs_pct: number | null; p90_abs_pct: number | null;
  within_0_01: number | null; within_1: number | null; within_5: number | null; within_10: number | null; within_15: number | null;
  inside_interval: number | null;
}
export interface CheckedRecord {
  id: string; kind: string; what: string; predicted_bytes: number | null; measured_bytes: number | null;
  error_pct: number | null; abs_error_pct: number | null; inside_interval: boolean | null;
  predicted_verdict: Verdict | null; expected_verdict: string | null; dominant_row: string;
  phases: Record<string, { predicted: number; measured: number; error_pct: number | null }>;
}
export interface CheckReport {
  groups: CheckGroup[]; records: CheckedRecord[]; skipped: { id: string; reason: string }[];
  /** Verdicts of complete cases of training on one GPU. */
  user_cases: { count: number; exact: number; adjacent: number; tight: number; ids: string[] };
}
export type MethodName = NonNullable<NonNullable<Scenario["method"]>["name"]>;
export interface EstimateColumns {
  verdicts: ("fits" | "tight" | "does_not_fit" | "cannot_say")[];
  errors: (MemwallError | undefined)[];
  allocated_bytes: Float64Array; reserved_bytes: Float64Array; device_total_bytes: Float64Array; usable_bytes: Float64Array;
}
export class Memwall {
  private constructor();
  /** The bytes of `memwall estimate - --json`. */
  estimateJson(scenario: Scenario): string;
  estimate(scenario: Scenario): Estimate;
  /** Many scenarios at once, their numbers side by side; NaN and an error where one is refused. */
  estimateMany(scenarios: readonly Scenario[]): EstimateColumns;
  view(scenario: Scenario): ViewModel;
  markdown(scenario: Scenario): string;
  /** The largest value that fits; the next one does not. */
  solve(scenario: Scenario, field: SolvableField): Solution;
  /** What every pair of values needs, row by row: every x of the first y, then of the next; -1 where it is refused. */
  grid(scenario: Scenario, x: GridAxis, y: GridAxis): Grid;
  /** What PyTorch's caching allocator would reserve, simulated over two steps, beside the estimate, which decides. */
  allocator(scenario: Scenario): AllocatorRuns;
  /** Every accelerator of the catalogue: those that suffice first, the cheapest before. */
  shortlist(scenario: Scenario): ShortlistRow[];
  /** Methods of finetuning side by side; the first row is not to finetune. lastLayers: how many train under freezing. */
  compare(scenario: Scenario, options?: { methods?: MethodName[]; lastLayers?: number }): Comparison;
  /** 1 to 32 scenarios side by side on one scale, with what they differ in. */
  lineup(scenarios: readonly Scenario[]): Lineup;
  /**
   * Measured records against predictions, as `memwall check FILES --json`; lines of JSON, or files of them. What it needs is loaded at the
   * first call. only: "kind=train,implementation=litgpt".
   */
  check(records: string | readonly { name: string; text: string }[], options?: { only?: string }): Promise<CheckReport>;
  params(scenario: Scenario): ParameterTree;
  catalogue(kind: CatalogueKind, filter?: string): CatalogueRow[];
  fields(): FieldRow[];
  importText(name: string, text: string): { scenario: Scenario; notes: Note[] };
  shareFromScenario(scenario: Scenario): string;
  scenarioFromShare(fragment: string): { scenario: Scenario; notes: Note[] };
  version(): string;
}
export function load(options?: {
  wasmBinary?: ArrayBuffer | ArrayBufferView;
  restBinary?: ArrayBuffer | ArrayBufferView;
  checkBinary?: ArrayBuffer | ArrayBufferView;
  texts?: string;
  explanations?: string;
}): Promise<Memwall>;
"""


def words(row):
    return " | ".join(json.dumps(word) for word in row["computed_choices"]) or "never"


def type_of(row):
    kind = row["kind"]
    if kind in ("integer", "fraction"):
        return "number"
    if kind == "flag":
        return "boolean"
    if kind == "choice":
        return words(row)
    return f"readonly ({words(row)})[]" if kind == "set" else "string"


def comment(row):
    limits = f" {row['minimum']} to {row['maximum']}." if row["kind"] in ("integer", "fraction") else ""
    unit = f", {row['unit']}" if row["unit"] else ""
    default = f" Default: {row['default']}." if row["default"] else ""
    return f"/** {row['label']}{unit}. {row['help']}{limits}{default} */".replace(". .", ".").replace("..", ".")


def tree_of(rows):
    root = {}
    for row in rows:
        *path, last = row["key"].split(".")
        place = root
        for part in path:
            place = place.setdefault(part, {})
        place[last] = row
    return root


def write(tree, indent):
    pad = "  " * indent
    lines = []
    for name, part in tree.items():
        if isinstance(part.get("key"), str):
            lines += [pad + comment(part), f"{pad}{name}?: {type_of(part)};"]
        else:
            lines += [f"{pad}{name}?: {{", *write(part, indent + 1), f"{pad}}};"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    rows = json.loads(subprocess.run([options.cli, "fields", "--json"], check=True, capture_output=True, text=True).stdout)
    computed = [row for row in rows if row["computed"]]
    solvable = " | ".join(json.dumps(row["key"]) for row in computed if row["kind"] == "integer" and row["solvable"])
    head = ["/** Types of memwall.mjs, generated from the field table. */", "export interface Scenario {"]
    text = "\n".join([*head, *write(tree_of(computed), 1), "}"]) + "\n" + API.replace("SOLVABLE", solvable)
    options.output.write_text(text + "\n" + (ROOT / "web" / "types.d.ts").read_text())


if __name__ == "__main__":
    main()
