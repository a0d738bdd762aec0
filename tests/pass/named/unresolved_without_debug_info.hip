// Without line tables two call sites with unknown names still have two ids and two rows.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void unknown(volatile u32 *p, const char *name) {
  point(name);
  p[2] = 1;
  point(name);
}
// ROWS: P:1:<unresolved{{.*}}>
// ROWS-NEXT: P:2:<unresolved{{.*}}>
// CHECK: s_ttracedata_imm 0x4
// CHECK: s_ttracedata_imm 0x8
