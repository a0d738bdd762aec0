// The API of markers.hpp: named markers resolve at every level, numeric ones keep their values, none of it gets a function row.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O$level -I%headers -DSQTT_ENABLED=1 \
// RUN:     -Werror -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; done
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
// Switched off it is nothing at all, with and without the plugin.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -I%headers -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=OFF --implicit-check-not=s_ttracedata
#include "device.h"
#include "markers.hpp"

KERNEL void api(volatile u32 *p) {
  sqtt_marker_enter("load");
  p[0] = 1;
  sqtt_marker_exit("load");
  p[1] = 2;
  sqtt_marker_enter(1000u);
  p[2] = 3;
  sqtt_marker_point(2u);
  p[3] = 4;
  sqtt_marker_exit(1000u);
  p[4] = 5;
  sqtt_marker_point("after");
}
// SILENT: {{^}}
// ROWS: K:_Z3apiPVj
// ROWS-NEXT: U:1:load
// ROWS-NEXT: P:2:after
// ROWS-NEXT: <NUL>
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_mov_b32 m0, 0xfa2
// CHECK: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, 8
// CHECK: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, 1
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x8
// OFF: s_endpgm
