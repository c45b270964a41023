#!/usr/bin/env python3
"""generate_offline.py --site FOLDER: makes a finished site installable and able to do without the network.

Writes icons (drawn here from rectangles, the same as icon.svg), manifest.webmanifest, and into sw.js the list of all
files (but memwall.html, which needs none) and the name of this build, a digest of their bytes.
"""
import argparse
import hashlib
import html
import json
import pathlib
import re
import struct
import zlib

GROUND, ACCENT, WALL = (0x16, 0x19, 0x1D), (0x84, 0xA9, 0xFF), (0xFF, 0xFF, 0xFF)
# x, y, width, height in a square of 32, as in icon.svg.
BARS = [(6, 17, 5, 9), (13.5, 12, 5, 14), (21, 6, 5, 20)]
LINE = (3, 9, 26, 2)
ICONS = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable-512.png": (512, 0.72)}
FILES_THAT_OPEN = {
    "application/json": [".json"], "application/yaml": [".yaml", ".yml"],
    "application/octet-stream": [".safetensors", ".gguf"]}


def drawn(side, scale):
    """Rows of RGB; `scale` shrinks the drawing around the middle, so that a mask does not cut it."""
    shapes = [(shape, ACCENT) for shape in BARS] + [(LINE, WALL)]
    place = lambda value: round(side / 32 * (16 + (value - 16) * scale))
    rows = [bytearray(GROUND * side) for _ in range(side)]
    for (x, y, width, height), colour in shapes:
        left, right = place(x), place(x + width)
        for row in rows[place(y):place(y + height)]:
            row[3 * left:3 * right] = bytes(colour * (right - left))
    return rows


def png(side, scale):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + bytes(row) for row in drawn(side, scale))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def manifest(page):
    name = html.unescape(re.search(r"<title>(.*?)</title>", page)[1])
    description = html.unescape(re.search(r'<meta name="description" content="([^"]*)"', page)[1])
    icons = [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    for file, (side, scale) in ICONS.items():
        icons.append({"src": file, "sizes": f"{side}x{side}", "type": "image/png", **({"purpose": "maskable"} if scale < 1 else {})})
    return {"name": name, "short_name": "memwall", "description": description, "id": "./", "start_url": "./", "scope": "./", "display": "standalone",
            "theme_color": "#111418", "background_color": "#111418", "icons": icons,
            "file_handlers": [{"action": "./", "accept": FILES_THAT_OPEN, "launch_type": "single-client"}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--site", type=pathlib.Path, required=True)
    options = parser.parse_args()
    site = options.site
    for name, (side, scale) in ICONS.items():
        (site / name).write_bytes(png(side, scale))
    (site / "manifest.webmanifest").write_text(json.dumps(manifest((site / "index.html").read_text()), indent=1, ensure_ascii=False) + "\n")
    worker = site / "sw.js"
    files = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file() and path not in (worker, site / "memwall.html"))
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + hashlib.sha256((site / name).read_bytes()).digest())
    source = worker.read_text()
    source = re.sub(r"const kBuild = .*?;", f'const kBuild = "{digest.hexdigest()[:16]}";', source, count=1)
    source = re.sub(r"const kFiles = \[.*?\];", f"const kFiles = {json.dumps(files)};", source, count=1, flags=re.S)
    worker.write_text(source)


if __name__ == "__main__":
    main()
