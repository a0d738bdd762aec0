// A scope that no way closes is named where it was opened; several are several mistakes.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void forgotten(volatile u32 *p) {
  // CHECK: never_closed.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: scope `forgotten` is still open when the kernel ends; close it before the return
  enter("forgotten");
  p[0] = 1;
}

KERNEL void two(volatile u32 *p, u32 n) {
  // CHECK: never_closed.hip:[[@LINE+4]]:{{.*}}: warning: sqtt: scope `b` is still open when the kernel ends; close it before the return
  // CHECK: never_closed.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: scope `a` is still open when the kernel ends; close it before the return
  enter("a");
  p[0] = 1;
  enter("b");
  if (n > 3)
    p[1] = 1;
}

KERNEL void by_number(volatile u32 *p) {
  // CHECK: never_closed.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: scope number 77 is still open when the kernel ends; close it before the return
  __builtin_amdgcn_s_ttracedata(77 << 2 | 2);
  p[0] = 1;
}

// An exit and an enter in one word.
KERNEL void fused(volatile u32 *p) {
  enter("first");
  p[0] = 1;
  leave("first");
  // CHECK: never_closed.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: scope `second` is still open when the kernel ends; close it before the return
  enter("second");
  p[1] = 1;
}
