// A noinline function that marks with a literal keeps its noinline: it exists once and is called.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

NOINLINE void big(volatile u32 *p) {
  __sqtt_named_marker_enter("big");
  p[0] = p[1] * p[2] + p[3];
  __sqtt_named_marker_exit("big");
}
KERNEL void calls(volatile u32 *p) {
  big(p);
  big(p + 10);
}
// CHECK-LABEL: <_Z3bigPVj>:
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK-LABEL: <_Z5callsPVj>:
// CHECK: s_swappc_b64
// CHECK: s_swappc_b64
