#!/usr/bin/env python3
"""generate_site.py --cli memwall --site FOLDER: fills FOLDER/index.html and writes FOLDER/licenses.html.

The page is a template (web/bind.mjs says what the data- attributes mean). The answer of the default scenario, computed
by the command line program, is put in here, so that it can be read before any module arrives; the page's own script then
finds the same elements. Texts come from strings.mjs, the table that the scripts use.
"""
import argparse
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT_SCENARIO = {"model": {"ref": "meta-llama/Llama-3.1-8B"}, "accelerator": {"name": "H100 SXM5 80GB"}}
ENTRY = "main.mjs"
IMPORT = re.compile(r"""^import (?:[^;]*? from )?"\./([\w.-]+)";\n""", re.M)
IMPORTED_NAMES = re.compile(r"""^import \{([^}]*)\} from "\./([\w.-]+)";\n""", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.M)
TOP_LEVEL = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.M)
# What asks for the system's dark is also what the settings of the page ask for.
DARK = re.compile(r"@media \(prefers-color-scheme: dark\)\s*\{\s*:root\s*(\{[^}]*\})\s*\}")
MARK = re.compile(r"\{\{([\w.]+)\}\}")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NUMBER_AND_UNIT = re.compile(r"(\d) ([KMGT]i?B\b|bytes\b|bits\b|%|×)")
NOT_SHIPPED = ["*.d.ts", "*.d.mts", "tsconfig.json"]
# Files of what several others run: the page and a <memwall-calculator>; the forms of both; their canvases. All else is loaded after the
# page or instead of it.
SHARED = {
    "shared.mjs": ["dom.mjs", "storage.mjs", "strings.mjs", "bind.mjs", "engine.mjs", "scenario.mjs"],
    "timeline.mjs": ["timeline.mjs"],
    "controls.mjs": ["fields.mjs", "combobox.mjs", "lists.mjs"],
    "canvas-host.mjs": ["canvas-agent.mjs", "canvas-message.mjs", "canvas-host.mjs", "canvas-inputs.mjs", "canvas-view.mjs"],
}
PLACES = {module: file for file, modules in SHARED.items() for module in modules}
ELEMENT = "calculator.mjs"
# What the form of an element asks. The rows are put into its script, so that it needs no more of the core than its verdict does.
ELEMENT_FIELDS = ["task", "method.name", "precision.recipe", "optimizer.name", "batch.micro_batch_size", "batch.sequence_length", "savers.activation_checkpointing",
                  "serving.concurrent_sequences", "serving.context_tokens", "accelerator.count", "mesh.zero_stage"]
LATER = re.compile(r"""(?:await |=> |\[)import\("\./([\w.-]+)"\)""")  # and not a type in a comment


def strings(site):
    """The JSON object between the outermost braces of strings.mjs."""
    source = (site / "strings.mjs").read_text()
    return json.loads(source[source.index("({") + 1 : source.index("})") + 1])


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    def copy(self):
        twin = Element(self.tag, self.attributes)
        twin.children = [child.copy() if isinstance(child, Element) else child for child in self.children]
        return twin

    def write(self):
        attributes = "".join(f" {name}" if value is None else f' {name}="{html.escape(value)}"' for name, value in self.attributes.items())
        inner = "".join(child.write() if isinstance(child, Element) else child for child in self.children)
        if self.tag is None:
            return inner
        return f"<{self.tag}{attributes}>" + ("" if self.tag in VOID else f"{inner}</{self.tag}>")


class Tree(html.parser.HTMLParser):
    """Elements as Element, everything else as the text it was."""

    def __init__(self, source):
        super().__init__(convert_charrefs=False)
        self.root = Element(None, {})
        self.open = [self.root]
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs)
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Element(tag, attrs))

    def handle_endtag(self, tag):
        while self.open[-1].tag != tag:
            self.open.pop()
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)

    def handle_entityref(self, name):
        self.open[-1].children.append(f"&{name};")

    def handle_charref(self, name):
        self.open[-1].children.append(f"&#{name};")

    def handle_decl(self, decl):
        self.open[-1].children.append(f"<!{decl}>")


