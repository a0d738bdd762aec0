#!/bin/bash
# usage: rdc.sh LLD ARCH PLUGIN OUTPUT INPUT... [OPTION...]: links device bitcode as clang does for -fgpu-rdc.
set -euo pipefail
lld=$1 arch=$2 plugin=$3 output=$4
shift 4
exec "$lld" -shared --no-undefined -plugin-opt=-amdgpu-internalize-symbols -plugin-opt=mcpu="$arch" \
  --load-pass-plugin="$plugin" -o "$output" "$@"
