// An exit where no scope is open is named, once.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void alone(volatile u32 *p) {
  p[0] = 1;
  // CHECK: nothing_is_open.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: no scope is open here for this exit to close; remove it, or open a scope before it
  leave("alone");
  p[2] = 0;
  enter("after");
  p[1] = 1;
  leave("after");
}

KERNEL void twice(volatile u32 *p, u32 n) {
  enter("work");
  p[0] = 1;
  leave("work");
  p[1] = 1;
  if (n)
    // CHECK: nothing_is_open.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: no scope is open here for this exit to close; remove it, or open a scope before it
    leave("work");
}

KERNEL void in_a_loop(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    p[i] = 1;
    // CHECK: nothing_is_open.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: no scope is open here for this exit to close; remove it, or open a scope before it
    leave("turn");
  }
}

NOINLINE void end(volatile u32 *p) {
  p[7] = 7;
  leave("phase");
}

KERNEL void calls(volatile u32 *p) {
  p[0] = 1;
  // CHECK: nothing_is_open.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: no scope is open here for `end(unsigned int volatile*)` to close; open one before the call
  end(p);
}
