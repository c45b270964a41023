#!/usr/bin/env python3
"""embed.py --header HEADER --output FILE.cpp NAME=FILE ...: C++ functions that return the bytes of files.

HEADER is what declares them, as it is included: std::string_view NAME(); in namespace memwall.
"""
import argparse
import pathlib

PER_LINE = 24


def function(name, data):
    rows = [data[at : at + PER_LINE] for at in range(0, len(data), PER_LINE)]
    body = "\n".join("    " + "".join(f"{byte}," for byte in row) for row in rows)
    return (
        f"namespace {{\nconstexpr unsigned char k_{name}[] = {{\n{body}\n}};\n}}\n"
        f"std::string_view {name}() {{ return {{reinterpret_cast<const char*>(k_{name}), sizeof k_{name}}}; }}\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--header", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="+", metavar="NAME=FILE")
    options = parser.parse_args()
    functions = [function(name, pathlib.Path(path).read_bytes()) for name, path in (each.split("=", 1) for each in options.files)]
    text = f'#include "{options.header}"\n\nnamespace memwall {{\n' + "".join(functions) + "}  // namespace memwall\n"
    options.output.write_text(text)


if __name__ == "__main__":
    main()
