// The entry and exit markers of a function that was inlined into a divergent branch keep their branch on EXEC.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

static DEVICE u32 twice(u32 value) { return value * 2 + 1; }

KERNEL void cheap(u32 *out) {
  u32 value = __builtin_amdgcn_workitem_id_y();
  if (value & 1)
    value = twice(value);
  out[0] = value;
}
// CHECK-LABEL: <_Z5cheapPj>:
// CHECK: {{saveexec|v_cmpx}}
// CHECK: s_cbranch_execz
// CHECK: s_ttracedata
// CHECK: s_ttracedata
