#!/usr/bin/env python3
"""split_wasm.py CORE.wasm --map CORE.map --tool wasm-split --node node --calls calls.mjs --rest REST.wasm: takes out of a linked module what a first verdict does not call.

A first verdict waits for what it calls; the rest (other lists, imports, search, refusals) arrives while it is read. What is
called is not written down by hand: the module is run with the calls of scripts/first_calls.mjs, and every function that was
entered stays. The rest imports what it needs from the first part and puts itself into its table of functions
(wasm-split of Binaryen, https://github.com/WebAssembly/binaryen), and the data that only it reads into the memory
(rest_data.py, with what the linker left beside the module). What is exported for all that gets short names here.
"""
import argparse
import pathlib
import subprocess
import tempfile

from rest_data import move_rest_data
from wasm_binary import *

MARK = "%"  # how the names begin that wasm-split exports
FEATURES = ["--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals"]


def read(file):
    module = file.read_bytes()
    return module[:8], {kind: content for kind, content in sections(module) if kind != CUSTOM}


def with_short_names(parts, rest_parts):
    """Numbers in the place of the names of C++."""
    short, rows = {}, []
    for name, kind, number in exports(parts[EXPORT]):
        if name.startswith(MARK.encode()):
            name = short.setdefault(name, b"%d" % len(short))
        rows.append((name, kind, number))
    parts[EXPORT] = export_section(rows)
    rest_parts[IMPORT] = import_section((module, short.get(name, name), kind, what) for module, name, kind, what in imports(rest_parts[IMPORT]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module", type=pathlib.Path)
    for name in ("map", "rest"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("tool", "node", "calls"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    run = lambda *words: subprocess.run([str(word) for word in words], check=True)
    with tempfile.TemporaryDirectory(dir=options.module.parent) as folder:
        counted, profile, first = (pathlib.Path(folder) / name for name in ("counted.wasm", "profile", "first.wasm"))
        run(options.tool, "--instrument", options.module, *FEATURES, "-o", counted)
        run(options.node, options.calls, options.module.with_suffix(".mjs"), counted, profile)
        # The older tool always imports placeholders; pack_wasm.py takes them out.
        bare = ["--no-placeholders"] if b"--no-placeholders" in subprocess.run([options.tool, "--help"], stdout=subprocess.PIPE).stdout else []
        run(options.tool, "--split", options.module, *FEATURES, *bare, f"--profile={profile}", f"--export-prefix={MARK}", "-o1", first, "-o2", options.rest)
        (head, parts), (_, rest_parts) = read(first), read(options.rest)
    with_short_names(parts, rest_parts)
    move_rest_data(parts, rest_parts, options.map.read_text(), options.module.with_suffix(".wasm.lto.o"))
    options.module.write_bytes(module_from(head, parts))
    options.rest.write_bytes(module_from(head, rest_parts))
    for left in options.module.parent.glob(options.module.name + ".*"):  # what the linker saved
        left.unlink()


if __name__ == "__main__":
    main()
