// What the pass leaves is valid IR at every level, with and without debug information, and every sentinel is gone.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 0 1 2 3 s z; do for debug in -g0 -g; do \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O$level $debug -fpass-plugin=%plugin \
// RUN:     -Xclang -disable-llvm-verifier %s -S -emit-llvm -o %t.ll; \
// RUN:   %opt -passes=verify -S %t.ll | %FileCheck %s --implicit-check-not=__sqtt_named_marker; done; done; done
#include "device.h"

static DEVICE u32 twice(u32 a) { return a * 2 + 1; }
NOINLINE u32 fib(u32 n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
KERNEL void all(volatile u32 *p, const char *unknown) {
  u32 v = p[lane()];
  enter("a");
  for (u32 i = 0; i < v; ++i) {
    if (i & 1)
      continue;
    point("b");
    p[i] = twice(fib(i));
  }
  leave("a");
  enter("c");
  number(v);
  switch (v) {
  case 1: point("one"); break;
  case 2: point("two"); leave("c"); return;
  default: p[5] = twice(v);
  }
  leave(unknown);
}
// CHECK: s_ttracedata
