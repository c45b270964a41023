#!/usr/bin/env python3
"""pack_wasm.py FILE.wasm [--texts FILE.txt | --keep-data]: rearranges a linked module so that it compresses better, in place. What it computes stays the same.

- Data segments with few zeros between them are joined. The linker's optimiser cuts the data at every run of zeros to
  save raw bytes; compressed, zeros cost next to nothing, and more than a thousand segment heads cost some kilobytes.
- Functions that are alike become neighbours (core.wasm: 3 KB). Hints of alignment, which no engine heeds, become zero.
  In a module with an instruction or a section that is not known here the code stays as it is, with a notice.
- With --texts the late texts (src/base/late_texts.hpp) are taken out of the data and written to a file of their own. Its
  first line, which also is in the module, ties the two together.
"""
import argparse
import collections
import hashlib
import math
import pathlib
import re

from wasm_binary import *

WIDEST_GAP = 256  # zeros cost less than the head of one more segment


# ---- data ----


def segment_places(content):
    """(address, begin, end) of each; only active segments at a constant address, as the linker writes them."""
    count, at = read_leb(content, 0)
    for _ in range(count):
        if content[at : at + 2] != b"\x00\x41":
            raise SystemExit("a data segment that is not active, or not at a constant address")
        address, at = read_leb(content, at + 2)
        size, begin = read_leb(content, at + 1)  # after the end mark of the address
        at = begin + size
        yield address, begin, at


def segments(content):
    """(address, bytes) of each"""
    return ((address, content[begin:end]) for address, begin, end in segment_places(content))


LATE_TEXT = re.compile(rb"\x02late:[^\x00-\x09\x0b-\x1f]*\x03")
STAMP = b"late texts %016x\n"


def without_late_texts(pieces):
    """The segments without the late texts, and the file they go to. They stand together, zeros at most between them."""
    out, file = [], None
    for address, data in pieces:
        found = list(LATE_TEXT.finditer(data))
        if found:
            first, last = found[0].start(), found[-1].end()
            if file or LATE_TEXT.sub(b"", data[first:last]).strip(b"\0"):
                raise SystemExit("late texts do not stand together")
            texts = data[first:last]
            stamp = STAMP % int.from_bytes(hashlib.sha256(texts).digest()[:8], "big")
            file = stamp + texts
            out += [(address, data[:first]), (address + last, data[last:])]
        else:
            out.append((address, data))
    if not file:
        raise SystemExit("no late texts")
    return [(address, data.replace(STAMP % 0, stamp)) for address, data in out if data], file


def joined(pieces):
    out = []
    for address, data in sorted(pieces):
        gap = address - (out[-1][0] + len(out[-1][1])) if out else WIDEST_GAP + 1
        if gap <= WIDEST_GAP:
            out[-1][1].extend(bytes(gap) + data)
        else:
            out.append((address, bytearray(data)))
    return out


def data_section(pieces):
    heads = [b"\x00\x41" + signed_leb(address) + b"\x0b" + unsigned_leb(len(data)) + bytes(data) for address, data in pieces]
    return unsigned_leb(len(heads)) + b"".join(heads)


# ---- functions ----

# What follows an opcode: numbers in LEB128, or bytes. Opcodes from 0x45 to 0xc4 have nothing behind them.
LEBS = {0x0C: 1, 0x0D: 1, 0x10: 1, 0x20: 1, 0x21: 1, 0x22: 1, 0x23: 1, 0x24: 1, 0x3F: 1, 0x40: 1, 0x41: 1, 0x42: 1, 0x11: 2}
BYTES = {0x02: 1, 0x03: 1, 0x04: 1, 0x43: 4, 0x44: 8}
BARE = {0x00, 0x01, 0x05, 0x0B, 0x0F, 0x1A, 0x1B, *range(0x45, 0xC5)}
BR_TABLE, CALL, FIRST_ACCESS, LAST_ACCESS, CONSTANT, PREFIX = 0x0E, 0x10, 0x28, 0x3E, 0x41, 0xFC
PREFIX_LEBS = {**{number: 0 for number in range(8)}, 8: 2, 9: 1, 10: 2, 11: 1}


def instructions(body):
    """(opcode, where what follows it begins and ends) of each"""
    groups, at = read_leb(body, 0)
    for _ in range(groups):
        at = after_leb(body, at) + 1
    while at < len(body):
        op, begin = body[at], at + 1
        at = begin
        if op in BYTES:
            at += BYTES[op]
        elif op not in BARE:
            lebs = 2 if FIRST_ACCESS <= op <= LAST_ACCESS else LEBS.get(op)
            if op == BR_TABLE:
                lebs, at = read_leb(body, at)
                lebs += 1
            elif op == PREFIX:
                operation, at = read_leb(body, at)
                lebs = PREFIX_LEBS.get(operation)
            if lebs is None:
                raise Unknown(f"instruction {op:#x}")
            for _ in range(lebs):
                at = after_leb(body, at)
        yield op, begin, at


def constants(body):
    """Every number that may be an address or a part of one."""
    for op, begin, _ in instructions(body):
        if op == CONSTANT:
            yield read_signed_leb(body, begin)[0]
        elif FIRST_ACCESS <= op <= LAST_ACCESS:
            yield read_leb(body, after_leb(body, begin))[0]


