#!/usr/bin/env python3
"""pack_release.py --outputs build --folder FOLDER: memwall-VERSION.zip from finished outputs, and its checksums.

The zip holds the site, the npm package, the licence and README, each file with the same time and mode wherever it was
packed. The checksums are those of the zip and of every file in it, as `sha256sum -c` reads them.
"""
import argparse
import hashlib
import pathlib
import re
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say
PARTS = ["site", "npm"]
BESIDE = ["LICENSE", "README.md"]


def version():
    return re.search(r"project\(memwall VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def contents(outputs):
    """(name in the zip, bytes), in order."""
    found = {name: (ROOT / name).read_bytes() for name in BESIDE}
    for part in PARTS:
        for path in (outputs / part).rglob("*"):
            if path.is_file():
                found[path.relative_to(outputs).as_posix()] = path.read_bytes()
    return sorted(found.items())


def packed(outputs, folder):
    name = f"memwall-{version()}"
    target = folder / f"{name}.zip"
    sums = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in contents(outputs):
            entry = zipfile.ZipInfo(f"{name}/{path}", EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, also where this is run on something else
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}/{path}\n")
    sums.insert(0, f"{hashlib.sha256(target.read_bytes()).hexdigest()}  {target.name}\n")
    (folder / f"{name}.sha256").write_text("".join(sums))
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--outputs", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    print(packed(options.outputs, options.folder))


if __name__ == "__main__":
    main()
