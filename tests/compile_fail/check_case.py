#!/usr/bin/env python3
"""check_case.py FILE -- COMPILER ARGUMENTS...: FILE compiles as it stands, and with each of its bad lines it does not.

A bad line is what stands between "#if BAD == 1" and "#endif" (then 2, 3, ...). The compiler's complaint must name a line of
that region, so that a case cannot pass because something else is broken.
"""
import pathlib
import re
import subprocess
import sys


def regions(lines):
    """number -> line numbers (from 1) of each bad region"""
    found, number = {}, None
    for at, line in enumerate(lines, 1):
        start = re.match(r"#if BAD == (\d+)", line)
        if start:
            number = int(start[1])
            found[number] = []
        elif line.startswith("#endif"):
            number = None
        elif number is not None:
            found[number].append(at)
    return found


def compile_with(command, file, bad):
    done = subprocess.run([*command, "-fsyntax-only", f"-DBAD={bad}", str(file)], capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    split = sys.argv.index("--")
    file, command = pathlib.Path(sys.argv[1]), sys.argv[split + 1 :]
    lines = file.read_text().splitlines()
    cases = regions(lines)
    if not cases:
        sys.exit(f"{file.name} has no bad line")
    code, text = compile_with(command, file, 0)
    if code != 0:
        sys.exit(f"{file.name} must compile without its bad lines:\n{text}")
    failures = 0
    for number, region in cases.items():
        code, text = compile_with(command, file, number)
        named = {int(at) for at in re.findall(re.escape(file.name) + r":(\d+)", text)}
        source = " ".join(lines[at - 1].strip() for at in region)
        if code == 0:
            print(f"{file.name}: case {number} compiles, but must not: {source}")
        elif not named & set(region):
            print(f"{file.name}: case {number} fails for another reason:\n{text}")
        else:
            continue
        failures += 1
    print(f"{file.name}: {len(cases)} bad lines, {failures} accepted")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
