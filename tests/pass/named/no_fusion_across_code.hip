// Anything between an exit and the next enter keeps them two markers; points do not fuse.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void apart(volatile u32 *p) {
  enter("a");
  p[0] = 1;
  leave("a");
  p[9] = 9;
  enter("b");
  p[1] = 2;
  leave("b");
  point("c");
  enter("d");
  point("c");
  leave("d");
}
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0xa
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0xc
// CHECK: s_ttracedata_imm 0x12
// CHECK: s_ttracedata_imm 0xc
// CHECK: s_ttracedata_imm 0x1
