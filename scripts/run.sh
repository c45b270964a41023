#!/usr/bin/env bash
# run.sh [--port N] [--host H] [--no-serve]: sets up, builds, and serves build/site (default http://127.0.0.1:8000/).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
port=8000
host=127.0.0.1
serve=yes

usage() {
  echo "usage: run.sh [--port N] [--host H] [--no-serve]" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --port) [ $# -ge 2 ] || usage; port=$2; shift 2 ;;
    --host) [ $# -ge 2 ] || usage; host=$2; shift 2 ;;
    --no-serve) serve=no; shift ;;
    *) usage ;;
  esac
done

scripts/setup.sh run
scripts/build.sh
if [ "$serve" = yes ]; then
  exec "$python" scripts/serve.py --port "$port" --host "$host" build/site
fi