class Filler:
    """web/bind.mjs, at build time."""

    def __init__(self, words):
        self.words = words

    @staticmethod
    def find(scopes, path):
        first, *rest = path.split(".")
        value = next((scope[first] for scope in scopes if first in scope), None)
        for part in rest:
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def text(self, scopes, binding):
        path, _, form = binding.partition("|")
        if form == "percent":
            part, *whole = (float(self.find(scopes, each) or 0) for each in path.split("/"))
            return f"{(part / whole[0] if whole and whole[0] else part) * 100:.3f}%"
        value = self.find(scopes, path)
        plain = "" if value is None else str(value)
        if form == "word":
            return self.words.get(f"{path.split('.')[-1]}.{plain}", plain)
        if form == "learn":
            return f"learn/#{plain}"
        return NUMBER_AND_UNIT.sub("\\1\u00a0\\2", plain)

    def fill(self, element, scopes):
        """What stands in a closed <details> is left to the scripts: it cannot be seen, and is most of the bytes."""
        attributes = element.attributes
        is_closed = element.tag == "details" and "open" not in attributes
        if "data-show" in attributes and not self.find(scopes, attributes["data-show"]):
            attributes["hidden"] = None
        for pair in filter(None, attributes.get("data-set", "").split(";")):
            name, _, binding = pair.strip().partition("=")
            attributes[name] = self.text(scopes, binding)
        if "data-text" in attributes:
            element.children = [html.escape(self.text(scopes, attributes["data-text"]), quote=False)]
        children = []
        for child in element.children:
            children.append(child)
            if isinstance(child, Element):
                if is_closed and child.tag != "summary":
                    continue
                if child.tag == "template" and "data-each" in child.attributes:
                    children += self.copies(child, scopes)
                else:
                    self.fill(child, scopes)
        element.children = children

    def copies(self, template, scopes):
        prototype = next(child for child in template.children if isinstance(child, Element))
        for index, item in enumerate(self.find(scopes, template.attributes["data-each"]) or []):
            copy = prototype.copy()
            copy.attributes["data-item"] = str(item.get(template.attributes.get("data-key", ""), index))
            self.fill(copy, [item, *scopes])
            yield copy


def imported(site, entry):
    """The modules that a page needs with this one, in the order in which they run."""
    order = []

    def visit(name):
        if name in order:
            return
        for needed in IMPORT.findall((site / name).read_text()):
            if (site / needed).is_file():  # core.mjs is built
                visit(needed)
        order.append(name)

    visit(entry)
    return order


def joined(site, order, elsewhere):
    """
    One request instead of a dozen: modules as one scope. Only plain named imports and exports are used, and names of the
    top level are unique, which is checked here. What is in another file (module: file) is imported still.
    """
    owners, parts, names = {}, [], {}
    for name in order:
        source = (site / name).read_text()
        for words, needed in IMPORTED_NAMES.findall(source):
            if needed in elsewhere:
                names.setdefault(elsewhere[needed], set()).update(filter(None, map(str.strip, words.split(","))))
        source = IMPORT.sub("", source)
        bare = EXPORT.sub("", source)
        for top in TOP_LEVEL.findall(bare):
            if top in owners:
                raise SystemExit(f"{name} and {owners[top]} both have {top} at the top level; the bundle needs one of them renamed")
            owners[top] = name
        if re.search(r"^(?:import|export)\b", bare, re.M):
            raise SystemExit(f"{name}: an import or export that the bundle does not understand")
        parts.append(source)
    lines = [f'import {{ {", ".join(sorted(found))} }} from "./{needed}";\n' for needed, found in names.items()]
    return "".join(lines) + "\n".join(parts)


def bundle(site):
    """What all share, the page, and what is loaded later, each as one file."""
    later = {name for file in site.glob("*.mjs") if (ROOT / "web" / file.name).is_file() for name in LATER.findall(file.read_text())}
    orders = {entry: [name for name in imported(site, entry) if name not in PLACES] for entry in (ENTRY, ELEMENT, *sorted(later))}
    leave_strings_of_scripts(site)
    texts = {entry: joined(site, order, PLACES) for entry, order in orders.items()}
    for file, modules in SHARED.items():
        texts[file] = joined(site, modules, {module: place for module, place in PLACES.items() if place != file})
    give_strings(texts)
    for name in {*PLACES}.union(*orders.values()):
        (site / name).unlink()
    for entry, text in texts.items():
        (site / entry).write_text(text)


def leave_strings_of_scripts(site):
    """Takes out of strings.mjs what only the template shows: it is in index.html now. The canvas asks for words by key too."""
    users = [path for path in site.glob("*.mjs") if path.name != "strings.mjs"] + sorted((ROOT / "src/ui").glob("*.[ch]pp"))
    code = "".join(path.read_text() for path in users)
    shown = set(MARK.findall((ROOT / "web/index.html").read_text()))
    kept = {key: value for key, value in strings(site).items() if key not in shown or f'"{key}"' in code}
    table = site / "strings.mjs"
    source = table.read_text()
    table.write_text(source[: source.index("({") + 1] + json.dumps(kept, ensure_ascii=False) + source[source.index("})") + 1 :])


