// The guard is a scalar branch: it depends on the wave, never on a lane.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=v_cmp --implicit-check-not=s_cbranch; done; done
#include "device.h"

KERNEL void uniform(volatile u32 *p) {
  enter("a");
  p[0] = 1;
  leave("a");
}
// CHECK: s_cbranch_{{scc|vcc}}
// CHECK: s_ttracedata
// CHECK: s_cbranch_{{scc|vcc}}
// CHECK: s_ttracedata
