#!/usr/bin/env python3
"""Turns src/catalogue/*.jsonl into packed tables, in build/generated/catalogue:

    packed_tables.cpp   what an estimate needs, as constexpr bytes
    catalogue.txt       what only lists show; WebAssembly is given it apart
    packed_texts.cpp    the same as constexpr bytes, for every other program

    generate_catalogue.py --source src/catalogue --output build/generated/catalogue

A broken row ends the build with file:line. The output depends on nothing but the data. What the tables look like is
said in src/catalogue/packed.hpp, which reads them; which architecture facts and words exist is read from
src/model/facts.cpp.
"""
import argparse
import hashlib
import json
import pathlib
import re
import sys

RECALLED = {"recalled", "recalled_total", "torchvision", "recalled_hardware", "format_spec"}
MODEL_KEYS = {
    "id", "aliases", "family", "model_type", "arch", "torch_dtype", "sources", "published_params", "published_source", "published_as",
    "published_params_nominal", "active_params_nominal", "published_extras", "match", "note", "field_conflicts",
    "computed_params", "computed_active_params", "layer_pattern", "intermediate_sizes",
}
RATES = ["fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"]


class Broken(Exception):
    pass


def rows_of(path):
    """(file:line, row) of every line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise Broken(f"{where}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise Broken(f"{where}: not an object")
        yield where, row


def need(where, row, key, kind):
    value = row.get(key)
    if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
        raise Broken(f"{where}: {key} must be {kind.__name__}, not {value!r}")
    return value


def whole(where, key, value):
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**62:
        raise Broken(f"{where}: {key} must be a whole number >= 0, not {value!r}")
    return value


def scaled(where, row, key, factor):
    """The decimal number row[key] x factor as a whole number; 0 where it is not known."""
    value = row.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise Broken(f"{where}: {key} must be a number >= 0, not {value!r}")
    return round(value * factor)


def literal(value):
    out = []
    for byte in value.encode("utf-8"):
        char = chr(byte)
        if char in '"\\':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif 32 <= byte < 127:
            out.append(char)
        else:
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out).replace("??", "?\\?") + '"'


class Table:
    """Columns of one table: texts, and numbers."""

    def __init__(self):
        self.rows, self.texts, self.numbers = 0, {}, {}

    def text(self, column, value):
        self.texts.setdefault(column, []).append(value)

    def number(self, column, value):
        self.numbers.setdefault(column, []).append(value)

    def lines(self):
        """The texts, column by column."""
        return lines_of(value for column in self.texts.values() for value in column)

    def text_with_numbers(self):
        return lines_of([str(self.rows)]) + self.lines() + lines_of(str(value) for column in self.numbers.values() for value in column)

    def code(self, stem):
        data = bytearray()
        for values in self.numbers.values():
            for value in values:
                leb128(data, value)
        code = [*text_constant(f"k_{stem}_texts", self.lines()), *octets(f"k_{stem}_numbers", data)]
        return code, f"PackedTable packed_{stem}() {{ return {{{self.rows}, k_{stem}_texts, k_{stem}_numbers}}; }}"


def lines_of(values):
    values = list(values)
    assert not any("\n" in value for value in values)
    return "".join(value + "\n" for value in values)


def text_constant(name, text):
    return [f"constexpr std::string_view {name} =", *(f"    {literal(line)}" for line in text.splitlines(keepends=True)), ";"]


def leb128(data, value):
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)


def refuse_unknown(where, row, known):
    for key in row:
        if key not in known:
            raise Broken(f"{where}: unknown key {key!r}")


def refuse_twins(where, name, seen):
    folded = name.lower()
    if folded in seen:
        raise Broken(f"{where}: {name!r} stands twice")
    seen.add(folded)


class Facts:
    """Keys and words of model/facts.cpp, and the packing of a row's facts."""

    def __init__(self, path):
        source = path.read_text(encoding="utf-8")
        lists = {
            name: "".join(re.findall(r'"([^"]*)"', body)).split("|")
            for name, body in re.findall(r"WordList (k\w+) =([^;]*);", source)
        }
        self.words_of = {}
        for key, words in re.findall(r'MEMWALL_(?:FACT|ENTRY)\((?:[\w.]+,\s*)+"([^"]+)"(?:,\s*(\w+))?\)', source):
            self.words_of[key] = lists[words] if words else None
        if not self.words_of:
            raise Broken(f"{path}: no facts found")
        self.keys, self.words, self.data = [], [], bytearray()

    def index(self, table, value):
        if value not in table:
            table.append(value)
        return table.index(value)

    def number(self, value):
        leb128(self.data, value)

    def pack(self, where, row):
        start = len(self.data)
        for key, value in row.items():
            if key in MODEL_KEYS and key not in ("layer_pattern", "intermediate_sizes"):
                continue
            if key == "layer_pattern":
                if len(value) != row.get("num_hidden_layers") or set(value) - set("FSLKGmMCPA-E"):
                    raise Broken(f"{where}: layer_pattern needs one known letter for each of num_hidden_layers")
                self.number(self.index(self.keys, key))
                self.number(self.index(self.words, value))
            elif key == "intermediate_sizes":
                if len(value) != row.get("num_hidden_layers"):
                    raise Broken(f"{where}: intermediate_sizes needs one number for each of num_hidden_layers")
                self.number(self.index(self.keys, key))
                self.number(len(value))
                for width in value:
                    self.number(whole(where, key, width))
            elif isinstance(value, list):
                for position, entry in enumerate(value):
                    self.pack_one(where, f"{key}.{position}", entry)
            else:
                self.pack_one(where, key, value)
        return len(self.data) - start

    def pack_one(self, where, key, value):
        if key not in self.words_of:
            raise Broken(f"{where}: unknown key {key!r} (model/facts.cpp lists them)")
        allowed = self.words_of[key]
        self.number(self.index(self.keys, key))
        if allowed is None:
            self.number(whole(where, key, value))
            return
        word = str(value).lower() if isinstance(value, bool) else value
        if word not in allowed:
            raise Broken(f"{where}: {key} must be one of {', '.join(allowed)}, not {value!r}")
        self.number(self.index(self.words, word))


