// A wave without an active lane skips the marker of a cheap divergent block: the branch on EXEC stays, on every target.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do for mode in none asm fence; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=$mode %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
// RUN-22: for arch in gfx950 gfx1250; do for mode in none asm fence; do \
// RUN-22:   SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=$mode %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void cheap(u32 *out) {
  if (lane() & 1)
    point("odd");
  out[lane()] = 5;
}
// CHECK-LABEL: <_Z5cheapPj>:
// CHECK: {{saveexec|v_cmpx}}
// CHECK: s_cbranch_execz
// CHECK: s_ttracedata
