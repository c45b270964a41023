"""Which data of a module that is split only its second part reads: tables and texts of functions that no first verdict calls.

A function that is missing ends the program, data that is missing would be zeros and a wrong answer. So whatever might be an
address counts as one: every number in the code of the first part, and every word of data with pointers that is reached from
there, keeps the object it points into. What lies where says the linker's map; which data has pointers, the compiler's
relocations, which the linker saves. They also show where something points outside of an object, as to `table - 4` for a
table that is counted from one: such an object stays.
"""
import bisect
import itertools
import re

from pack_wasm import STAMP, bodies, constants, data_section, segment_places, segments
from wasm_binary import *

# Address, size, file and section of a row of the map. What the linker joined are texts, each with a zero at its end.
ROW = re.compile(r"\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+(.+):\((\.(?:rodata|data)\b.*)\)$")
JOINED = "<internal>"
SEGMENTS, SYMBOLS = 5, 8  # subsections of "linking" (https://github.com/WebAssembly/tool-conventions, Linking.md)
DATA_SYMBOL, SECTION_SYMBOL = 1, 3
LEAST = 64  # bytes of a run that is moved; the two parts together are smallest with more, the first with less
UNDEFINED, NAMED = 0x10, 0x40
MEMORY_ADDRESSES = {3, 4, 5, 11, 14, 15, 16, 17, 21, 23, 25}
WITH_ADDEND = MEMORY_ADDRESSES | {8, 9, 22}


# ---- what the compiler wrote ----


def linking_subsections(content):
    _, at = read_leb(content, 0)
    out = {}
    while at < len(content):
        size, start = read_leb(content, at + 1)
        out[content[at]] = content[start : start + size]
        at = start + size
    return out


def segment_names(content):
    count, at = read_leb(content, 0)
    for _ in range(count):
        name, at = read_text(content, at)
        yield name.decode()
        at = after_leb(content, after_leb(content, at))


def data_symbols(content):
    """number of a symbol: (number of its segment, size), for what is data and defined"""
    count, at = read_leb(content, 0)
    out = {}
    for symbol in range(count):
        kind = content[at]
        flags, at = read_leb(content, at + 1)
        if kind == DATA_SYMBOL:
            _, at = read_text(content, at)
            if not flags & UNDEFINED:
                segment, at = read_leb(content, at)
                size, at = read_leb(content, after_leb(content, at))
                out[symbol] = segment, size
        else:
            at = after_leb(content, at)
            if kind != SECTION_SYMBOL and (not flags & UNDEFINED or flags & NAMED):
                _, at = read_text(content, at)
    return out


def relocations(content):
    """(place, symbol, addend) of each address of data"""
    count, at = read_leb(content, after_leb(content, 0))
    for _ in range(count):
        kind = content[at]
        place, at = read_leb(content, at + 1)
        symbol, at = read_leb(content, at)
        addend = 0
        if kind in WITH_ADDEND:
            addend, at = read_signed_leb(content, at)
        if kind in MEMORY_ADDRESSES:
            yield place, symbol, addend


class Written:
    """What the object file says of its segments, by their names."""

    def __init__(self, object_file):
        custom, data = {}, b""
        for kind, content in sections(object_file.read_bytes()):
            if kind == CUSTOM:
                name, at = read_text(content, 0)
                custom[name.decode()] = content[at:]
            elif kind == DATA:
                data = content
        linking = linking_subsections(custom["linking"])
        self.names = list(segment_names(linking[SEGMENTS]))
        symbols = data_symbols(linking[SYMBOLS])
        found = {name: list(relocations(content)) for name, content in custom.items() if name.startswith("reloc.")}
        inside = lambda symbol, addend: symbol not in symbols or 0 <= addend <= symbols[symbol][1]
        everywhere = itertools.chain.from_iterable(found.values())
        self.pointed_at_from_outside = {self.names[symbols[symbol][0]] for _, symbol, addend in everywhere if not inside(symbol, addend)}
        begins = [begin for _, begin, _ in segment_places(data)]
        self.with_pointers = {self.names[bisect.bisect_right(begins, place) - 1] for place, _, _ in found["reloc.DATA"]}
        self.names = set(self.names)


