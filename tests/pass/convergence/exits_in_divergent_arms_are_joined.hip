// Exits of one enter at the ends of divergent arms become one at the point where the lanes meet again.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -g1 -fpass-plugin=%plugin %s -o %t.co 2> %t.err
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
// RUN: %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=warning < %t.err
#include "device.h"

KERNEL void early_return(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    p[1] = 1;
    leave("work");
    return;
  }
  p[2] = 2;
  leave("work");
}
// CHECK-LABEL: <_Z12early_returnPVj>:
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_endpgm
// SILENT: {{^}}
