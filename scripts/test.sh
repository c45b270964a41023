#!/usr/bin/env bash
# test.sh [--seeds N] [label ...]: sets up, builds what the tests of these labels need, and runs them.
# --seeds: how many random scenarios each property test tries (500).
# Labels: unit golden property compile_fail layers tsc wasm browser size repro format; these are meant when none is named.
# By name only, because they install, compile or take much more: bundlers library embed firefox pictures long
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
labels=(unit golden property compile_fail layers tsc wasm browser size repro format)
longer=(bundlers library embed firefox pictures long)

if [[ ${1:-} == --seeds ]]; then
  export MEMWALL_SEEDS=${2:?a number of seeds}
  shift 2
fi
for label in "$@"; do
  if [[ " ${labels[*]} ${longer[*]} " != *" $label "* ]]; then
    echo "no label $label; there are: ${labels[*]} ${longer[*]}" >&2
    exit 2
  fi
done
wanted=" ${*:-${labels[*]}} "
wants() {
  local label
  for label in "$@"; do
    if [[ $wanted == *" $label "* ]]; then return 0; fi
  done
  return 1
}

scripts/setup.sh test
if wants embed; then scripts/setup.sh embed; fi
if wants firefox; then scripts/setup.sh firefox; fi
mkdir -p "$outputs"

if wants golden bundlers library; then scripts/build.sh native; fi
if wants browser size repro embed firefox pictures long; then scripts/build.sh site; fi
if wants tsc wasm browser repro bundlers; then scripts/build.sh npm; fi
if wants wasm; then
  configure wasm-test -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 "-DCMAKE_TOOLCHAIN_FILE=$(emscripten_toolchain)"
  compile wasm-test memwall_tests
fi
# The folder of the native tests is also the one that knows all tests, so that one run of ctest counts them all.
configure asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DMEMWALL_SANITIZE=address,undefined "-DMEMWALL_OUTPUTS=$outputs"
if wants unit golden property; then
  compile asan memwall_tests
else
  compile asan build.ninja
fi

exec ctest --test-dir "$outputs/asan" --output-on-failure --no-tests=error -j "$(nproc)" -L "^($(tr ' ' '|' <<< "$(echo $wanted)"))\$"
