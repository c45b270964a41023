#!/usr/bin/env python3
"""Reads the includes of src/** and reports every one that points upward in the order of layers, and every name that two
types have: they link as one, and the wrong destructor runs.

With --self-test it proves on made-up includes that it would.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent / "src"

# Each may include itself and everything before it.
CHAIN = ["base", "model", "catalogue", "plan", "memory", "perf", "estimate", "search"]
# These stand on the whole chain, and on what is named here.
ABOVE = {
    "view": {"view"},
    "import": {"import"},
    "export": {"export", "view", "import"},
    "check": {"check", "export", "view", "import"},
    "ui": {"ui", "view"},
    "cli": {"cli", "check", "export", "view", "import"},
    "bindings": {"bindings", "check", "export", "view", "import", "ui"},
}
# Modules that join two worlds, so one file of theirs may see less than the folder.
FILES = {"bindings/core_bindings.cpp": {"ui"}, "bindings/app_bindings.cpp": set(CHAIN) | {"check", "export", "import"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
# At the margin: what stands inside a class or an unnamed namespace is that one's own.
UNNAMED = re.compile(r"^namespace \{.*?^\}  // namespace$", re.M | re.S)
TYPE = re.compile(r"^(?:class|struct|enum class|enum) (\w+)(?: final)?[^;(]*\{", re.M)


def allowed(module):
    if module in CHAIN:
        return set(CHAIN[: CHAIN.index(module) + 1])
    return set(CHAIN) | ABOVE[module]


def complaints(name, text):
    """Sentences about the includes of one file; name is its path below src."""
    module = name.split("/")[0]
    if module not in CHAIN and module not in ABOVE:
        return [f"src/{name}: {module} is no layer; name it in {pathlib.Path(__file__).name}"]
    may = allowed(module) - FILES.get(name, set())
    found = []
    for target in INCLUDE.findall(text):
        layer = target.split("/")[0]
        if "/" not in target or (layer not in CHAIN and layer not in ABOVE):
            found.append(f'src/{name}: "{target}" must be written as "<layer>/<file>"')
        elif layer not in may:
            found.append(f'src/{name}: includes "{target}", but {module} may not see {layer}')
    return found


def shared_names(texts):
    """Sentences about types of one name in two files; texts: path below src to text."""
    owners, found = {}, []
    for name, text in texts.items():
        for type_name in set(TYPE.findall(UNNAMED.sub("", text))):
            if type_name in owners:
                found.append(f"src/{name}: {type_name} is also a type of src/{owners[type_name]}")
            owners[type_name] = name
    return found


def self_test():
    probe = "namespace memwall {\n\nclass Probe {\n};\n\n}\n"
    assert shared_names({"ui/probe.hpp": probe, "search/probe.hpp": probe})
    assert not shared_names({"ui/probe.hpp": probe, "search/a.cpp": "namespace {\n\nstruct Probe {\n};\n\n}  // namespace\n"})
    assert not shared_names({"ui/probe.hpp": probe, "search/probe.hpp": "class Probe;\n"})
    assert complaints("memory/ledger.cpp", '#include "base/units.hpp"\n#include <vector>\n') == []
    assert complaints("memory/ledger.cpp", '#include "estimate/estimate.hpp"\n')
    assert complaints("view/present.cpp", '#include "export/json.hpp"\n')
    assert complaints("base/units.cpp", '#include "units.hpp"\n')
    assert complaints("cli/main.cpp", '#include "ui/app.hpp"\n')
    assert complaints("bindings/core_bindings.cpp", '#include "ui/app.hpp"\n')
    assert complaints("helpers/x.cpp", "")


def main():
    if "--self-test" in sys.argv:
        self_test()
        return
    files = [path for path in sorted(ROOT.rglob("*")) if path.suffix in {".hpp", ".cpp", ".h"}]
    if not files:
        sys.exit("no sources found")
    texts = {path.relative_to(ROOT).as_posix(): path.read_text() for path in files}
    found = [line for name, text in texts.items() for line in complaints(name, text)] + shared_names(texts)
    print("\n".join(found) or f"{len(files)} files, nothing includes upward, no name is that of two types")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
