# Sourced by the scripts beside it: where the repository is, messages, Rust.
# shellcheck shell=bash disable=SC2016,SC2034

# The root of the repository, whatever the working directory is.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# The LLVM releases that the plugin is built and tested with.
LLVM_TESTED=(19 22)

say() { printf '%s\n' "$*"; }

die() {
  printf '%s: %s\n' "ci/${0##*/}" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '%s\n' "$@" >&2
  exit 1
}

# The installed directory of LLVM $1: Debian's, unless LLVM<version>_PREFIX says where. Tests read the same variable.
llvm_dir() {
  local variable=LLVM$1_PREFIX
  printf '%s\n' "${!variable:-/usr/lib/llvm-$1}"
}

# Makes `cargo` work or stops. rustup's cargo looks for its tool chains below $HOME; in a new home it finds none, and
# the ones of the home it was installed in, beside its own directory, serve as well.
need_cargo() {
  local cargo home candidate
  cargo=$(command -v cargo) || die 'no `cargo` on PATH' 'install Rust from https://rustup.rs'
  cargo --version >/dev/null 2>&1 && return
  home=$(dirname -- "$(dirname -- "$(readlink -f -- "$cargo")")")
  for candidate in "${home%/*}/.rustup" "${home%/*}/rustup"; do
    if [ -d "$candidate/toolchains" ] && RUSTUP_HOME=$candidate cargo --version >/dev/null 2>&1; then
      export RUSTUP_HOME=$candidate
      return
    fi
  done
  cargo --version >&2 || true
  die "\`$cargo\` does not run" 'install Rust from https://rustup.rs, or set RUSTUP_HOME to where it is installed'
}

# The ROCm that is installed, or nothing.
rocm_dir() {
  local candidate
  for candidate in "${ROCM_PATH:-}" /opt/rocm; do
    if [ -n "$candidate" ] && [ -x "$candidate/bin/hipcc" ]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
}