def give_strings(texts):
    """A text that one file alone shows, and no page at first, goes into that file. Keys that are put together when a script runs stay."""
    shared = texts["shared.mjs"]
    begin = shared.index("({", shared.index("const strings =")) + 1
    words, end = json.JSONDecoder().raw_decode(shared, begin)
    texts["shared.mjs"] = shared[:begin] + "{}" + shared[end:]
    canvas = "".join(path.read_text() for path in sorted((ROOT / "src/ui").glob("*.[ch]pp")))
    made = {f"{name}." for name in re.findall(r"([\w.]+)\.\$\{", "".join(texts.values()))}
    made |= {f"{name}." for name in re.findall(r"(\w+)\|word", (ROOT / "web/index.html").read_text())}
    if ends := re.findall(r"`\$\{[^}]*\}\.[\w.]+`", "".join(texts.values())):
        raise SystemExit(f"{ends}: a key that begins when the script runs; nobody could say whose text it is")
    given = {}
    for key in [key for key in words if not key.startswith(tuple(made))]:
        users = {file for file, text in texts.items() if f'"{key}"' in text or file == "canvas-host.mjs" and f'"{key}"' in canvas}
        if len(users) == 1 and users.isdisjoint({ENTRY, "shared.mjs"}):
            given.setdefault(*users, {})[key] = words.pop(key)
    texts["shared.mjs"] = shared[:begin] + json.dumps(words, ensure_ascii=False) + shared[end:]
    for file, part in given.items():
        texts[file] = f'import {{ addTexts }} from "./shared.mjs";\naddTexts({json.dumps(part, ensure_ascii=False)});\n{texts[file]}'


def element_parts(site):
    """Sections of index.html for the element: texts in, names of places and what leads about the page out. And where headings lead
    that only its canvas has."""
    words = {key: html.escape(value) for key, value in strings(site).items()}
    source = MARK.sub(lambda mark: words.get(mark[1], ""), (site / "index.html").read_text())

    def plain(element):
        if not isinstance(element, Element):
            return re.sub(r"\s+", " ", html.unescape(element)) if element.strip() else None
        if "data-go" in element.attributes:
            return None
        kept = {name: value or "" for name, value in element.attributes.items() if name not in ("id", "aria-labelledby", "tabindex")}
        return [element.tag, kept, *(child for child in map(plain, element.children) if child is not None)]

    def section(element, name, value):
        if isinstance(element, Element):
            if element.attributes.get(name) == value:
                return element
            return next(filter(None, (section(child, name, value) for child in element.children)), None)
        return None

    root = Tree(source).root
    details = lambda title: ["section", {"class": "details", "data-set": "data-state=verdict.state"}, plain(section(root, "aria-labelledby", title))]
    places = {heading: section(root, "data-about", heading).attributes["href"] for heading in ("numbers", "parameters", "assumptions")}
    return {"verdict": plain(section(root, "id", "answer")), "breakdown": details("breakdown-title"), "timeline": details("timeline-title"), "places": places}


def element_fields(cli):
    """What can be chosen now, and no limits: the core says those when it refuses."""
    rows = {row["key"]: row for row in json.loads(subprocess.run([cli, "fields", "--json"], check=True, capture_output=True, text=True).stdout)}

    def bare(row):
        labels = dict(zip(row["choices"], row["choice_labels"]))
        choices = row["computed_choices"]
        return {"key": row["key"], "kind": row["kind"], "label": row["label"], "unit": row["unit"], "help": row["help"], "computed_choices": choices,
                "choices": choices, "choice_labels": [labels[choice] for choice in choices]}

    return [bare(rows[key]) for key in ELEMENT_FIELDS]


def style(site):
    """Style sheets without comments, and without the spaces that mean nothing."""
    for sheet in site.glob("**/*.css"):
        bare = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.S)
        bare = DARK.sub(r"@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) \1 } :root[data-theme=dark] \1", bare)
        sheet.write_text(re.sub(r"\s*([{};,])\s*|(:)\s+|\s+", lambda space: space[1] or space[2] or " ", bare).replace(";}", "}").strip())


