// SQTT_SCOPE opens a scope and closes it on every way out of its block; its methods are no functions of the program.
// RUN: for level in 0 1 2 3 s; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O$level -g -I%headers \
// RUN:     -DSQTT_ENABLED=1 -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; \
// RUN: done
#include "markers.hpp"

// CHECK-LABEL: <_Z5namedPVjj>:
// CHECK:       s_ttracedata_imm 0x6
// CHECK:       s_ttracedata_imm 0xa
// CHECK:       s_ttracedata_imm 0x1
// CHECK:       s_ttracedata_imm 0x1
__attribute__((global)) void named(volatile unsigned *p, unsigned count) {
  SQTT_SCOPE("outer");
  p[0] = 1;
  {
    SQTT_SCOPE("inner");
    p[1] = count;
  }
  if (__builtin_amdgcn_workitem_id_x() > count) return;
  p[2] = 3;
}

// CHECK-LABEL: <_Z8numberedPVj>:
// CHECK:       s_mov{{k?}}_{{[bi]}}32 m0, {{0x7d2|s}}
// CHECK:       s_ttracedata{{ }}
// CHECK:       s_ttracedata{{ }}
__attribute__((global)) void numbered(volatile unsigned *p) {
  SQTT_SCOPE(500);
  p[0] = 1;
}
// SILENT-NOT: arning
//      ROWS: U:1:outer
// ROWS-NEXT: U:2:inner
// ROWS-NEXT: <NUL>
