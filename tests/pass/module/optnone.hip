// The phases run on functions that ask not to be optimized too.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

DEVICE __attribute__((noinline, optnone)) u32 plain(volatile u32 *p) { return p[0] * p[1]; }
KERNEL __attribute__((optnone)) void caller(volatile u32 *p) {
  point("a");
  p[0] = plain(p);
}
// ROWS: F:1:_Z5plainPVj
// ROWS: P:2:a
// CHECK-LABEL: <_Z5plainPVj>:
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK-LABEL: <_Z6callerPVj>:
// CHECK: s_ttracedata_imm 0x8
