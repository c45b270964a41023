#!/usr/bin/env bash
# build.sh [native|wasm|site|npm ...]: builds what is named, with what that needs; everything without a name.
#   native  build/native/memwall, the command line
#   wasm    build/wasm: core.mjs and core.wasm, app.mjs and app.wasm, check.mjs and check.wasm
#   site    build/site, static files for any web server
#   npm     build/npm, an ES-module package
# MEMWALL_TO=FOLDER puts the last two there instead of build/.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
to=${MEMWALL_TO:-$outputs}

build_native() {
  configure native -DCMAKE_BUILD_TYPE=Release -DMEMWALL_BUILD_TESTS=OFF
  compile native memwall
}

# minify FROM TO: a script without comments, long names and what is never reached.
minify() {
  terser "$1" "${@:3}" --ecma 2020 --compress passes=3,pure_getters=true,unsafe_arrows=true,keep_fargs=false --mangle --output "$2"
}

build_wasm() {
  configure wasm -DCMAKE_BUILD_TYPE=Release -DMEMWALL_BUILD_TESTS=OFF "-DCMAKE_TOOLCHAIN_FILE=$(emscripten_toolchain)"
  compile wasm core app check
  mkdir -p build/wasm/small
  local name
  for name in core app check; do
    if [ "build/wasm/$name.mjs" -nt "build/wasm/small/$name.mjs" ]; then
      # Whoever loads one gives it its compiled module; how it would fetch and compile that itself is left out.
      sed 's/instantiateAsync()\.catch(readyPromiseReject);//' "build/wasm/$name.mjs" > "build/wasm/small/$name.long.mjs"
      minify "build/wasm/small/$name.long.mjs" "build/wasm/small/$name.mjs" --module
    fi
  done
}

build_fonts() {
  local fonts=$outputs/fonts
  if [ ! -d "$fonts" ] || [ scripts/subset_fonts.py -nt "$fonts" ]; then
    rm -rf "$fonts" "$fonts.new"
    "$python" scripts/subset_fonts.py --output "$fonts.new"
    mv "$fonts.new" "$fonts"
  fi
}

# A folder is assembled beside the one that may be served at this moment, then takes its place.
replace_folder() {
  rm -rf "$1.old"
  [ ! -e "$1" ] || mv "$1" "$1.old"
  mv "$1.new" "$1"
  rm -rf "$1.old"
}

build_site() {
  build_native
  build_wasm
  build_fonts
  local site=$to/site
  rm -rf "$site.new"
  mkdir -p "$site.new"
  cp -R web/. "$site.new/"
  rm "$site.new/memwall.mjs" # the module for others, in build/npm
  rm "$site.new/single-file.js" # in memwall.html
  cp build/wasm/small/core.mjs build/wasm/core.wasm build/wasm/core-rest.wasm build/wasm/explanations.txt build/wasm/generated/catalogue/catalogue.txt "$site.new/"
  cp build/wasm/small/app.mjs build/wasm/app.wasm "$site.new/"
  cp -R build/fonts "$site.new/fonts"
  cp -R shaders "$site.new/shaders"
  "$python" scripts/generate_accuracy.py --cli build/native/memwall --data tests/data --output "$site.new/learn/accuracy.html" --kinds "$site.new/accuracy.json"
  "$python" scripts/generate_learn.py --cli build/native/memwall --site "$site.new"
  "$python" scripts/generate_site.py --cli build/native/memwall --site "$site.new"
  minify "$site.new/main.mjs" "$site.new/main.mjs" --module
  minify "$site.new/boot.js" "$site.new/boot.js"
  local script
  for script in "$site.new"/*.mjs; do
    case ${script##*/} in
      main.mjs | core.mjs | app.mjs | memwall.mjs) ;;
      *) minify "$script" "$script" --module ;;
    esac
  done
  "$python" scripts/generate_offline.py --site "$site.new"
  minify "$site.new/sw.js" "$site.new/sw.js"
  minify web/single-file.js build/wasm/small/single-file.js
  "$python" scripts/single_file.py --site "$site.new" --start build/wasm/small/single-file.js --output "$site.new/memwall.html"
  replace_folder "$site"
}

build_npm() {
  build_native
  build_wasm
  local package=$to/npm
  rm -rf "$package.new"
  mkdir -p "$package.new"
  cp web/memwall.mjs build/wasm/small/core.mjs build/wasm/core.wasm build/wasm/core-rest.wasm build/wasm/explanations.txt "$package.new/"
  cp build/wasm/small/check.mjs build/wasm/check.wasm build/wasm/generated/catalogue/catalogue.txt LICENSE README.md "$package.new/"
  "$python" scripts/generate_dts.py --cli build/native/memwall --output "$package.new/memwall.d.ts"
  "$python" scripts/npm_manifest.py --output "$package.new/package.json"
  replace_folder "$package"
}

mkdir -p "$outputs"
for target in "${@:-all}"; do
  case $target in
    native) build_native ;;
    wasm) build_wasm ;;
    site) build_site ;;
    npm) build_npm ;;
    all) build_site; build_npm ;;
    *) echo "usage: build.sh [native|wasm|site|npm ...]" >&2; exit 2 ;;
  esac
done
