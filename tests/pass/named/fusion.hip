// An exit directly followed by an enter is one marker with both flags.
// RUN: for level in 0 1 2 3 s; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void fused(volatile u32 *p) {
  __sqtt_named_marker_enter("a");
  p[0] = 1;
  __sqtt_named_marker_exit("a");
  __sqtt_named_marker_enter("b");
  p[1] = 2;
  __sqtt_named_marker_exit("b");
}
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0xb
// CHECK: s_ttracedata_imm 0x1