# ---- what the linker made of it ----


class Memory:
    """The data as it stands in memory, and the objects in it as (begin, end), in order."""

    def __init__(self, pieces, map_text, written):
        self.first = min(address for address, _ in pieces)
        self.bytes = bytearray(max(address + len(data) for address, data in pieces))
        for address, data in pieces:
            self.bytes[address : address + len(data)] = data
        self.objects, self.movable, self.has_pointers = [], [], []
        rows = sorted((int(row[1], 16), int(row[2], 16), row[3], row[4]) for row in map(ROW.match, map_text.splitlines()) if row)
        for begin, size, file, section in rows:
            whole = [(begin, begin + size)] if file != JOINED else self.texts(begin, begin + size)
            is_known = section in written.names or file == JOINED  # of the C library's, no relocations are saved
            may_move = is_known and section not in written.pointed_at_from_outside
            for each in whole:
                self.objects.append(each)
                self.movable.append(may_move and STAMP % 0 not in self.bytes[each[0] : each[1]])
                self.has_pointers.append(not is_known or section in written.with_pointers)
        self.begins = [begin for begin, _ in self.objects]

    def texts(self, begin, end):
        while begin < end:
            zero = self.bytes.find(b"\0", begin, end)
            after = zero + 1 if zero >= 0 else end
            yield begin, after
            begin = after

    def object_at(self, address):
        number = bisect.bisect_right(self.begins, address) - 1
        return number if number >= 0 and address < self.objects[number][1] else None

    def is_unused(self, begin, end):
        return bisect.bisect_left(self.begins, begin) == bisect.bisect_left(self.begins, end) or begin == end

    def worthwhile(self, moves):
        """Without short runs: the head of a segment is longer."""
        runs = []
        for each in moves:
            if runs and self.is_unused(runs[-1][-1][1], each[0]):
                runs[-1].append(each)
            else:
                runs.append([each])
        return [each for run in runs if run[-1][1] - run[0][0] >= LEAST for each in run]

    def pointers(self, number):
        begin, end = self.objects[number] if self.has_pointers[number] else (0, 0)
        return (int.from_bytes(self.bytes[at : at + 4], "little") for at in range(begin + 3 & ~3, end - 3, 4))

    def reached(self, addresses):
        """The objects these addresses point into, and those whose addresses stand in them."""
        found, waiting = set(), list(addresses)
        while waiting:
            number = self.object_at(waiting.pop())
            if number is not None and number not in found:
                found.add(number)
                waiting += [word for word in self.pointers(number) if word >= self.first]
        return found


def numbers_in(parts):
    return {value for body in bodies(parts[CODE]) for value in constants(body)}


def cut(pieces, moves):
    for address, data in pieces:
        at, end = address, address + len(data)
        for first, after in moves:
            if first < end and after > at:
                if first > at:
                    yield at, data[at - address : first - address]
                at = after
        if at < end:
            yield at, data[at - address :]


def moved_pieces(memory, moves):
    """Neighbours as one; between them may be nothing but unused bytes."""
    runs = []
    for begin, end in moves:
        if runs and memory.is_unused(runs[-1][1], begin):
            runs[-1][1] = end
        else:
            runs.append([begin, end])
    return [(begin, memory.bytes[begin:end].rstrip(b"\0")) for begin, end in runs]


def move_rest_data(first, rest, map_text, object_file):
    """Both parts as sections: what only `rest` reads of the data goes there."""
    pieces = list(segments(first[DATA]))
    memory = Memory(pieces, map_text, Written(object_file))
    only_rest = memory.reached(numbers_in(rest)) - memory.reached(numbers_in(first))
    moves = memory.worthwhile([memory.objects[number] for number in sorted(only_rest) if memory.movable[number]])
    for parts, data in ((first, list(cut(pieces, moves))), (rest, [piece for piece in moved_pieces(memory, moves) if piece[1]])):
        parts[DATA] = data_section(data)
        if DATA_COUNT in parts:
            parts[DATA_COUNT] = unsigned_leb(len(data))
