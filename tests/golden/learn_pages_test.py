#!/usr/bin/env python3
"""The pages to read: every number comes from the program, every link leads somewhere, and none is larger than 60 KiB."""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", ROOT / "build"))
CLI = OUTPUTS / "native/memwall"
sys.path.insert(0, str(ROOT / "scripts"))
import generate_learn  # noqa: E402  pylint: disable=wrong-import-position


class Places(html.parser.HTMLParser):
    """Links and the places that can be led to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.styles = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.places.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if "style" in found or tag == "style" or (tag == "script" and "src" not in found):
            self.styles.append(tag)


class LearnPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        site = pathlib.Path(cls.folder.name)
        (site / "learn").mkdir()
        subprocess.run([sys.executable, ROOT / "scripts/generate_learn.py", "--cli", CLI, "--site", site], check=True)
        cls.pages = {path.name: path.read_text() for path in (site / "learn").glob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_page_is_made_and_small(self):
        self.assertEqual(sorted(self.pages), sorted([f"{name}.html" for name in generate_learn.PAGES] + ["index.html"]))
        for name, text in self.pages.items():
            self.assertLessEqual(len(text.encode()), 60 * 1024, name)

    def test_nothing_is_left_to_fill_and_nothing_is_no_number(self):
        for name, text in self.pages.items():
            self.assertNotRegex(text, r"\{\{|\}\}", name)
            self.assertNotRegex(re.sub(r"<[^>]*>", " ", text), r"\b(nan|NaN|None|undefined|inf)\b", name)

    def test_links_lead_to_pages_and_places_that_exist(self):
        known = {name: Places(text) for name, text in self.pages.items()}
        for name, places in known.items():
            self.assertEqual(len(places.places), len(set(places.places)), f"{name}: a place twice")
            for link in places.links:
                if link.startswith(("http", "../")) or link.startswith("accuracy.html"):
                    continue
                page, _, place = link.partition("#")
                page = {"": name, "./": "index.html"}.get(page, page)
                self.assertIn(page, known, f"{name}: {link}")
                if place:
                    self.assertIn(place, known[page].places, f"{name}: {link}")

    def test_nothing_needs_a_looser_policy(self):
        for name, text in self.pages.items():
            self.assertEqual(Places(text).styles, [], name)

    def test_every_category_of_the_interface_has_its_term(self):
        for category in generate_learn.figures.CATEGORIES:
            self.assertIn(category, Places(self.pages["index.html"]).places)

    def test_seven_billion_parameters_take_56_gb_before_activations(self):
        """Two bytes of weight, two of gradient and four of AdamW in bf16 for each of 7,000,000,000."""
        words = re.sub(r"<[^>]*>", "", self.pages["memory-math.html"]).replace("\u00a0", " ")
        self.assertIn("14 GB + 14 GB + 28 GB = 56 GB", words)

    def test_a_rule_has_an_example_unless_its_tensors_are_nowhere_alone(self):
        sections = re.findall(r'<section class="rule" id="(\w+)">(.*?)</section>', self.pages["formulas.html"], re.S)
        self.assertEqual(len(sections), len(generate_learn.Vocabulary(generate_learn.Program(CLI)).rules()))
        without = [key for key, text in sections if "<ul>" not in text]
        self.assertLessEqual(len(without), 1, without)

    def test_a_number_that_is_typed_ends_the_build(self):
        for typed in ("<p>The weights are 14 GB.</p>", "<p>Twice 1,024 tokens</p>", "<p>about 30 %</p>"):
            self.assertRegex(typed, generate_learn.TYPED)
        for fine in ("<p>{{ size(a) }} in bf16, ZeRO 3, 4 bits</p>", '<svg width="100%"></svg>'):
            self.assertIsNone(generate_learn.TYPED.search(re.sub(r"<[^>]*>", "", generate_learn.MARK.sub("", fine))))


if __name__ == "__main__":
    unittest.main()
