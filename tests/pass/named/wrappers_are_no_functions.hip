// Functions that only hold markers are not instrumented: an enter in a scope of its wrapper's own would be popped by it.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; done
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

static DEVICE void numeric_enter(u32 id) {
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_ttracedata((int)((id << 2) | 2));
  __builtin_amdgcn_sched_barrier(0);
}
static DEVICE void numeric_exit() {
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_ttracedata(1);
  __builtin_amdgcn_sched_barrier(0);
}
NOINLINE void only_markers() {
  __sqtt_named_marker_point("a");
  __sqtt_named_marker_point("b");
}
KERNEL void caller(volatile u32 *p) {
  enter("phase");
  numeric_enter(9);
  p[0] = 1;
  numeric_exit();
  p[1] = 1;
  leave("phase");
  only_markers();
}
// ROWS: K:_Z6callerPVj
// CHECK-LABEL: <_Z12only_markersv>:
// CHECK: s_ttracedata_imm
// CHECK: s_ttracedata_imm
// CHECK: s_setpc_b64
// CHECK-LABEL: <_Z6callerPVj>:
// CHECK: s_ttracedata_imm
// CHECK: s_mov_b32 m0, 38
// CHECK: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, 1
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_endpgm
