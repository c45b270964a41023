#!/usr/bin/env python3
"""generate_learn.py --cli memwall --site FOLDER: writes FOLDER/learn/*.html, pages to read, from the templates in web/learn.

A template is the text of a page. It begins with a comment that holds its title, its summary and its scenarios:

    <!--
    title: Logits
    summary: One number for every token and every word of the vocabulary.
    plain = model.ref="mistralai/Mistral-7B-v0.1" accelerator.name="RTX 4090" task=finetune
    chunked = plain + savers.loss=chunked
    -->

Each scenario is answered by the command line program, and {{ an expression of Python }} in the text shows what came of
it: {{ size(plain.categories.logits) }}. The names an expression may use are those of `vocabulary` below. No number that
depends on memwall is typed: a template in which a number with a unit stands outside of {{ }} ends the build.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess

import learn_figures as figures
from learn_figures import Markup, escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["memory-wall", "memory-math", "activations", "logits", "optimizers", "zero", "kv-cache", "allocated-reserved", "formulas", "embedding"]
# Made from records by another script, in the same list.
ACCURACY = ("accuracy", "How exact is memwall", "Every prediction set against what was measured.")
MARK = re.compile(r"\{\{(.+?)\}\}", re.S)
HEAD = re.compile(r"\A<!--\n(.*?)\n-->\n", re.S)
TYPED = re.compile(r"\d[\d.,]*\s*(?:[KMGT]i?B\b|bytes?\b|%|×|tokens?\b|billion\b|million\b)")
MOST_BYTES = 60 * 1024
EXAMPLES = 4
NO_FORMAT = ""  # a row of single bytes multiplies by nothing


class Values(dict):
    """What the program answered; members are read with a dot."""

    def __getattr__(self, name):
        try:
            return wrapped(self[name])
        except KeyError:
            raise AttributeError(f"nothing is called {name}; there are {', '.join(self)}") from None


def wrapped(value):
    return Values(value) if type(value) is dict else [wrapped(each) for each in value] if isinstance(value, list) else value


class Program:
    """The command line program; what was asked once is not asked again."""

    def __init__(self, path):
        self.path = str(path)
        self.known = {}

    def ask(self, *arguments, scenario=None):
        given = json.dumps(scenario) if scenario is not None else None
        key = (arguments, given)
        if key not in self.known:
            done = subprocess.run([self.path, *arguments], input=given, capture_output=True, text=True)
            if not done.stdout.startswith(("{", "[")) or done.stdout.startswith('{"error"'):
                raise SystemExit(f"memwall {' '.join(arguments)}: {given}: {done.stdout}{done.stderr}")
            self.known[key] = json.loads(done.stdout)
        return self.known[key]


def nested(flat):
    root = {}
    for key, value in flat.items():
        *path, last = key.split(".")
        place = root
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return root


def settings(text):
    """key=value words, as in a shell."""
    return dict(word.split("=", 1) for word in shlex.split(text))


class Vocabulary:
    """What an expression of a template may use."""

    def __init__(self, program):
        self.program = program

    def estimate(self, flat):
        answer = Values(self.program.ask("estimate", "-", "--json", scenario=nested(flat)))
        answer["flat"] = flat
        every = {category: 0 for category in figures.CATEGORIES}
        answer["categories"] = {**every, **answer["categories"]}
        return answer

    def like(self, answer, text):
        """The same scenario with other settings; a value that is empty takes the setting away."""
        flat = {**answer["flat"], **settings(text)}
        return self.estimate({key: value for key, value in flat.items() if value})

    def rows(self, answer, *beginnings):
        return [Values(row) for row in answer["rows"] if row["key"].startswith(beginnings)]

    def total(self, answer, *beginnings):
        return sum(row["bytes"] for row in self.rows(answer, *beginnings))

    def most(self, answer, category):
        """The most a category takes at any instant of the step, not only the worst."""
        return max(instant["categories"].get(category, 0) for instant in answer["instants"])

    def solve(self, answer, field):
        return Values(self.program.ask("solve", field, "-", "--json", scenario=nested(answer["flat"])))

    def view(self, answer):
        found = self.program.ask("view", "-", scenario=nested(answer["flat"]))
        return Values(found.get("value", found))

    def moments(self, answer):
        return wrapped(self.program.ask("timeline", "-", "--json", scenario=nested(answer["flat"]))["instants"])

    def params(self, answer):
        return wrapped(self.program.ask("params", "-", "--json", scenario=nested(answer["flat"])))

    def open(self, answer, words="Open this in the calculator"):
        return Markup(f'<a class="open" href="../{escape(self.view(answer).share)}">{escape(words)}</a>')

    def calculator(self, answer):
        """A live calculator; without scripts, and until it is there, the answer in short and a link."""
        view = self.view(answer)
        return Markup(f'<memwall-calculator view="form" scenario="{escape(view.share)}"><aside class="try" data-state="{view.verdict.state}"><p class="quiet">{escape(view.title)}</p>'
                      f'<p><span class="mark" aria-hidden="true"></span> <b>{escape(view.verdict.sentence)}</b></p><p>{self.open(answer)}</p></aside></memwall-calculator>')

    def rules(self):
        return wrapped(self.program.ask("rules", "--json"))

    def rule(self, key):
        return next(Values(rule) for rule in self.rules() if rule["key"] == key)

    def source(self, key):
        """Where what a rule says was published."""
        rule = self.rule(key)
        name = escape(rule.source)
        return Markup(f'<a href="{escape(rule.source_url)}" rel="noopener noreferrer">{name}</a>' if rule.source_url else name)

    def every_formula(self, answers):
        """The table of rules, each with examples from the rows of these answers."""
        rows = {}
        for answer in answers:
            for moment in self.moments(answer):
                for row in moment.rows + answer.rows:
                    rows.setdefault(row.rule, {}).setdefault(row.formula, row)
        listed = "".join(f'<li><a href="#{rule.key}">{escape(rule.title)}</a></li>' for rule in self.rules())
        return Markup(f'<ul class="contents">{listed}</ul>' + "\n".join(self.rule_with(rule, list(rows.get(rule.key, {}).values())) for rule in self.rules()))

    def rule_with(self, rule, rows):
        shown = sorted(rows, key=lambda row: len(row.formula))[:EXAMPLES]
        examples = "".join(
            f"<li>{escape(row.title)}: {escape(row.formula)}{escape(NO_FORMAT if row.dtype == 'int8' else ' × ' + row.dtype)}<br>"
            f"= {escape(row.numbers)}{escape(NO_FORMAT if row.dtype == 'int8' else ' × ' + row.dtype)} = <b>{figures.size(row.bytes)}</b></li>" for row in shown)
        return (f'<section class="rule" id="{rule.key}"><h2>{escape(rule.title)} <span class="confidence" data-confidence="{rule.confidence}">{rule.confidence}</span></h2>'
                f'<p>{escape(rule.because)}</p><p class="quiet">{self.source(rule.key)}</p>{f"<ul>{examples}</ul>" if examples else ""}</section>')

    def catalogue(self, kind, words=""):
        return wrapped(self.program.ask("catalogue", kind, *words.split(), "--json"))

    def field(self, key):
        return next(wrapped(row) for row in self.program.ask("fields", "--json") if row["key"] == key)

    def fields(self):
        return wrapped(self.program.ask("fields", "--json"))

    def labels(self, key):
        """What can be chosen and is computed, with its label."""
        row = self.field(key)
        return [(choice, label) for choice, label in zip(row.choices, row.choice_labels) if choice in row.computed_choices]

    def names(self):
        own = ["like", "rows", "total", "most", "solve", "view", "moments", "params", "open", "calculator", "rules", "rule", "source", "every_formula", "catalogue", "field", "fields", "labels"]
        shown = ["size", "gb", "count", "short_count", "percent", "times", "ratio", "seconds", "table", "stack", "plain_bars", "timeline", "curves", "adapter_path", "who_holds", "Markup"]
        plain = {each.__name__: each for each in (len, max, min, sum, range, sorted, zip, enumerate, next, set, str, int, round)}
        return {**plain, **{name: getattr(self, name) for name in own}, **{name: getattr(figures, name) for name in shown}}


class Page:
    def __init__(self, name):
        self.name = name
        source = (ROOT / f"web/learn/{name}.html").read_text()
        head = HEAD.match(source)
        if not head:
            raise SystemExit(f"web/learn/{name}.html: it begins with no comment that names title and summary")
        self.text = source[head.end():]
        self.facts, self.scenarios = {}, {}
        for line in head[1].replace("\\\n", " ").splitlines():
            fact = re.match(r"(title|summary|script): (.*)", line)
            scenario = re.match(r"(\w+) = (?:(\w+) \+ )?(.*)", line)
            if fact:
                self.facts[fact[1]] = fact[2]
            elif scenario:
                self.scenarios[scenario[1]] = {**self.scenarios.get(scenario[2], {}), **settings(scenario[3])}
        typed = TYPED.search(re.sub(r"<pre\b.*?</pre>|<[^>]*>", "", MARK.sub("", self.text), flags=re.S))
        if typed:
            raise SystemExit(f"web/learn/{name}.html: \"{typed[0]}\" is typed; let the program compute it")

    def filled(self, vocabulary):
        names = {**vocabulary.names(), **{name: vocabulary.estimate(flat) for name, flat in self.scenarios.items()}}

        def value(mark):
            try:
                return escape(eval(mark[1].strip(), {"__builtins__": {}, **names}))  # pylint: disable=eval-used
            except (AttributeError, KeyError, NameError, SyntaxError, TypeError, StopIteration, ZeroDivisionError) as error:
                raise SystemExit(f"web/learn/{self.name}.html: {{{{{mark[1]}}}}}: {error!r}") from error

        return MARK.sub(value, self.text)


def shell(title, summary, body, foot, script=""):
    more = f'\n<script type="module" src="{script}"></script>' if script else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · memwall</title>
<meta name="description" content="{escape(summary)}">
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../style.css">
<link rel="stylesheet" href="../fonts.css">
<link rel="stylesheet" href="learn.css">
<script type="module" src="../memwall-calculator.mjs"></script>{more}
</head>
<body>
{figures.BAR}
<main class="learn read">
<h1>{escape(title)}</h1>
<p class="summary">{escape(summary)}</p>
{body}
</main>
{foot}
</body>
</html>
"""


