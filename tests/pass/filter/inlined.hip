// The filter holds where a function is inlined, and is about function markers only: names in a function that is left out stay.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_EXCLUDE=left_out \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --match-full-lines
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

static DEVICE u32 left_out(volatile u32 *p) {
  enter("inside");
  u32 value = p[0] * p[1];
  leave("inside");
  return value;
}
static DEVICE u32 kept(volatile u32 *p) { return p[3] / p[4]; }
KERNEL void kernel(volatile u32 *p) { p[9] = left_out(p) + kept(p); }
//      ROWS: F:1:_ZL4keptPVj
// ROWS-NEXT: K:_Z6kernelPVj
// ROWS-NEXT: U:2:inside
// ROWS-NEXT: <NUL>
// CHECK: s_ttracedata_imm 0xa
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
