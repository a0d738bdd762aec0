// The scope check is computed once per function, at its entry, however many markers there are.
// RUN: %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_getreg
#include "device.h"

KERNEL void loop(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    enter("iteration");
    p[i] = i;
    leave("iteration");
  }
}
// CHECK: s_getreg_b32
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
