#!/usr/bin/env python3
"""npm_manifest.py --output FILE: the package.json of build/npm, from the project's own."""
import argparse
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    project = json.loads((ROOT / "package.json").read_text())
    manifest = {
        "name": project["name"],
        "version": project["version"],
        "description": "Will this model train, finetune or be served on that hardware, and how much memory is left?",
        "license": project["license"],
        "type": "module",
        "engines": project["engines"],
        # The files it reads, for bundlers that copy only what is named.
        "exports": {".": {"types": "./memwall.d.ts", "default": "./memwall.mjs"},
                    **{f"./{name}": f"./{name}" for name in ("core.wasm", "core-rest.wasm", "check.wasm", "catalogue.txt", "explanations.txt")}},
        "sideEffects": False,
    }
    options.output.write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
