#!/usr/bin/env python3
"""Turns src/model/programs/*.program into packed constexpr tables: build/generated/model/programs.hpp and .cpp.

    generate_programs.py --source src/model --output build/generated/model
    generate_programs.py --self-test

The notation is a small part of Python's (parsed by its own parser, never run); src/model/programs/shared.program
explains it. Whatever is misspelt, not defined or of the wrong kind ends the build with file:line. What the bytes mean
is said in src/model/program.hpp and read by src/model/program.cpp.
"""
import argparse
import ast
import pathlib
import sys

# Operands: a variable of the function, a tensor all blocks share, nothing, or a tensor of the block's parameters.
SHARED, NOTHING, WEIGHTS, MOVE = 47, 55, 56, 128
NO_TARGET = 63  # a result that nobody takes
NO_MODULE = 255
SHARED_TENSORS = ["position_bias", "encoded", "cross_bias", "mask", "encoded_mask", "cos", "sin", "position_ids"]
DTYPES = {"fp32": "Dtype::Fp32", "bf16": "Dtype::Bf16", "bool": "Dtype::Bool", "int64": "Dtype::Int64", "int32": "Dtype::Int32"}
CHOSEN_DTYPES = {"weight_type": 254, "adapter_type": 253}
DROPOUTS = ["attention", "residual", "embedding", "adapter", "activation"]

UNARY = ["neg", "scale", "add_scalar", "power", "rsqrt", "tanh", "sigmoid", "silu", "gelu", "relu", "exp", "roll"]
# name: (verb, tensors, immediates). Verbs that take equally many tensors and nothing else stand together (program.cpp).
# Immediates: a axis, d dimension, s shape (all that follow), t dtype, o operator, p kind of dropout.
OPERATORS = {
    "copy": ("Copy", 1, ""), "contiguous": ("Contiguous", 1, ""), "clone": ("Clone", 1, ""), "mean": ("Mean", 1, ""),
    "softmax": ("Softmax", 1, ""), "dtype": ("TypeOf", 1, ""), "leaf": ("Leaf", 1, ""),
    "bloom_gelu": ("BloomGelu", 1, ""), "clamp": ("Clamp", 1, ""), "clamp_max": ("ClampMax", 1, ""), "clamp_": ("ClampInPlace", 1, ""), "lowered": ("Lowered", 1, ""), "scale_": ("ScaleInPlace", 1, ""),
    "add": ("Add", 2, ""), "add_": ("AddInPlace", 2, ""), "sub": ("Subtract", 2, ""), "mul": ("Mul", 2, ""),
    "div": ("Divide", 2, ""), "div_": ("DivideInPlace", 2, ""), "masked_fill_": ("MaskedFillInPlace", 2, ""),
    "matmul": ("Matmul", 2, ""), "bmm": ("Bmm", 2, ""), "gather": ("Gather", 2, ""), "embedding": ("Embedding", 2, ""),
    "cast_like": ("CastLike", 2, ""), "softmax_like": ("SoftmaxLike", 2, ""),
    "masked_fill": ("MaskedFill", 2, ""), "where": ("Where", 2, ""), "pick": ("Pick", 2, ""), "mul_complex": ("MulComplex", 2, ""),
    "mm": ("Mm", 2, ""),
    "linear": ("Linear", 3, ""), "conv1d": ("Conv1d", 3, ""), "baddbmm": ("Baddbmm", 3, ""),
    "layer_norm": ("LayerNorm", 3, ""), "grouped_mm": ("GroupedMm", 3, ""), "sdpa": ("Sdpa", 3, ""),
    "unary": ("Unary", 1, "o"), "cast_to": ("CastTo", 1, "t"), "softmax_as": ("SoftmaxAs", 1, "t"),
    "dropout": ("Dropout", 1, "p"), "transpose": ("Transpose", 1, "aa"), "select": ("Select", 1, "a"), "gather_one": ("GatherOne", 1, "a"),
    "sum": ("Sum", 1, "a"), "sum_keepdim": ("SumKeepDimension", 1, "a"),
    "slice": ("Slice", 1, "ad"), "every_second": ("EverySecond", 1, "ad"), "top_k": ("TopK", 1, "d"), "spread": ("Spread", 1, "d"), "cat": ("Cat", 0, "ad"),
    "view": ("View", 1, "s"), "reshape": ("Reshape", 1, "s"), "expand": ("Expand", 1, "s"), "pad": ("Pad", 1, "s"), "split": ("Split", 1, "as"),
    "new": ("New", 0, "ots"), "new_like": ("NewLike", 1, "os"), "parts": ("Parts", 1, ""), "dora_norm": ("DoraNorm", 3, ""), "adapter_weight": ("AdapterWeight", 1, ""),
    "rotated": ("Rotated", 2, ""), "finished": ("Finished", 3, ""),
}
CONTROL = ["Call", "Take", "Return", "Delete", "If", "IfSome", "Jump"]
MAKERS = {"Linear": ("MakeLinear", 3), "Conv1d": ("MakeConv1d", 3), "Norm": ("MakeNorm", 2), "Weight": ("MakeWeight", 1), "Matrices": ("MakeMatrices", 2)}
VERBS = [row[0] for row in OPERATORS.values()] + CONTROL + [row[0] for row in MAKERS.values()]