class Sources:
    def __init__(self, path):
        self.ids, self.texts = [], []
        for where, row in rows_of(path):
            refuse_unknown(where, row, {"id", "text"})
            self.ids.append(need(where, row, "id", str))
            self.texts.append(need(where, row, "text", str))

    def index(self, where, name):
        if name not in self.ids:
            raise Broken(f"{where}: source {name!r} is not in sources.jsonl")
        return self.ids.index(name)

    def check(self, where, row):
        names = need(where, row, "sources", list)
        if not names:
            raise Broken(f"{where}: needs at least one source")
        for name in names:
            self.index(where, name)


def count_trust(row):
    if "published_params" not in row and "published_params_nominal" not in row:
        return "Recalled" if set(row["sources"]) <= RECALLED else "Published"
    if row.get("published_source") in RECALLED and row.get("published_source") != "torchvision":
        return "Recalled"
    if row.get("arch") == "total_only":
        return "Recalled" if row.get("published_source") in RECALLED else "Published"
    return "Exact" if "published_params" in row else "Published"


TRUST = ["Exact", "Published", "Recalled", "Assumed"]


def add_model(table, where, row, facts, sources):
    sources.check(where, row)
    if "computed_params" not in row and row.get("arch") != "total_only":
        raise Broken(f"{where}: computed_params is missing (or arch total_only)")
    length = facts.pack(where, row)
    published = row.get("published_params", row.get("published_params_nominal", 0))
    extras = published - row["computed_params"] if "published_params" in row and "computed_params" in row else 0
    extras_row = row.get("published_extras", [])
    if (extras != 0) != bool(extras_row):
        raise Broken(f"{where}: published_params is not computed_params plus published_extras")
    plain = [extra["params"] for extra in extras_row]
    if plain and all(isinstance(value, int) for value in plain) and sum(plain) != extras:
        raise Broken(f"{where}: published_extras add up to {sum(plain)}, the difference is {extras}")
    if "published_source" in row:
        sources.index(where, row["published_source"])
    for key in ("id", "family", "model_type"):
        table.text(key, need(where, row, key, str))
    table.text("aliases", "|".join(row.get("aliases", [])))
    table.number("count_trust", TRUST.index(count_trust(row)))
    table.number("published_total", whole(where, "published_params", published) if row.get("arch") == "total_only" else 0)
    table.number("facts", length)


ACCELERATOR_KEYS = {
    "name", "vendor", "architecture", "segment", "memory_gb", "memory_type", "usable_gib", "usable_source",
    "driver_total_mib", "memory_bandwidth_gbs", "tflops_dense", "interconnect_gbs", "pcie", "tdp_w", "compute_capability",
    "release_year", "msrp_usd", "cloud_price_usd_per_hour", "unified_memory", "memory_options_gb", "note", "sources",
}


def add_accelerator(table, where, row, sources):
    refuse_unknown(where, row, ACCELERATOR_KEYS)
    rates = row.get("tflops_dense", {})
    refuse_unknown(where, rates, {*RATES, "fp16_with_fp16_accumulate"})
    price = row.get("cloud_price_usd_per_hour", {})
    sources.check(where, row)
    usable_source = row.get("usable_source", "")
    trust = "Published" if usable_source else "Assumed"
    if "recalled" in usable_source or "inferred" in usable_source:
        trust = "Recalled"
    for key in ("name", "vendor", "architecture", "segment", "memory_type"):
        table.text(key, need(where, row, key, str))
    table.text("usable_source", usable_source)
    table.text("price_date", price.get("date", ""))
    table.number("memory_gb_permille", scaled(where, row, "memory_gb", 1000))
    table.number("usable_bytes", scaled(where, row, "usable_gib", 2**30))
    table.number("usable_trust", TRUST.index(trust))
    table.number("memory_bandwidth_gbs", scaled(where, row, "memory_bandwidth_gbs", 1))
    table.number("interconnect_gbs_tenths", scaled(where, row, "interconnect_gbs", 10))
    table.number("compute_capability_tenths", scaled(where, row, "compute_capability", 10))
    table.number("price_low_cents", scaled(where, price, "low", 100))
    table.number("price_high_cents", scaled(where, price, "high", 100))
    table.number("unified_memory", 1 if row.get("unified_memory") else 0)
    table.number("recalled", 1 if RECALLED & set(row["sources"]) else 0)
    for rate in RATES:
        table.number(rate, scaled(where, rates, rate, 10))


