// A wave without an active lane skips the address block of a cheap divergent branch; waves inside it are counted once.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do for cu in -1 0x3; do \
// RUN:   SQTT_SCOPE_CU=$cu SQTT_MEM_BARRIER=none SQTT_TRACE_ADDRESSES=memory \
// RUN:   %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void cheap(u32 *out) {
  if (lane() & 1)
    out[lane()] = 5;
}
// CHECK-LABEL: <_Z5cheapPj>:
// CHECK: {{saveexec|v_cmpx}}
// CHECK: s_cbranch_execz
// CHECK: s_ttracedata
// CHECK: exec_lo
// CHECK: s_ttracedata
// CHECK: exec_hi
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_ttracedata
