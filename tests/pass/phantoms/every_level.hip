// The branch on EXEC stays at every optimization level, in both arms of a divergent branch.
// RUN: for arch in gfx942 gfx1100 gfx1201; do for level in 1 2 3 s z; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void arms(u32 *out) {
  u32 value = out[lane()];
  if (value & 1)
    point("odd");
  else
    point("even");
  out[lane()] = value + 1;
}
// CHECK-LABEL: <_Z4armsPj>:
// CHECK: {{saveexec|v_cmpx}}
// CHECK: s_cbranch_exec{{z|nz}}
// CHECK: s_ttracedata
// CHECK: {{saveexec|s_xor}}
// CHECK: s_cbranch_exec{{z|nz}}
// CHECK: s_ttracedata