def parts_of(body):
    """The body as bytes, with the number of the function in the place of each call; alignments are zero."""
    parts, start = [], 0
    for op, begin, end in instructions(body):
        if op == CALL:
            parts += [body[start:begin], read_leb(body, begin)[0]]
            start = end
        elif FIRST_ACCESS <= op <= LAST_ACCESS:
            parts.append(body[start:begin] + b"\x00")
            start = after_leb(body, begin)
    parts.append(body[start:])
    return parts


def numbers(content):
    count, at = read_leb(content, 0)
    out = []
    for _ in range(count):
        value, at = read_leb(content, at)
        out.append(value)
    return out, at


def bodies(content):
    count, at = read_leb(content, 0)
    for _ in range(count):
        size, start = read_leb(content, at)
        yield content[start : start + size]
        at = start + size


def order_by_likeness(functions):
    """A chain from the first function: next comes the one that shares most runs of four bytes, rare runs counting more."""
    runs, rare = 4, 150
    sets = []
    for parts in functions:
        tokens = [token for part in parts for token in (part if isinstance(part, bytes) else [256 + part])]
        sets.append(dict.fromkeys(zip(*(tokens[i:] for i in range(runs)))))
    times = collections.Counter(run for each in sets for run in each)
    weights = {run: math.log(len(sets) / count) for run, count in times.items() if count > 1}
    holders = collections.defaultdict(list)
    for number, each in enumerate(sets):
        for run in each:
            if 1 < times[run] <= rare:
                holders[run].append(number)
    sums = [5 + sum(weights.get(run, 0) for run in each) for each in sets]
    left, order, last = dict.fromkeys(range(len(sets))), [], 0
    while left:
        del left[last]
        order.append(last)
        shared = collections.Counter()
        for run in sets[last]:
            for number in holders.get(run, ()):
                if number in left:
                    shared[number] += weights[run]
        likeness = lambda number: (shared[number] / (sums[last] + sums[number] - shared[number]), -number)
        last = max(shared, key=likeness) if shared else next(iter(left), 0)
    return order


PLACEHOLDER = b"placeholder"  # whose functions the other part of a module that is split puts into the table


def element_segments(content):
    """(place in the table, numbers of functions) of each list at a constant place."""
    count, at = read_leb(content, 0)
    for _ in range(count):
        if content[at : at + 2] != b"\x00\x41":
            raise Unknown("a table of functions that is not lists at constant places")
        place, at = read_leb(content, at + 2)
        table, size = numbers(content[at + 1 :])
        at += 1 + size
        yield place, table


def runs_of_known(segments, new):
    """The same lists with new numbers, cut where a function is not known."""
    for place, table in segments:
        run = []
        for at, number in enumerate(table + [None]):
            if number in new:
                run.append(unsigned_leb(new[number]))
            elif run:
                yield b"\x00\x41" + signed_leb(place + at - len(run)) + b"\x0b" + vector(run)
                run = []


def with_functions_in_order(parts):
    """The sections that name functions, with the functions in their new order. What is imported as a placeholder is left
    out: its places in the table stay empty, and a call there ends the program as any other bug does."""
    if START in parts:
        raise Unknown("a start function")
    imported = list(imports(parts[IMPORT]))
    kept = [row for row in imported if not row[0].startswith(PLACEHOLDER)]
    of_functions = [row in kept for row in imported if row[2] == IN_FUNCTION]
    types, _ = numbers(parts[FUNCTION])
    functions = [parts_of(body) for body in bodies(parts[CODE])]
    order = order_by_likeness(functions)
    olds = [number for number, is_kept in enumerate(of_functions) if is_kept] + [len(of_functions) + old for old in order]
    new = {old: number for number, old in enumerate(olds)}

    def code():
        for old in order:
            body = b"".join(part if isinstance(part, bytes) else unsigned_leb(new[part]) for part in functions[old])
            yield unsigned_leb(len(body)) + body

    out = {IMPORT: import_section(kept), FUNCTION: vector(unsigned_leb(types[old]) for old in order), CODE: vector(code())}
    if EXPORT in parts:
        out[EXPORT] = export_section((name, kind, new[number] if kind == IN_FUNCTION else number) for name, kind, number in exports(parts[EXPORT]))
    if ELEMENT in parts:
        out[ELEMENT] = vector(runs_of_known(element_segments(parts[ELEMENT]), new))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("--texts", type=pathlib.Path)
    parser.add_argument("--keep-data", action="store_true", help="the zeros between data are another module's data")
    options = parser.parse_args()
    module = options.module.read_bytes()
    parts = {kind: content for kind, content in sections(module) if kind != CUSTOM}
    if DATA in parts and not options.keep_data:
        pieces = joined(segments(parts[DATA]))
        if options.texts:
            pieces, file = without_late_texts(pieces)
            options.texts.write_bytes(file)
            pieces = joined(pieces)
        parts[DATA] = data_section(pieces)
        if DATA_COUNT in parts:
            parts[DATA_COUNT] = unsigned_leb(len(pieces))
    try:
        parts.update(with_functions_in_order(parts))
    except Unknown as what:
        print(f"{options.module.name}: {what} is not known to pack_wasm.py, functions stay in their order")
    options.module.write_bytes(module_from(module[:8], parts))


if __name__ == "__main__":
    main()