def maker_of(kind):
    """Linear for any kind whose name ends so, and Norm: FalconLinear is made as Linear, and run by a function of its own."""
    return next((made for made in MAKERS if kind and kind.endswith(made)), None)


class Broken(Exception):
    pass


def dotted(node):
    """The text of a.b.c, or None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return None


def pascal(name):
    return "".join(word.capitalize() for word in name.split("_"))


class Table:
    """Distinct values in order of their first use."""

    def __init__(self, *first):
        self.values = list(first)

    def index(self, value):
        if value not in self.values:
            self.values.append(value)
        return self.values.index(value)


class Library:
    """Everything that was read, and the tables that come of it."""

    def __init__(self):
        self.conditions, self.functions, self.classes = {}, {}, {}
        self.names, self.dims = Table(), Table("1")
        self.compiled = []  # (code, slots, module, results), each once
        self.done, self.running, self.exports = {}, [], []

    def read_text(self, path, text):
        try:
            tree = ast.parse(text, filename=str(path))
        except SyntaxError as error:
            raise Broken(f"{path}:{error.lineno}: {error.msg}") from error
        for node in tree.body:
            where = f"{path}:{node.lineno}"
            if isinstance(node, ast.FunctionDef):
                self.define(self.functions, node, path)
                if any(isinstance(d, ast.Name) and d.id == "export" for d in node.decorator_list):
                    self.exports.append(node.name)
            elif isinstance(node, ast.ClassDef):
                if node.name in self.classes:
                    raise Broken(f"{where}: {node.name} is defined twice")
                methods = {}
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        self.define(methods, method, path)
                    elif not isinstance(method, ast.Expr):
                        raise Broken(f"{path}:{method.lineno}: a class holds functions alone")
                self.classes[node.name] = ([dotted(base) for base in node.bases], methods, where)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                self.conditions[dotted(node.targets[0])] = node.value.value
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                raise Broken(f"{where}: neither a condition nor a function nor a class")

    def define(self, into, node, path):
        if node.name in into or node.name in OPERATORS or node.name in UNARY:
            raise Broken(f"{path}:{node.lineno}: {node.name} is defined twice")
        node.path = path
        into[node.name] = node

    def find(self, cls, name):
        """The function that `name` means inside class cls."""
        if cls:
            bases, methods, where = self.classes[cls]
            if name in methods:
                return methods[name]
            for base in bases:
                if base not in self.classes:
                    raise Broken(f"{where}: no class {base}")
                found = self.find(base, name)
                if found is not None and found is not self.functions.get(name):
                    return found
        return self.functions.get(name)

    def condition(self, name, where):
        if name not in self.conditions:
            raise Broken(f"{where}: no condition {name}")
        return list(self.conditions).index(name)

    def compile(self, cls, modules, name, bound, where):
        """The number of function `name` of class cls, whose parameters in `bound` are known already."""
        node = self.find(cls, name)
        if node is None:
            raise Broken(f"{where}: no operator or function {name}")
        key = (cls, name, tuple(sorted(bound.items())))
        if key not in self.done:
            if key in self.running:
                raise Broken(f"{where}: {name} calls itself")
            self.running.append(key)
            function = Function(self, cls, modules, node, bound).compile()
            self.running.pop()
            if function not in self.compiled:
                self.compiled.append(function)
            self.done[key] = self.compiled.index(function)
        return self.done[key]


class Function:
    def __init__(self, library, cls, modules, node, bound):
        self.library, self.cls, self.modules, self.node, self.bound = library, cls, modules, node, bound
        self.code, self.slots, self.free, self.used, self.results = [], {}, [], 0, 0
        for argument in node.args.args:
            if argument.arg not in bound:
                self.slots[argument.arg] = self.new_slot()

    def where(self, node):
        return f"{self.node.path}:{node.lineno}"

    def fail(self, node, text):
        raise Broken(f"{self.where(node)}: {text}")

    def compile(self):
        module = NO_MODULE
        for decorator in self.node.decorator_list:
            if isinstance(decorator, ast.Call) and dotted(decorator.func) == "module":
                module = self.library.names.index(decorator.args[0].value)
        self.block(self.node.body)
        self.emit("Return", 0)
        if self.used > SHARED:
            self.fail(self.node, "too many variables")
        return (tuple(self.code), self.used, module, self.results)

    # --- bytes

    def emit(self, verb, tensors, target=NO_TARGET, operands=(), immediates=()):
        self.code += [VERBS.index(verb), tensors << 6 | target, *operands, *immediates]

    def new_slot(self):
        if self.free:
            return self.free.pop()
        self.used += 1
        return self.used - 1

    def release(self, operands, kept=()):
        """Temporaries are gone when they have been used."""
        for operand in operands:
            slot = operand & ~MOVE
            if operand & MOVE and slot < SHARED and slot not in self.slots.values() and slot not in kept:
                self.free.append(slot)

    def dim(self, node):
        if isinstance(node, ast.Constant) and node.value == 1:
            return 0
        name = dotted(node)
        if name in self.bound and self.bound[name][0] == "dim":
            name = self.bound[name][1]
        if name is None or not name.isidentifier():
            self.fail(node, "a dimension is expected")
        return self.library.dims.index(name)

    def axis(self, node):
        try:
            return ast.literal_eval(node) & 255
        except (ValueError, TypeError):
            self.fail(node, "an axis is expected")

    def immediates(self, node, kinds, given):
        out = []
        for kind in kinds:
            if kind == "s":
                out += [len(given), *map(self.dim, given)]
                given = []
                continue
            if not given:
                self.fail(node, "too few arguments")
            value, given = given[0], given[1:]
            if kind == "d":
                out.append(self.dim(value))
            elif kind == "a":
                out.append(self.axis(value))
            elif kind == "o":
                out.append(f"u8(Operator::{dotted(value)})")
            elif kind == "t":
                name = dotted(value)
                if name not in DTYPES and name not in CHOSEN_DTYPES:
                    self.fail(value, f"no type {name}")
                out.append(CHOSEN_DTYPES.get(name) or f"u8({DTYPES[name]})")
            elif dotted(value) not in DROPOUTS:
                self.fail(value, f"dropout is one of {DROPOUTS}")
            else:
                out.append(DROPOUTS.index(dotted(value)))
        if given:
            self.fail(node, "too many arguments")
        return out

    # --- expressions

    def weight(self, name):
        """The place of a parameter's first tensor, by its name or by name.weight and name.bias; or None."""
        if name in self.bound and self.bound[name][0] == "module":
            name = self.bound[name][1]
        if name in self.modules:
            return WEIGHTS + self.modules[name][0]
        before, _, last = (name or "").rpartition(".")
        if before in self.bound and self.bound[before][0] == "module":
            before = self.bound[before][1]
        if before in self.modules and last in ("weight", "bias"):
            return WEIGHTS + self.modules[before][0] + (last == "bias")
        if before in self.modules and last == "adapter" and self.modules[before][1] == "Matrices":
            return WEIGHTS + self.modules[before][0] + 1
        return None

    def place(self, node):
        """Where the tensor of a name is."""
        name = dotted(node)
        if name in self.slots:
            return self.slots[name]
        if isinstance(node, ast.Constant) and node.value is None or self.bound.get(name) == ("nothing",):
            return NOTHING
        if name in SHARED_TENSORS:
            return SHARED + SHARED_TENSORS.index(name)
        place = self.weight(name)
        if place is None:
            self.fail(node, f"{name or ast.dump(node)} is no tensor here")
        return place

    def operand(self, node):
        """Evaluates into a temporary where need be."""
        if isinstance(node, ast.Call) and dotted(node.func) == "move":
            return self.place(node.args[0]) | MOVE
        if isinstance(node, ast.Call):
            slot = self.new_slot()
            if self.call(node, slot) != 1:
                self.fail(node, "an operand is one tensor")
            return slot | MOVE
        return self.place(node)

    def call(self, node, target):
        """Emits a call; the number of its results. The first one goes to target."""
        name = dotted(node.func)
        if name in UNARY:
            operands = [self.operand(node.args[0])]
            self.emit("Unary", 1, target, operands, [f"u8(Operator::{pascal(name)})"])
            self.release(operands, [target])
            return 1
        if name in ("cast", "softmax") and len(node.args) == 2:
            typed = dotted(node.args[1]) in DTYPES or dotted(node.args[1]) in CHOSEN_DTYPES
            name += {"cast": "_to", "softmax": "_as"}[name] if typed else "_like"
        if name in OPERATORS:
            return self.operator(node, name, target)
        if name in self.bound and self.bound[name][0] == "module":
            name = self.bound[name][1]
        if name in self.modules:
            return self.module_call(node, name, target)
        return self.function_call(node, name, target)

    def operator(self, node, name, target):
        verb, tensors, kinds = OPERATORS[name]
        if verb == "Cat":
            tensors = len(node.args) - 2
        if len(node.args) < tensors or tensors > 3:
            self.fail(node, f"{name} takes {tensors} tensors")
        operands = [self.operand(argument) for argument in node.args[:tensors]]
        values = self.immediates(node, kinds, node.args[tensors:])
        self.emit(verb, tensors, target, operands, values)
        self.release(operands, [target])
        return {"Split": len(node.args) - 2, "TopK": 2, "DoraNorm": 3}.get(verb, 1)

    def module_call(self, node, name, target):
        first, kind, _ = self.modules[name]
        if kind in ("Weight", "Matrices") or len(node.args) != 1:
            self.fail(node, f"{name} is no module of one argument")
        operands = [self.operand(node.args[0]), *range(WEIGHTS + first, WEIGHTS + first + MAKERS[maker_of(kind)][1])]
        function = self.library.compile(self.cls, self.modules, kind, {}, self.where(node))
        self.emit("Call", 0, target, immediates=[function & 255, function >> 8, self.library.names.index(name), len(operands), *operands])
        self.release(operands, [target])
        return 1

    def function_call(self, node, name, target):
        wanted = self.library.find(self.cls, name)
        if wanted is None:
            self.fail(node, f"no operator or function {name}")
        if len(wanted.args.args) != len(node.args):
            self.fail(node, f"{name} takes {len(wanted.args.args)} arguments")
        bound, operands = {}, []
        for parameter, argument in zip(wanted.args.args, node.args):
            text = dotted(argument)
            if text in self.slots:
                operands.append(self.operand(argument))
            elif text in self.bound:
                bound[parameter.arg] = self.bound[text]
            elif isinstance(argument, ast.Constant) and argument.value is None:
                bound[parameter.arg] = ("nothing",)
            elif text in self.modules and self.modules[text][1] not in ("Weight", "Matrices"):
                bound[parameter.arg] = ("module", text)
            elif text and text.isidentifier() and text not in SHARED_TENSORS and self.weight(text) is None:
                bound[parameter.arg] = ("dim", text)
            else:
                operands.append(self.operand(argument))
        function = self.library.compile(self.cls, self.modules, name, bound, self.where(node))
        self.emit("Call", 0, target, immediates=[function & 255, function >> 8, NO_MODULE, len(operands), *operands])
        self.release(operands, [target])
        return self.library.compiled[function][3]

    # --- statements

    def variable(self, node):
        name = dotted(node)
        if name in SHARED_TENSORS:
            return SHARED + SHARED_TENSORS.index(name)
        if name is None or "." in name or name in self.bound:
            self.fail(node, "not a variable")
        if name not in self.slots:
            self.slots[name] = self.new_slot()
        return self.slots[name]

    def assign(self, statement):
        target, value = statement.targets[0], statement.value
        if isinstance(value, ast.Call) and maker_of(dotted(value.func)) and self.node.name == "parameters":
            return self.make(dotted(target), value)
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        if isinstance(value, ast.Call) and dotted(value.func) != "move":
            if len(names) == 1:
                results = self.call(value, self.variable(names[0]))
            else:
                results = self.call(value, NO_TARGET)
                if dotted(value.func) == "parts":
                    results = len(names)
                for number, name in enumerate(names):
                    self.emit("Take", 0, self.variable(name), immediates=[number])
            if results != len(names):
                self.fail(statement, f"{results} results for {len(names)} names")
            return None
        operand = self.operand(value)
        return self.emit("Copy", 1, self.variable(names[0]), [operand])

    def make(self, name, node):
        kind = maker_of(node.func.id)
        number = self.library.names.index(name)
        place = self.modules[name][0]
        if kind == "Norm":
            values = [self.dim(node.args[0])]
        elif kind == "Weight":
            values = [len(node.args), *map(self.dim, node.args)]
        elif kind == "Matrices":
            values = [f"u8(Projection::{dotted(node.args[-1])})", *map(self.dim, node.args[:3])]
        else:
            values = [f"u8(Projection::{dotted(node.args[-1])})", self.dim(node.args[0]), self.dim(node.args[1])]
            if kind == "Linear":
                values.append(self.bias(node.args[2]))
        self.emit(MAKERS[kind][0], 0, immediates=[place, number, *values])

    def bias(self, node):
        """A condition's number; 126 never, 127 always."""
        if isinstance(node, ast.Constant):
            return 127 if node.value else 126
        return self.library.condition(dotted(node), self.where(node))

    def returned(self, statement):
        value = statement.value
        if isinstance(value, ast.Call) and dotted(value.func) != "move":
            slot = self.new_slot()
            results = self.call(value, slot)
            operands = [slot | MOVE]
            for number in range(1, results):
                slot = self.new_slot()
                self.emit("Take", 0, slot, immediates=[number])
                operands.append(slot | MOVE)
        else:
            parts = value.elts if isinstance(value, ast.Tuple) else [value] if value else []
            operands = [self.operand(part) for part in parts]
        if len(operands) > 3:
            self.fail(statement, "at most three results")
        self.results = max(self.results, len(operands))
        self.emit("Return", len(operands), operands=operands)
        self.release(operands)

    def known(self, test):
        """Whether a test is decided already: exists() of a parameter that was bound to nothing."""
        if isinstance(test, ast.Call) and self.bound.get(dotted(test.args[0])) == ("nothing",):
            return False
        return None

    def skip_unless(self, test, places, positive=True):
        """Emits tests that skip what follows unless `test` holds; `places` collects the bytes to be filled in."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.skip_unless(test.operand, places, not positive)
        if isinstance(test, ast.BoolOp):
            conjunction = isinstance(test.op, ast.And) == positive
            if conjunction:
                for value in test.values:
                    self.skip_unless(value, places, positive)
                return None
            inside = []
            for value in test.values[:-1]:
                self.skip_unless(value, inside, not positive)
            self.skip_unless(test.values[-1], places, positive)
            return self.fill(inside)
        negated = 0 if positive else 128
        if isinstance(test, ast.Call) and dotted(test.func) == "exists":
            self.emit("IfSome", 0, immediates=[self.place(test.args[0]) | negated, 0])
        else:
            self.emit("If", 0, immediates=[self.library.condition(dotted(test), self.where(test)) | negated, 0])
        return places.append(len(self.code) - 1)

    def fill(self, places):
        for place in places:
            distance = len(self.code) - place - 1
            if distance > 255:
                self.fail(self.node, "a branch is too long")
            self.code[place] = distance

    def condition(self, statement):
        if self.known(statement.test) is False:
            return self.block(statement.orelse)
        places = []
        self.skip_unless(statement.test, places)
        self.block(statement.body)
        if statement.orelse:
            ends = not isinstance(statement.body[-1], ast.Return)
            if ends:
                self.emit("Jump", 0, immediates=[0])
            end = len(self.code) - 1
            self.fill(places)
            self.block(statement.orelse)
            return self.fill([end]) if ends else None
        return self.fill(places)

    def block(self, statements):
        for statement in statements:
            if isinstance(statement, ast.Assign):
                self.assign(statement)
            elif isinstance(statement, ast.Return):
                self.returned(statement)
            elif isinstance(statement, ast.If):
                self.condition(statement)
            elif isinstance(statement, ast.Delete):
                for name in statement.targets:
                    self.emit("Delete", 0, immediates=[self.place(name)])
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self.call(statement.value, NO_TARGET)
            elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                self.fail(statement, "not a statement of the notation")


def modules_of(library, cls):
    """name -> (first tensor, kind, where) of what parameters() of a class makes, in order of registration."""
    node = library.find(cls, "parameters")
    modules = {}
    if node is None:
        return modules, 0
    at = 0
    for statement in ast.walk(node):
        if not isinstance(statement, ast.Assign):
            continue
        name, value = dotted(statement.targets[0]), statement.value
        kind = dotted(value.func) if isinstance(value, ast.Call) else None
        if not maker_of(kind):
            raise Broken(f"{node.path}:{statement.lineno}: parameters are {', '.join(MAKERS)}")
        if name in modules and modules[name][1] != kind:
            raise Broken(f"{node.path}:{statement.lineno}: {name} is of two kinds")
        if name not in modules:
            modules[name] = (at, kind, statement.lineno)
            at += MAKERS[maker_of(kind)][1]
    if WEIGHTS + at > 128:
        raise Broken(f"{node.path}:{node.lineno}: too many parameters")
    return modules, at


def lines_of(values, width=24):
    return "\n".join("    " + ", ".join(map(str, values[i : i + width])) + "," for i in range(0, len(values), width))


HEADER = """// Generated by scripts/generate_programs.py from src/model/programs.
#pragma once
#include <cstdint>

