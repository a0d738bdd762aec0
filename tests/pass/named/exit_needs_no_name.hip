// An exit is kept whatever its argument is: only an enter or a point needs to know its name.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void unknown(volatile u32 *p, const char *name) {
  enter("a");
  p[0] = 1;
  leave(name);
  p[1] = 2;
  enter("b");
  p[2] = 3;
  leave(nullptr);
}
// SILENT: {{^}}
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0xa
// CHECK: s_ttracedata_imm 0x1
