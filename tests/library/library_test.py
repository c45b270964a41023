#!/usr/bin/env python3
"""library_test.py: another project's program against memwall::core, once from an installed package and once from the sources; its
answers are the command line's."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", ROOT / "build")).resolve()
WORK = OUTPUTS / "library"
SCENARIO = json.dumps({"model": {"ref": "gpt2"}, "accelerator": {"name": "4090"}})


def run(*command, **options):
    return subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


class Library(unittest.TestCase):
    def setUp(self):
        answer = json.loads(run(OUTPUTS / "native/memwall", "estimate", "-", "--json", input=SCENARIO).stdout)
        self.expected = f"{answer['verdict']} {answer['numbers']['device_total_bytes']}\n"

    def build(self, name, *options):
        folder = WORK / name
        shutil.rmtree(folder, ignore_errors=True)
        for command in (["cmake", "-S", ROOT / "tests/library/consumer", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options],
                        ["cmake", "--build", folder]):
            done = run(*command)
            self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(run(folder / "consumer", SCENARIO).stdout, self.expected)
        refused = run(folder / "consumer", '{"batch": {"micro_batch_size": -1}}')
        self.assertEqual(refused.returncode, 2)
        self.assertIn("batch.micro_batch_size", refused.stdout)

    def test_an_installed_package_is_found(self):
        prefix = WORK / "installed"
        shutil.rmtree(prefix, ignore_errors=True)
        done = run("cmake", "--install", OUTPUTS / "native", "--prefix", prefix)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.build("found", f"-DCMAKE_PREFIX_PATH={prefix}")

    def test_the_sources_are_a_part_of_another_build(self):
        self.build("fetched", f"-DFETCH={ROOT}")


if __name__ == "__main__":
    unittest.main()