namespace memwall {{

enum class Verb : std::uint8_t {{ {verbs} }};
enum class BlockProgram : std::uint8_t {{ {programs} }};
inline constexpr int kBlockPrograms = {count};
enum class SharedFunction : std::uint8_t {{ {exports} }};
inline constexpr int kSharedFunctions = {exported};

}}  // namespace memwall
"""

SOURCE = """// Generated by scripts/generate_programs.py from src/model/programs.
#include "model/program_tables.hpp"

namespace memwall {{

namespace {{

constexpr std::uint8_t u8(auto value) {{ return static_cast<std::uint8_t>(value); }}

constexpr std::uint8_t kCode[] = {{
{code}
}};
constexpr std::uint8_t kLateCode[] = {{
{late_code}
}};
constexpr ProgramCode kCodes[] = {{[](std::size_t place) {{ return kCode + place; }}, [](std::size_t place) {{ return kLateCode + place; }}}};
constexpr ProgramFunction kFunctions[] = {{
{functions}
}};
constexpr ProgramRow kPrograms[] = {{
{programs}
}};
constexpr DimId ModelDims::*kDims[] = {{
{dims}
}};
constexpr Tensor SharedTensors::*kShared[] = {{
{shared}
}};
constexpr std::string_view kNames[] = {{
{names}
}};

}}  // namespace

const ProgramTables& program_tables() {{
    static constexpr ProgramTables kTables{{kCodes, kFunctions, kPrograms, kDims, kShared, kNames}};
    return kTables;
}}

std::uint64_t program_conditions(const Context& c) {{
    const Architecture& a = c.a;
    const Variant& v = c.v;
    std::uint64_t out = 0;
{conditions}
    return out;
}}

}}  // namespace memwall
"""


# Families that core-rest.wasm may know (scripts/split_wasm.py), by their files; and what marks a function of theirs.
LATE_FILES = {"bart", "litgpt", "swin", "t5", "torchtune", "vit", "whisper"}
LATE = 0x8000


def is_late(where):
    return pathlib.Path(where.rpartition(":")[0]).stem in LATE_FILES


def generate(source, output):
    library = Library()
    for path in sorted((source / "programs").glob("*.program")):
        library.read_text(path, path.read_text(encoding="utf-8"))
    if len(library.conditions) > 64:
        raise Broken("more than 64 conditions")
    exports = [pascal(name) if name.islower() else name for name in library.exports]
    rows, programs = [], []
    first_functions = 0
    # What the others share with those is compiled with them.
    for late, name, where in sorted(((is_late(where), name, where) for name, (_, _, where) in library.classes.items()), key=lambda row: row[0]):
        if not library.find(name, "forward"):
            raise Broken(f"{where}: no forward")
        modules, count = modules_of(library, name)
        made = library.compile(name, modules, "parameters", {}, where)
        programs.append(name)
        forward = library.compile(name, modules, "forward", {}, where)
        exported = ", ".join(str(library.compile(name, modules, export, {}, where)) for export in library.exports)
        rows.append(f"    {{{made}, {forward}, {count}, {{{exported}}}}},  // {name}")
        if not late:
            first_functions = len(library.compiled)
    codes, functions = ([], []), []
    for number, (body, slots, module, _) in enumerate(library.compiled):
        late = number >= first_functions
        functions.append(f"    {{{len(codes[late]) + late * LATE}, {slots}, {module}}},")
        codes[late].extend(body)
    if max(map(len, codes)) >= LATE:
        raise Broken("more code than 15 bits can count")
    if len(library.names.values) > 254:
        raise Broken("more names than a byte can count")
    conditions = [f"    out |= std::uint64_t{{{text}}} << {i};  // {name}" for i, (name, text) in enumerate(library.conditions.items())]
    output.mkdir(parents=True, exist_ok=True)
    (output / "programs.hpp").write_text(
        HEADER.format(verbs=", ".join(VERBS), programs=", ".join(programs), count=len(programs), exports=", ".join(exports), exported=len(exports)), encoding="utf-8"
    )
    (output / "programs.cpp").write_text(
        SOURCE.format(
            code=lines_of(codes[0]),
            late_code=lines_of(codes[1]),
            functions="\n".join(functions),
            programs="\n".join(rows),
            dims=lines_of(["nullptr"] + [f"&ModelDims::{name}" for name in library.dims.values[1:]], 6),
            shared=lines_of([f"&SharedTensors::{name}" for name in SHARED_TENSORS], 4),
            names=lines_of([f'"{name}"' for name in library.names.values], 8),
            conditions="\n".join(conditions),
        ),
        encoding="utf-8",
    )


BLOCK = """
def Norm(x, weight, bias):
    return layer_norm(x, weight, bias)