def foot(before, after, version):
    def link(page, rel, words):
        return f'<a rel="{rel}" href="{page[0]}.html"><span class="quiet">{words}</span> {escape(page[1])}</a>' if page else "<span></span>"

    return (f'<nav class="learn-foot" aria-label="Before and after">{link(before, "prev", "Before")}{link(after, "next", "Next")}</nav>\n'
            f'<footer class="foot"><p>Every number on this page was computed by memwall {escape(version)} when the page was built.</p>'
            '<p><a href="./">Learn</a> · <a href="../licenses.html">Licences</a></p></footer>')


def index_body(pages):
    items = "".join(f'<li><a href="{name}.html">{escape(title)}</a><p>{escape(summary)}</p></li>' for name, title, summary in pages)
    return f'<ol class="pages">{items}</ol>'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--site", type=pathlib.Path, required=True)
    options = parser.parse_args()
    vocabulary = Vocabulary(Program(options.cli.resolve()))
    folder = options.site / "learn"
    version = vocabulary.view(vocabulary.estimate(settings("model.ref=gpt2 accelerator.name=4090"))).version
    pages = [Page(name) for name in PAGES]
    listed = [(page.name, page.facts["title"], page.facts["summary"]) for page in pages] + [ACCURACY]
    texts = {}
    for place, page in enumerate(pages):
        before, after = listed[place - 1] if place > 0 else None, listed[place + 1]
        texts[page.name] = shell(page.facts["title"], page.facts["summary"], page.filled(vocabulary), foot(before, after, version), page.facts.get("script", ""))
    terms = Page("index")
    texts["index"] = shell(terms.facts["title"], terms.facts["summary"], index_body(listed) + terms.filled(vocabulary), foot(None, listed[0], version))
    for name, text in texts.items():
        if len(text.encode()) > MOST_BYTES:
            raise SystemExit(f"learn/{name}.html has {len(text.encode())} bytes, {MOST_BYTES} are allowed")
        (folder / f"{name}.html").write_text(text)


if __name__ == "__main__":
    main()
