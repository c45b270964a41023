#!/usr/bin/env python3
"""Puts the pinned sources of dependencies.json into the cache (.deps, or $MEMWALL_CACHE).

Order: what is cached already; the Debian source package, through a private apt directory that leaves the system
untouched; otherwise CMake fetches the pinned commit from upstream when it configures. A pinned Debian version that
is gone is replaced by another one that Debian has signed, and a notice says so.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("MEMWALL_CACHE", ROOT / ".deps")).resolve()
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LATER_SUITES = ["trixie", "sid"]


def configured_mirrors():
    """Archive addresses of this machine's own apt configuration, one-line and deb822 style, in order."""
    etc = pathlib.Path("/etc/apt")
    files = [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]
    for file in files:
        text = file.read_text(errors="replace") if file.is_file() else ""
        if file.suffix == ".sources":
            for stanza in re.split(r"\n\s*\n", text):
                fields = dict(re.findall(r"^(\w[\w-]*):\s*(.*)$", stanza, re.M))
                if "main" in fields.get("Components", "") and fields.get("Enabled", "yes") != "no":
                    yield from fields.get("URIs", "").split()
        else:
            for uri in re.findall(r"^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+\S+\s+.*\bmain\b", text, re.M):
                yield uri


def debian_mirror():
    """The first configured archive that is Debian's main one: third parties and the security archive lack sid."""
    mirrors = [uri.rstrip("/") for uri in configured_mirrors()]
    return next((uri for uri in mirrors if uri.endswith("/debian")), None)


class PrivateApt:
    """An apt that knows only Debian source packages and writes only below the cache."""

    def __init__(self, mirror, suites):
        self.folder = CACHE / "apt"
        for part in ["state/lists/partial", "cache/archives/partial", "preferences.d"]:
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        lines = [f"deb-src [signed-by={KEYRING}] {mirror} {suite} main\n" for suite in suites]
        (self.folder / "sources.list").write_text("".join(lines))
        # Mirrors that lag behind carry an expired Release file of sid; the sha256 pins stand for freshness.
        settings = {
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::Etc::preferences": "-",
            "Dir::Etc::preferencesparts": self.folder / "preferences.d",
            "Dir::State": self.folder / "state",
            "Dir::State::status": "/var/lib/dpkg/status",
            "Dir::Cache": self.folder / "cache",
            "Acquire::Languages": "none",
            "Acquire::Check-Valid-Until": "false",
        }
        if os.geteuid() == 0:
            settings["APT::Sandbox::User"] = "root"
        config = self.folder / "apt.conf"
        config.write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()))
        self.environment = {**os.environ, "APT_CONFIG": str(config)}

    def run(self, *command, cwd=None):
        return subprocess.run(command, env=self.environment, cwd=cwd, check=True, text=True, stdout=subprocess.PIPE).stdout

    def versions(self, package):
        """(version, tarball, sha256) of each version the archive offers, newest first."""
        found = []
        for stanza in self.run("apt-cache", "showsrc", package).split("\n\n"):
            version = re.search(r"^Version: (\S+)", stanza, re.M)
            tarball = re.search(r"^ ([0-9a-f]{64}) \d+ (\S+\.orig\.tar\.\S+)$", stanza, re.M)
            if version and tarball and f"Package: {package}\n" in stanza + "\n":
                found.append((version[1], tarball[2], tarball[1]))
        found.sort(key=lambda entry: [int(part) for part in re.findall(r"\d+", entry[0])], reverse=True)
        return found

    def download(self, package, version):
        # The tarball alone: its hash is in the signed index, the .dsc is not needed.
        self.run("apt-get", "source", "--tar-only", "--download-only", "-qq", f"{package}={version}", cwd=self.folder)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def unpack(name, row, tarball, origin):
    fresh = CACHE / f"{name}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    with tarfile.open(tarball) as archive:
        for member in archive.getmembers():
            member.name = "/".join(member.name.split("/")[1:])
            target = (fresh / member.name).resolve()
            if member.isreg() and fresh.resolve() in target.parents:
                archive.extract(member, fresh)
    missing = [path for path in row["needs"] if not (fresh / path).is_file()]
    if missing:
        raise ValueError(f"{tarball.name} lacks {', '.join(missing)}")
    (fresh / ".source").write_text(pin_of(row) + "\n" + origin + "\n")
    shutil.rmtree(CACHE / name, ignore_errors=True)
    fresh.rename(CACHE / name)
    print(f"{name}: {origin}")


def pin_of(row):
    return f"{row['tarball']} {row['sha256']}"


def is_cached(name, row):
    stamp = CACHE / name / ".source"
    if stamp.is_file():
        return stamp.read_text().splitlines()[0] == pin_of(row)
    # CMake has fetched it, and looks after the commit itself.
    return (CACHE / "upstream" / f"{name}-src").is_dir()


def fetch_from_debian(apt, name, row):
    package = row["tarball"].split("_")[0]
    offered = apt.versions(package)
    if not offered:
        raise ValueError(f"no source package {package}")
    pinned = next((entry for entry in offered if entry[2] == row["sha256"]), None)
    version, tarball, expected = pinned or offered[0]
    if not pinned:
        print(f"NOTICE: {package} {row['debian_version']} has left Debian; taking {version}, signed by Debian, sha256 {expected}")
    apt.download(package, version)
    path = apt.folder / tarball
    if sha256(path) != expected:
        raise ValueError(f"{tarball}: sha256 is not {expected}")
    unpack(name, row, path, f"Debian source package {package} {version}")


def main():
    rows = json.loads((ROOT / "scripts" / "dependencies.json").read_text())
    wanted = {name: row for name, row in rows.items() if not is_cached(name, row)}
    if not wanted:
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    left = dict(wanted)
    mirror = debian_mirror()
    for suites in [sorted({row["debian_suite"] for row in wanted.values()}), LATER_SUITES] if mirror else []:
        if not left:
            break
        try:
            apt = PrivateApt(mirror, suites)
            apt.run("apt-get", "update", "-qq")
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"Debian sources of {', '.join(suites)}: {error}", file=sys.stderr)
            continue
        for name, row in list(left.items()):
            try:
                fetch_from_debian(apt, name, row)
                del left[name]
            except (OSError, ValueError, subprocess.CalledProcessError) as error:
                print(f"{name} from Debian {', '.join(suites)}: {error}", file=sys.stderr)
    for name, row in left.items():
        print(f"NOTICE: {name} comes from {row['upstream']} at {row['commit']}, when CMake configures")
    shutil.rmtree(CACHE / "apt", ignore_errors=True)


if __name__ == "__main__":
    main()
