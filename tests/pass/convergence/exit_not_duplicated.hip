// The exit of an inlined function is not copied into the arms of a branch on its result: one enter, one exit.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=2 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=2 %hip --offload-arch=gfx1100 -O3 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

static DEVICE bool odd(volatile u32 *p, u32 v) {
  if (v & 1) {
    p[0] = v * 3;
    return true;
  }
  p[1] = v + 7;
  return false;
}

KERNEL void branch(volatile u32 *p) {
  u32 v = p[lane()];
  if (odd(p, v))
    p[2] = 10;
  else
    p[3] = 20;
}
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