def view_model(cli, scenario):
    done = subprocess.run([cli, "view", "-"], input=json.dumps(scenario), capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        raise SystemExit(f"{cli} view: {done.stderr}{done.stdout}")
    answer = json.loads(done.stdout)
    return answer.get("value", answer)


def index_page(site, cli):
    words = strings(site)
    marks = {key: html.escape(value) for key, value in words.items()}
    marks["default_scenario"] = html.escape(json.dumps(DEFAULT_SCENARIO, separators=(",", ":")))
    source = MARK.sub(lambda mark: marks[mark[1]], (site / "index.html").read_text())
    tree = Tree(source).root
    Filler(words).fill(tree, [view_model(cli, DEFAULT_SCENARIO)])
    return re.sub(r"\n\s*", "\n", tree.write())


def mit(holder):
    """Our own licence is the MIT text; only the line with the holder differs."""
    lines = (ROOT / "LICENSE").read_text().splitlines()
    return "\n".join(holder if line.startswith("Copyright") else line for line in lines)


def first_text(candidates, otherwise):
    return next((path.read_text() for path in candidates if path.is_file()), otherwise)


def licences(site):
    """(what, where it is in the page, text): what is shipped and not ours, with the text that came with it."""
    cache = pathlib.Path(os.environ.get("MEMWALL_CACHE", ROOT / ".deps"))
    emscripten = [path.resolve().parent for path in map(pathlib.Path, [shutil.which("emcc") or "/"])] + [pathlib.Path("/usr/share/emscripten")]
    yield "memwall", "everything that is not named below", (ROOT / "LICENSE").read_text()
    yield "yyjson", "reads JSON in core.wasm", first_text(
        [cache / "yyjson/LICENSE", cache / "upstream/yyjson-src/LICENSE"], mit("Copyright (c) 2020 YaoYuan"))
    yield "Dear ImGui", "draws the canvas view, in app.wasm", first_text(
        [cache / "imgui/LICENSE.txt", cache / "upstream/imgui-src/LICENSE.txt"], mit("Copyright (c) 2014-2025 Omar Cornut"))
    yield "Emscripten", "core.mjs, app.mjs and the run-time library in both modules", first_text(
        [root / "LICENSE" for root in emscripten], mit("Copyright (c) 2010-2022 The Emscripten Authors"))
    yield "musl", "the C library in both modules", first_text(
        [root / "system/lib/libc/musl/COPYRIGHT" for root in emscripten], mit("Copyright (c) 2005-2020 Rich Felker, et al."))
    yield "libc++, libc++abi, compiler-rt", "the C++ library in both modules", (
        "Apache License 2.0 with LLVM Exceptions: as an exception, if, as a result of your compiling your source code, portions of\n"
        "this Software are embedded into an Object form of such source code, you may redistribute such embedded portions in such\n"
        "Object form without complying with the conditions of Sections 4(a), 4(b) and 4(d) of the License.")
    if (site / "fonts/LICENSE").is_file():
        yield "Inter", "the typeface, reduced to the characters that are used", (site / "fonts/LICENSE").read_text()


def licences_page(site):
    words = strings(site)
    sections = "\n".join(
        f"<section><h2>{html.escape(name)}</h2><p>{html.escape(where)}</p><pre>{html.escape(text.strip())}</pre></section>"
        for name, where, text in licences(site))
    title = html.escape(words["footer.licenses"])
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · memwall</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<link rel="stylesheet" href="fonts.css">
</head>
<body>
<main class="licences"><p><a href="./">memwall</a></p><h1>{title}</h1>
{sections}
</main>
</body>
</html>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--site", type=pathlib.Path, required=True)
    options = parser.parse_args()
    parts = json.dumps(element_parts(options.site), ensure_ascii=False, separators=(",", ":"))
    (options.site / "calculator-parts.mjs").write_text(f"export const parts = {parts};\n")
    fields = json.dumps(element_fields(str(options.cli.resolve())), ensure_ascii=False, separators=(",", ":"))
    (options.site / "calculator-fields.mjs").write_text(f"export const elementFields = {fields};\n")
    page = index_page(options.site, str(options.cli.resolve()))
    (options.site / "index.html").write_text(page)
    (options.site / "licenses.html").write_text(licences_page(options.site))
    bundle(options.site)
    style(options.site)
    for pattern in NOT_SHIPPED:
        for file in options.site.glob(pattern):
            if file.name != "memwall.d.ts":
                file.unlink()


if __name__ == "__main__":
    main()
