// A name that is not one literal: a warning, and one id per call site, named after where it stands. No marker is dropped.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -g1 -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=WARN < %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void unknown(volatile u32 *p, const char *name) {
  __sqtt_named_marker_enter(name);
  p[0] = 1;
  __sqtt_named_marker_exit(name);
  p[1] = 1;
  __sqtt_named_marker_point(name);
  p[2] = 1;
  __sqtt_named_marker_point(name);
}
// WARN-DAG: {{(arning.*unresolved_label.hip:10|unresolved_label.hip:10.*arning)}}
// WARN-DAG: {{(arning.*unresolved_label.hip:14|unresolved_label.hip:14.*arning)}}
// WARN-DAG: {{(arning.*unresolved_label.hip:16|unresolved_label.hip:16.*arning)}}
// WARN-NOT: unresolved_label.hip:12
// ROWS: U:1:<unresolved {{.*}}unresolved_label.hip:10>
// ROWS-NEXT: P:2:<unresolved {{.*}}unresolved_label.hip:14>
// ROWS-NEXT: P:3:<unresolved {{.*}}unresolved_label.hip:16>
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x8
// CHECK: s_ttracedata_imm 0xc
