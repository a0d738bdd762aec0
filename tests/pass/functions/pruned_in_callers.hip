// A function below the threshold loses its markers in the kernel that it was inlined into as well, and its row.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=10 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=3 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=KEPT --implicit-check-not=s_ttracedata
#include "device.h"

DEVICE __attribute__((used)) u32 visible(u32 a) { return (a ^ 21) * 5 + 3; }
static DEVICE u32 hidden(u32 a) { return (a ^ 12) * 7 + 9; }

KERNEL void caller(u32 *p) {
  u32 v = p[0];
  p[1] = visible(v);
  p[2] = hidden(v);
}
// ROWS: {{^}}K:_Z6callerPj
// ROWS-NEXT: <NUL>
// CHECK-LABEL: <_Z7visiblej>:
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_endpgm
// KEPT-LABEL: <_Z7visiblej>:
// KEPT: s_ttracedata_imm
// KEPT: s_ttracedata_imm
// KEPT-LABEL: <_Z6callerPj>:
// KEPT: s_ttracedata_imm
// KEPT: s_ttracedata_imm
// KEPT: s_ttracedata_imm
// KEPT: s_ttracedata_imm
