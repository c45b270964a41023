#!/usr/bin/env python3
"""single_file.py --site FOLDER --start FILE --output FILE: the finished site as one HTML file that opens from a disk.

Every file of the site is put into the page, packed; web/single-file.js (--start, minified) hands them out. Its policy allows no
connection at all: the inline scripts are named by their hashes, modules and the worker are blobs that the page makes itself.
"""
import argparse
import base64
import gzip
import hashlib
import html
import json
import pathlib
import re

BASE = '"https://memwall.invalid/"'
PACKED = ["*.mjs", "*.wasm", "*.txt", "*.css", "shaders/*", "fonts/*.otf", "learn/*.html", "learn/*.css", "licenses.html"]
# The service worker's, the element's and what only those need.
LEFT_OUT = {"offline.mjs", "memwall-calculator.mjs", "calculator.mjs", "embed.mjs", "calculator-form.mjs", "canvas-element.mjs"}
STYLE = """dialog.reader{width:min(900px,100vw - 32px);max-width:none;border:1px solid var(--rule);border-radius:6px;padding:0;background:var(--ground);color:var(--ink)}
dialog.reader>button{position:sticky;top:8px;float:right;margin:8px;width:32px;height:32px;border:1px solid var(--edge);border-radius:4px;background:var(--raised);color:var(--ink)}"""
NO_WORKER = "export const stayOffline = () => {};"


def replaced(pattern, replacement, text, least, name):
    text, count = re.subn(pattern, replacement, text)
    if count < least:
        raise SystemExit(f"{name}: {pattern} was expected {least} times, found {count} times")
    return text


def script(name, text):
    """A module as a blob can be one: no address of its own, no import() by a name beside it."""
    text = text.replace("import.meta.url", BASE)
    text = re.sub(r"\bimport\(", "memwallImport(", text)
    return re.sub(r"\bnew Worker\(", "memwallWorker(", text)


def worker(source, core):
    """With the core inside: a worker of a page from disk may read no blob of that page."""
    body = replaced(r"export default (\w+);?\s*$", r"return \1", script("core.mjs", core), 1, "core.mjs")
    return replaced(r'import (\w+) from"\./core\.mjs";', lambda found: f"const {found[1]}=(()=>{{{body}}})();", script("worker", source), 1, "fit-map-worker.mjs")


def data_address(path):
    return f"data:font/otf;base64,{base64.b64encode(path.read_bytes()).decode()}"


def contents(site):
    """name: bytes, of everything that is handed out."""
    found = {"offline.mjs": NO_WORKER.encode()}
    for path in sorted({path for pattern in PACKED for path in site.glob(pattern)}):
        name = path.relative_to(site).as_posix()
        if name in LEFT_OUT:
            continue
        data = path.read_bytes()
        if name.endswith("-worker.mjs"):
            data = worker(data.decode(), (site / "core.mjs").read_text()).encode()
        elif name.endswith(".mjs"):
            data = script(name, data.decode()).encode()
        if name == "fonts.css":
            data = re.sub(r'url\("?([^")]+)"?\)', lambda font: f'url("{data_address(site / font[1])}")', data.decode()).encode()
        found[name] = data
    return found


def packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def page(site, start):
    source = (site / "index.html").read_text()
    boot = (site / "boot.js").read_text()
    icon = base64.b64encode((site / "icon.svg").read_bytes()).decode()
    policy = (f"default-src 'none'; script-src {hashed(boot)} {hashed(start)} 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline' blob:; font-src data:; "
              "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'")
    source = replaced(r'(<meta http-equiv="Content-Security-Policy" content=")[^"]*', lambda tag: tag[1] + html.escape(policy, quote=True).replace("&#x27;", "'"), source, 1, "index.html")
    source = replaced(r'<link rel="(?:manifest|preload|modulepreload)"[^>]*>\s*', "", source, 5, "index.html")
    source = replaced(r'(<link rel="icon" href=")icon.svg', lambda tag: f"{tag[1]}data:image/svg+xml;base64,{icon}", source, 1, "index.html")
    source = replaced(r'<link rel="stylesheet" href="style.css">', lambda _: f"<style>{(site / 'style.css').read_text()}{STYLE}</style>", source, 1, "index.html")
    source = replaced(r"<script[^>]*></script>\s*", "", source, 2, "index.html")
    files = json.dumps({name: packed(data) for name, data in contents(site).items()})
    scripts = f'<script type="application/json" id="memwall-files">{files}</script>\n<script>{start}</script>\n<script>{boot}</script>\n'
    return replaced("</body>", lambda _: f"{scripts}</body>", source, 1, "index.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--site", type=pathlib.Path, required=True)
    parser.add_argument("--start", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.write_text(page(options.site, options.start.read_text().strip()))


if __name__ == "__main__":
    main()
