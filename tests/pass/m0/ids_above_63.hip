// The immediate form reaches to id 63; a larger value goes through M0.
// RUN: for arch in gfx1030 gfx1100 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s; done
#include "device.h"

#define EIGHT(x) point(x "0"); point(x "1"); point(x "2"); point(x "3"); point(x "4"); point(x "5"); point(x "6"); point(x "7");
KERNEL void many(volatile u32 *p) {
  EIGHT("a") EIGHT("b") EIGHT("c") EIGHT("d") EIGHT("e") EIGHT("f") EIGHT("g")
  point("57"); point("58"); point("59"); point("60"); point("61");
  enter("62");
  p[0] = 1;
  leave("62");
  enter("63"); // fused
  p[1] = 2;
  leave("63");
  enter("64"); // fused, above
  p[2] = 3;
  leave("64");
}
// CHECK: s_ttracedata_imm 0x4
// CHECK: s_ttracedata_imm 0xf4
// CHECK: s_ttracedata_imm 0xfa
// CHECK: s_ttracedata_imm 0xff
// CHECK-NOT: s_ttracedata
// CHECK: s_mov_b32 m0, 0x103
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x1
