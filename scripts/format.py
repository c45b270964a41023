#!/usr/bin/env python3
"""Lays out all C++ sources with clang-format; with --check only tells which files it would change."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not program:
        sys.exit("clang-format is not installed")
    files = [path for folder in ("src", "tests") for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    if not files:
        sys.exit("no sources found")
    mode = ["--dry-run", "-Werror"] if "--check" in sys.argv else ["-i"]
    done = subprocess.run([program, *mode, *files])
    print(f"{len(files)} files")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
