// A mistake is said once, however many copies of it optimization makes, and in one phase only.
// RUN: %hip --offload-arch=gfx1100 -O3 -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.err
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O3 -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s \
// RUN:   -o %t.co 2> %t.err
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.err
#include "device.h"

static DEVICE void helper(volatile u32 *p, u32 n) {
  enter("helper");
  p[0] = 1;
  // CHECK: once.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: {{.*}}scope `helper`
  if (p[n])
    return;
  p[1] = 1;
  leave("helper");
}

KERNEL void one(volatile u32 *p, u32 n) {
  helper(p, n);
  p[5] = 1;
}
KERNEL void two(volatile u32 *p, u32 n) {
  helper(p, n + 1);
  p[6] = 1;
}
KERNEL void three(volatile u32 *p, u32 n) {
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    helper(p, i);
    p[7] = i;
  }
}
