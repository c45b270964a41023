#!/bin/sh
# link_map.sh FILE COMMAND...: runs a link that prints its map (which symbol lies where) and writes the map to a file.
# Emscripten lets no option through that names the file itself.
file=$1
shift
exec "$@" > "$file"
