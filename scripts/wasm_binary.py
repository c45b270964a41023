"""What scripts need to know of the binary format of WebAssembly (specification 1.0, section 5): numbers, sections, imports and exports."""

CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
IN_FUNCTION, IN_TABLE, IN_MEMORY, IN_GLOBAL = range(4)  # what is imported or exported


class Unknown(Exception):
    """Something that only a newer compiler writes."""


def read_leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def read_signed_leb(data, at):
    value, end = read_leb(data, at)
    return (value - (1 << 7 * (end - at)) if data[end - 1] & 64 else value), end


def after_leb(data, at):
    while data[at] > 127:
        at += 1
    return at + 1


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


def read_text(data, at):
    length, at = read_leb(data, at)
    return data[at : at + length], at + length


def after_limits(data, at):
    most = data[at] & 1
    at = after_leb(data, at + 1)
    return after_leb(data, at) if most else at


def imports(content):
    """(module, name, kind, what follows) of each; the texts as bytes."""
    count, at = read_leb(content, 0)
    for _ in range(count):
        words = []
        for _ in range(2):
            word, at = read_text(content, at)
            words.append(word)
        kind, start = content[at], at + 1
        if kind == IN_FUNCTION:
            at = after_leb(content, start)
        elif kind == IN_TABLE:
            at = after_limits(content, start + 1)
        elif kind == IN_MEMORY:
            at = after_limits(content, start)
        elif kind == IN_GLOBAL:
            at = start + 2
        else:
            raise Unknown(f"an import of kind {kind}")
        yield *words, kind, content[start:at]


def exports(content):
    """(name, kind, number) of each."""
    count, at = read_leb(content, 0)
    for _ in range(count):
        name, at = read_text(content, at)
        kind = content[at]
        number, at = read_leb(content, at + 1)
        yield name, kind, number


def text(content):
    return unsigned_leb(len(content)) + content


def vector(items):
    items = list(items)
    return unsigned_leb(len(items)) + b"".join(items)


def import_section(rows):
    return vector(text(module) + text(name) + bytes([kind]) + rest for module, name, kind, rest in rows)


def export_section(rows):
    return vector(text(name) + bytes([kind]) + unsigned_leb(number) for name, kind, number in rows)


def module_from(head, parts):
    """parts: section number to content, without custom sections. The section that counts the data stands before the code."""
    order = sorted(parts, key=lambda kind: CODE - 0.5 if kind == DATA_COUNT else kind)
    return head + b"".join(bytes([kind]) + unsigned_leb(len(parts[kind])) + parts[kind] for kind in order)
