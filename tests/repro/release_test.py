#!/usr/bin/env python3
"""The same sources give the same bytes: the site and the package, made a second time, and the zips of both."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUTS = pathlib.Path(os.environ.get("MEMWALL_OUTPUTS", ROOT / "build"))
sys.path.insert(0, str(ROOT / "scripts"))
import pack_release  # noqa: E402  pylint: disable=wrong-import-position


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Release(unittest.TestCase):
    def test_a_second_build_has_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as temporary:
            again = pathlib.Path(temporary)
            subprocess.run([ROOT / "scripts/build.sh", "site", "npm"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "MEMWALL_TO": str(again)})
            for part in pack_release.PARTS:
                first, second = files(OUTPUTS / part), files(again / part)
                self.assertEqual(sorted(first), sorted(second))
                self.assertEqual([name for name in first if first[name] != second[name]], [])
            (again / "zip").mkdir()
            one = pack_release.packed(OUTPUTS, again)
            two = pack_release.packed(again, again / "zip")
            self.assertEqual(one.read_bytes(), two.read_bytes())
            subprocess.run(["sha256sum", "--check", "--ignore-missing", "--quiet", one.with_suffix(".sha256").name], cwd=again, check=True)
            with zipfile.ZipFile(one) as archive:
                archive.extractall(again / "unpacked")
            lines = one.with_suffix(".sha256").read_text().splitlines()[1:]
            (again / "unpacked/sums").write_text("\n".join(lines) + "\n")
            subprocess.run(["sha256sum", "--check", "--quiet", "sums"], cwd=again / "unpacked", check=True)
            self.assertIn(f"memwall-{pack_release.version()}/site/index.html", [line.split("  ")[1] for line in lines])


if __name__ == "__main__":
    unittest.main()
