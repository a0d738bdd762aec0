// Exit and enter that stand side by side in the source fuse when they come through the wrappers of a header.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void fused(volatile u32 *p) {
  enter("a");
  p[0] = 1;
  leave("a");
  enter("b");
  p[1] = 2;
  leave("b");
}
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0xb
// CHECK: s_ttracedata_imm 0x1
