#!/usr/bin/env bash
# release.sh: builds everything and packs it as build/memwall-VERSION.zip with build/memwall-VERSION.sha256 beside it.
# The same sources give the same bytes: files in order, no times, no owners.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
scripts/build.sh site npm
"$python" scripts/pack_release.py --outputs "$outputs" --folder "$outputs"
