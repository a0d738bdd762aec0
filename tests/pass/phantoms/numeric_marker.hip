// A numeric marker in a cheap divergent block keeps its branch on EXEC too.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
// The plain intrinsic does not keep it, else this test could not fail.
// RUN: for arch in gfx942 gfx1100 gfx1201; do \
// RUN:   %hip --offload-arch=$arch -O2 %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=PLAIN --implicit-check-not=s_cbranch_execz; done
#include "device.h"

KERNEL void cheap(u32 *out) {
  if (lane() & 1)
    number(20);
  out[lane()] = 5;
}
// CHECK-LABEL: <_Z5cheapPj>:
// CHECK: {{saveexec|v_cmpx}}
// CHECK: s_cbranch_execz
// CHECK: s_ttracedata
// PLAIN: s_ttracedata
