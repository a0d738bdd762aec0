// With several guards in a function the marker of a divergent block is still skipped by a wave without an active lane.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do for level in 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void cheap(u32 *out) {
  point("first");
  out[3] = 1;
  if (lane() & 1)
    point("odd");
  out[lane()] = 5;
  point("last");
}
// CHECK-LABEL: <_Z5cheapPj>:
// CHECK: s_ttracedata
// CHECK: {{saveexec|v_cmpx}}
// CHECK-NEXT: s_cbranch_execz
// CHECK: s_ttracedata
// CHECK: s_or_b{{32|64}} exec
// CHECK: s_ttracedata
