// At -O0 a name is found through the wrapper's argument and its alloca: rows and markers as at -O2, no warning.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O0 -fpass-plugin=%plugin %s -o %t.co 2> %t.err
// RUN: %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void plain(volatile u32 *p) {
  enter("load");
  p[0] = 1;
  leave("load");
  p[1] = 2;
  point("after");
}
// SILENT: {{^}}
// ROWS: K:_Z5plainPVj
// ROWS-NEXT: U:1:load
// ROWS-NEXT: P:2:after
// ROWS-NEXT: <NUL>
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x8
