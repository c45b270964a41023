#!/usr/bin/env python3
"""size.py [--gate] SITE: exact bytes of what a visitor loads, raw, gzip -9 and brotli -q 11.

The core with its JavaScript, as far as a first verdict needs it; everything the first verdict needs: index.html, what it
links, what those import, and the core; what comes behind it by itself; what the canvas view loads on top when it is asked
for; a <memwall-calculator> with its form; and all scripts, modules, style sheets and fonts together, without the folders learn, examples and npm. With --gate it
fails beyond the limits (in bytes, Brotli); what comes behind the first verdict counts in the last.
"""
import argparse
import gzip
import pathlib
import posixpath
import re
import subprocess
import sys

CORE = ["core.wasm", "core.mjs"]
CANVAS = ["app.wasm", "app.mjs", "fonts/inter-400.otf", "fonts/inter-600.otf"]
ELEMENT = ["memwall-calculator.mjs", "calculator.mjs", "calculator-form.mjs", "controls.mjs", "shared.mjs", "style.css", *CORE]
BEHIND = ["core-rest.wasm", "explanations.txt", "catalogue.txt"]
KB = 1024
LIMITS = {"core": 150 * KB, "first verdict": 170 * KB, "element": 170 * KB, "canvas": 230 * KB, "site": 410 * KB}
LOADED = (".html", ".css", ".js", ".mjs", ".wasm", ".otf")

# Scripts, style sheets and preloads; a link whose rel is icon or manifest is not needed for a verdict.
TAG = re.compile(r"<(script|link)\b([^>]*)>", re.I)
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*["']?([^"'\s>]+)""")
NEEDED_RELS = {"stylesheet", "preload", "modulepreload"}
IMPORT = re.compile(r"""^\s*(?:import|export)\b[^'\";(]*[\"'](\./[^\"']+)[\"']""", re.M)
URL = re.compile(r"""url\(["']?([^"')]+)["']?\)""")


def linked(html):
    for tag, text in TAG.findall(html):
        attributes = dict(ATTRIBUTE.findall(text))
        if tag.lower() == "script" and "src" in attributes:
            yield attributes["src"]
        elif attributes.get("rel") in NEEDED_RELS and "href" in attributes:
            yield attributes["href"]


def first_verdict_set(site):
    """Paths below the site, each once, in the order in which they are met."""
    found, waiting = [], ["index.html"]
    while waiting:
        path = posixpath.normpath(waiting.pop(0))
        if path in found or not (site / path).is_file():
            continue
        found.append(path)
        text = (site / path).read_text() if path.endswith((".html", ".css", ".mjs", ".js")) else ""
        names = linked(text) if path.endswith(".html") else URL.findall(text) if path.endswith(".css") else IMPORT.findall(text)
        waiting += [posixpath.join(posixpath.dirname(path), name) for name in names if "//" not in name]
    return found + [path for path in CORE if path not in found]


def whole_site(site):
    files = [path for path in site.rglob("*") if path.suffix in LOADED]
    paths = sorted(path.relative_to(site).as_posix() for path in files)
    return [path for path in paths if path.split("/")[0] not in ("learn", "examples", "npm") and (path == "index.html" or not path.endswith(".html"))]


def canvas_set(site):
    return CANVAS + sorted(path.name for path in site.glob("canvas*"))


def sizes(file):
    data = file.read_bytes()
    packed = subprocess.run(["brotli", "-q", "11", "-c", str(file)], check=True, stdout=subprocess.PIPE).stdout
    return len(data), len(gzip.compress(data, 9, mtime=0)), len(packed)


def print_set(title, site, paths):
    """Prints a table and returns the sum of its Brotli column."""
    print(f"{title:<32}{'raw':>10}{'gzip':>10}{'brotli':>10}")
    total = [0, 0, 0]
    for path in paths:
        row = sizes(site / path)
        total = [a + b for a, b in zip(total, row)]
        print(f"  {path:<30}{row[0]:>10}{row[1]:>10}{row[2]:>10}")
    print(f"  {'sum':<30}{total[0]:>10}{total[1]:>10}{total[2]:>10}")
    return total[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("site", type=pathlib.Path)
    options = parser.parse_args()
    sets = {"core": CORE, "first verdict": first_verdict_set(options.site), "behind it": BEHIND,
            "element": ELEMENT, "canvas": canvas_set(options.site), "site": whole_site(options.site)}
    sums = {title: print_set(title, options.site, paths) for title, paths in sets.items()}
    failed = False
    for title, limit in LIMITS.items():
        left = limit - sums[title]
        print(f"{title}: {sums[title]} of {limit} bytes, " + (f"{left} left" if left >= 0 else f"{-left} too many"))
        failed = failed or left < 0
    sys.exit(1 if options.gate and failed else 0)


if __name__ == "__main__":
    main()
