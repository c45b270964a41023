#!/usr/bin/env bash
# setup.sh [run|test|embed|firefox]: installs what is missing to build and run (or also to test, or for the tests of
# documentation generators, or of Firefox), and does nothing when nothing is.
#   Debian packages   only those whose program or file is not there yet; with sudo where not root, otherwise it prints the list
#   pinned sources    scripts/dependencies.py
#   npm packages      by lock file, for the tests
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
scope=${1:-test}

# what must exist, and the Debian package that brings it
run_needs="
/etc/ssl/certs/ca-certificates.crt ca-certificates
g++ g++
cmake cmake
ninja ninja-build
em++ emscripten
node nodejs
terser terser
/usr/bin/python3 python3
/usr/lib/python3/dist-packages/fontTools python3-fonttools
/usr/lib/python3/dist-packages/brotli.py python3-brotli
/usr/share/fonts/opentype/inter/Inter-Regular.otf fonts-inter
/usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
"
test_needs="
npm npm
chromium chromium
/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf fonts-liberation
clang-format clang-format
brotli brotli
"

embed_needs="
/usr/bin/sphinx-build python3-sphinx
/usr/lib/python3/dist-packages/furo furo
/usr/bin/jupyter-nbconvert jupyter-nbconvert
"

firefox_needs="
firefox-esr firefox-esr
Xvfb xvfb
/usr/lib/$(uname -m)-linux-gnu/dri/swrast_dri.so libgl1-mesa-dri
"

missing_packages() {
  local needed package
  while read -r needed package; do
    if [ -z "$needed" ] || [ -e "$needed" ] || command -v "$needed" > /dev/null; then
      continue
    fi
    echo "$package"
  done
}

install_packages() {
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null; then
      echo "Missing Debian packages; install them as root and come back:" >&2
      echo "  apt-get install --no-install-recommends $*" >&2
      exit 1
    fi
    sudo=(sudo)
  fi
  echo "Installing $*"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" > /dev/null
}

case $scope in
  run) needs=$run_needs ;;
  test) needs=$run_needs$test_needs ;;
  embed) needs=$run_needs$test_needs$embed_needs ;;
  firefox) needs=$run_needs$test_needs$firefox_needs ;;
  *) echo "usage: setup.sh [run|test|embed|firefox]" >&2; exit 2 ;;
esac
mapfile -t missing < <(missing_packages <<< "$needs")
if [ ${#missing[@]} -gt 0 ]; then
  install_packages "${missing[@]}"
fi

"$python" scripts/dependencies.py

if [ "$scope" = test ] && ! cmp -s package-lock.json node_modules/.memwall-lock; then
  npm ci --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/.memwall-lock
fi
