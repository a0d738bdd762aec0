// Named markers: enter is (id << 2) | 2, exit 1, point id << 2; one id per text and kind, rows without location.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -g1 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --match-full-lines
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void named(volatile u32 *p) {
  enter("load");
  p[0] = 1;
  leave("load");
  p[1] = 2;
  point("load");
  p[2] = 3;
  enter("load");
  p[3] = 4;
  leave("load");
  p[4] = 5;
  point("other");
}
// ROWS: K:_Z5namedPVj@{{.*}}values_and_rows.hip:7
// ROWS-NEXT: U:1:load
// ROWS-NEXT: P:2:load
// ROWS-NEXT: P:3:other
// ROWS-NEXT: <NUL>
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x8
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0xc