def Linear(x, weight, bias, adapter):
    return linear(x, weight, bias)
class Block:
    def parameters():
        norm = Norm(hidden)
        up = Linear(hidden, intermediate, True, Up)
    def forward(hidden):
        {}
"""
MALFORMED = {
    "return normm(hidden)": "no operator or function normm",
    "return add(hidden)": "add takes 2 tensors",
    "return add(hidden, y)": "y is no tensor here",
    "return up(hidden, hidden)": "no module of one argument",
    "return view(hidden, batch, 2)": "a dimension is expected",
    "return cast(hidden, fp31)": "fp31 is no tensor here",
    "return dropout(hidden, often)": "dropout is one of",
    "a, b = split(hidden, 2, hidden, hidden, hidden)": "3 results for 2 names",
    "return transpose(hidden, 1)": "too few arguments",
    "return transpose(hidden, 1, 2, 3)": "too many arguments",
    "if sunny: return hidden": "no condition sunny",
    "up.weight = hidden": "not a variable",
    "for x in hidden: return x": "not a statement",
    "return forward(hidden)": "forward calls itself",
    "return hidden +": "invalid syntax",
}


def self_test():
    for text, wanted in {"return up(norm(hidden))": None, **MALFORMED}.items():
        message = None
        try:
            library = Library()
            library.read_text("test", BLOCK.format(text))
            library.compile("Block", modules_of(library, "Block")[0], "forward", {}, "test")
        except Broken as error:
            message = str(error)
        if (message is None) != (wanted is None) or wanted and wanted not in message:
            sys.exit(f"{text}: {message}, expected: {wanted}")
    print(f"{len(MALFORMED)} malformed programs are told from a good one")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    try:
        generate(options.source, options.output)
    except Broken as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
