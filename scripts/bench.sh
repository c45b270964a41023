#!/usr/bin/env bash
# bench.sh: µs per estimate and per evaluate of a dense model of 80 layers, natively and in WebAssembly under Node.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scripts/setup.sh
configure bench -DCMAKE_BUILD_TYPE=Release
compile bench bench
configure wasm-bench -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$(emscripten_toolchain)"
compile wasm-bench bench
echo "native"
"$outputs/bench/bench"
echo "WebAssembly"
node --no-experimental-fetch "$outputs/wasm-bench/bench.cjs"
