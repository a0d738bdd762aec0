// Markers between variables with debug information compile at every level: LLVM 19 crashed on the hints around them.
// RUN: for arch in gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 1 2 3; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=2 %hip --offload-arch=$arch -O$level -g -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s; done; done
#include "device.h"

static DEVICE u32 step(u32 a, u32 b) {
  u32 sum = a + b;
  u32 product = a * b;
  u32 mixed = sum ^ product;
  return mixed + 7;
}
KERNEL void variables(u32 *p, u32 n) {
  u32 i = lane(), first = p[i];
  enter("work");
  u32 second = step(first, n), third = second;
  leave("work");
  u32 fourth = third * 2;
  point("between");
  u32 fifth = fourth;
  for (u32 k = 0; k < n; ++k) {
    u32 inner = fifth + k;
    number(k);
    fifth = step(inner, k);
  }
  p[i] = fifth;
}
// CHECK: s_ttracedata
