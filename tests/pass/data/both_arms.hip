// The same data marker in both arms of a divergent branch is two: payloads are not merged into one value.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 1 2 3 s; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void arms(u32 *p) {
  if (p[lane()] & 1)
    __sqtt_named_marker_data("d", 1000);
  else
    __sqtt_named_marker_data("d", 2000);
}
// CHECK-LABEL: <_Z4armsPj>:
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, {{0x3e8|0x7d0}}
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, {{0x3e8|0x7d0}}
// CHECK: s_ttracedata
