#!/usr/bin/env python3
"""merge_data.py FILE.wasm: joins data segments with few zeros between them, in place.

The linker's optimiser cuts the data at every run of zeros to save raw bytes. A visitor loads it compressed, where zeros
cost next to nothing, and more than a thousand segment heads cost some kilobytes.
"""
import argparse
import pathlib

DATA, DATA_COUNT = 11, 12
WIDEST_GAP = 256  # zeros cost less than the head of one more segment


def read_leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def unsigned_leb(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def signed_leb(value):
    """of a number that is not negative: its last byte leaves the sign bit clear"""
    out = bytearray()
    while value > 63:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def sections(module):
    at = 8
    while at < len(module):
        size, start = read_leb(module, at + 1)
        yield module[at], module[start : start + size]
        at = start + size


def segments(content):
    """(address, bytes) of each; only active segments at a constant address, as the linker writes them."""
    count, at = read_leb(content, 0)
    for _ in range(count):
        if content[at : at + 2] != b"\x00\x41":
            raise SystemExit("a data segment that is not active, or not at a constant address")
        address, at = read_leb(content, at + 2)
        size, at = read_leb(content, at + 1)  # after the end mark of the address
        yield address, content[at : at + size]
        at += size


def merged(content):
    joined = []
    for address, data in sorted(segments(content)):
        gap = address - (joined[-1][0] + len(joined[-1][1])) if joined else WIDEST_GAP + 1
        if gap <= WIDEST_GAP:
            joined[-1][1].extend(bytes(gap) + data)
        else:
            joined.append((address, bytearray(data)))
    heads = [b"\x00\x41" + signed_leb(address) + b"\x0b" + unsigned_leb(len(data)) + bytes(data) for address, data in joined]
    return len(joined), unsigned_leb(len(joined)) + b"".join(heads)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module", type=pathlib.Path)
    options = parser.parse_args()
    module = options.module.read_bytes()
    parts = dict(sections(module))
    if DATA not in parts:
        return
    count, parts[DATA] = merged(parts[DATA])
    if DATA_COUNT in parts:
        parts[DATA_COUNT] = unsigned_leb(count)
    out = bytearray(module[:8])
    for kind, content in sections(module):
        content = parts[kind] if kind in (DATA, DATA_COUNT) else content
        out += bytes([kind]) + unsigned_leb(len(content)) + content
    options.module.write_bytes(out)


if __name__ == "__main__":
    main()
