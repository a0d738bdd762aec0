// Commas and parentheses of a demangled name belong to the pattern: one instance of a template can be picked.
// RUN: run() { SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE="$1" \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | sed -n 's/^F:[0-9]*://p' | sort | paste -sd' '; }; \
// RUN:   test "$(run 'mix<unsigned int, 4>')" = _Z3mixIjLi4EET_S0_S0_; \
// RUN:   test "$(run 'unsigned int mix<unsigned int, 4>(unsigned int, unsigned int)')" = _Z3mixIjLi4EET_S0_S0_; \
// RUN:   test "$(run 'mix<unsigned int, 4>,plain(unsigned int, unsigned int)')" = "_Z3mixIjLi4EET_S0_S0_ _Z5plainjj"; \
// RUN:   test "$(run 'mix<*>')" = "_Z3mixIfLi8EET_S0_S0_ _Z3mixIjLi4EET_S0_S0_"; \
// RUN:   test "$(run 'mix<float, ?>')" = _Z3mixIfLi8EET_S0_S0_
#include "device.h"

template <class T, int N> NOINLINE T mix(T a, T b) { return a * N + b * (N + 1) + a * b; }
NOINLINE u32 plain(u32 a, u32 b) { return a * b + a / 3; }
KERNEL void kernel(u32 *p, float *f) {
  p[0] = mix<u32, 4>(p[1], p[2]) + plain(p[4], p[5]);
  f[0] = mix<float, 8>(f[1], f[2]);
}
