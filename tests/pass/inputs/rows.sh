#!/bin/bash
# usage: rows.sh LLVM-OBJCOPY FILE: prints the rows of FILE's map; a NUL is printed as a line `<NUL>`.
set -euo pipefail
map=$(mktemp -d)
trap 'rm -rf "$map"' EXIT
"$1" --dump-section=.sqtt_funcmap="$map/rows" "$2" "$map/copy"
sed 's/\x00/<NUL>\n/g' "$map/rows"
