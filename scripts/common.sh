# Sourced by the other scripts: where things are, and the toolchain of the web build.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
outputs=$root/build

# Debian's python3, not one that happens to be first on PATH: fontTools is installed for this one.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Debian keeps Emscripten's Node modules apart from those of other Node distributions.
if [ -d /usr/share/nodejs ]; then
  export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
fi

# The folder of CMake's toolchain file; emcmake is of no use, Debian's passes Node an option that newer ones refuse.
emscripten_toolchain() {
  local compiler folder
  compiler=$(readlink -f "$(command -v em++)")
  for folder in "$(dirname "$compiler")" /usr/share/emscripten; do
    if [ -f "$folder/cmake/Modules/Platform/Emscripten.cmake" ]; then
      echo "$folder/cmake/Modules/Platform/Emscripten.cmake"
      return
    fi
  done
  echo "no CMake toolchain file beside $compiler" >&2
  return 1
}

# configure FOLDER CMAKE_ARGUMENTS...: once; afterwards ninja itself notices what changed in the CMake files.
# With other arguments than last time it configures again.
configure() {
  local folder=$outputs/$1
  shift
  if [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/arguments" 2>/dev/null)" = "$*" ]; then
    return
  fi
  cmake -S "$root" -B "$folder" -G Ninja "$@" > "$folder.log" 2>&1 || { cat "$folder.log"; return 1; }
  echo "$*" > "$folder/arguments"
}

# compile FOLDER TARGETS...
compile() {
  local folder=$outputs/$1
  shift
  ninja -C "$folder" "$@"
}
