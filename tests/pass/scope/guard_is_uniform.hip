// The guard is a scalar branch: it depends on the wave, never on a lane.
// RUN: for arch in gfx90a gfx1100 gfx1201; do \
// RUN:   %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=saveexec --implicit-check-not=v_cmp; done
#include "device.h"

KERNEL void uniform(volatile u32 *p) {
  enter("a");
  p[0] = 1;
  leave("a");
}
// CHECK: s_cbranch_{{vcc|scc}}
// CHECK: s_ttracedata
// CHECK: s_cbranch_{{vcc|scc}}
// CHECK: s_ttracedata