def add_format(table, where, row, sources):
    refuse_unknown(where, row, {"name", "family", "bits_per_weight", "applies_to", "source", "block_weights", "block_bytes",
                                "layout", "formula", "note", "default", "per_tensor_extra_bytes", "use"})
    for key in ("name", "family", "applies_to"):
        table.text(key, need(where, row, key, str))
    for key in ("formula", "note", "use"):
        table.text(key, row.get(key, ""))
    table.number("bits_per_weight_millionths", scaled(where, row, "bits_per_weight", 1_000_000))
    table.number("block_weights", scaled(where, row, "block_weights", 1))
    table.number("block_bytes", scaled(where, row, "block_bytes", 1))
    table.number("source", sources.index(where, need(where, row, "source", str)))


def add_optimizer(table, where, row, sources):
    refuse_unknown(where, row, {"name", "state_bytes_per_param", "approx_bytes_per_param", "formula", "states", "note", "use", "source"})
    table.text("name", need(where, row, "name", str))
    table.text("states", ", ".join(need(where, row, "states", list)))
    table.text("formula", need(where, row, "formula", str))
    table.text("note", row.get("note", ""))
    table.text("use", row.get("use", ""))
    known = "state_bytes_per_param" in row
    table.number("state_bytes_millionths", scaled(where, row, "state_bytes_per_param", 1_000_000) if known else -1)
    table.number("source", sources.index(where, need(where, row, "source", str)))


def add_method(table, where, row):
    keys = ("name", "label", "meaning", "source", "url")
    refuse_unknown(where, row, {*keys, "evidence"})
    for key in keys:
        table.text(key, need(where, row, key, str))
    table.text("evidence", row.get("evidence", ""))


def octets(name, data):
    lines = [", ".join(str(byte) for byte in data[i:i + 32]) + "," for i in range(0, len(data), 32)]
    return [f"constexpr std::uint8_t {name}[] = {{", *lines, "};"]


def generate(source):
    facts = Facts(source.parent / "model" / "facts.cpp")
    sources = Sources(source / "sources.jsonl")
    adders = {
        "models": lambda table, where, row: add_model(table, where, row, facts, sources),
        "accelerators": lambda table, where, row: add_accelerator(table, where, row, sources),
        "formats": lambda table, where, row: add_format(table, where, row, sources),
        "optimizers": lambda table, where, row: add_optimizer(table, where, row, sources),
        "methods": add_method,
    }
    tables, notes = {}, []
    for stem, add in adders.items():
        seen, table = set(), Table()
        for where, row in rows_of(source / f"{stem}.jsonl"):
            refuse_twins(where, row.get("id", row.get("name", "")), seen)
            add(table, where, row)
            table.rows += 1
            if stem == "models":
                notes.append(row.get("note", ""))
        tables[stem] = table
    texts = lines_of(notes) + lines_of([str(len(sources.texts)), *sources.texts])
    texts += "".join(tables[stem].text_with_numbers() for stem in ("formats", "optimizers", "methods"))
    # Texts and tables of different builds must not meet.
    stamp = hashlib.sha256(texts.encode()).hexdigest()[:16] + "\n"
    return tables_code(facts, tables, stamp), stamp + texts


def tables_code(facts, tables, stamp):
    data, functions = text_constant("k_stamp", stamp), ["std::string_view catalogue_stamp() { return k_stamp; }"]
    for stem in ("models", "accelerators"):
        code, function = tables[stem].code(stem)
        data += code
        functions.append(function)
    for name, words in (("packed_keys", facts.keys), ("packed_words", facts.words)):
        data += text_constant(f"k_{name}", lines_of(words))
        functions.append(f"std::string_view {name}() {{ return k_{name}; }}")
    data += octets("k_facts", facts.data)
    functions.append("std::span<const std::uint8_t> packed_facts() { return k_facts; }")
    return cpp(data, functions)


def cpp(data, functions):
    return "\n".join([
        "// Generated by scripts/generate_catalogue.py from src/catalogue/*.jsonl.", '#include "catalogue/packed.hpp"', "",
        "namespace memwall {", "namespace {", *data, "}  // namespace", *functions, "}  // namespace memwall", "",
    ])


def texts_code(texts):
    data = ["#ifdef MEMWALL_TEXTS_APART", 'constexpr std::string_view k_texts = "";', "#else", *text_constant("k_texts", texts), "#endif"]
    return cpp(data, ["std::string_view built_in_texts() { return k_texts; }"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    try:
        tables, texts = generate(arguments.source)
    except Broken as error:
        sys.exit(str(error))
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, content in (("packed_tables.cpp", tables), ("catalogue.txt", texts), ("packed_texts.cpp", texts_code(texts))):
        (arguments.output / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
