// A scope that only a part of the wave opens must be closed before the lanes are together again.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void arms(volatile u32 *p) {
  if (lane() & 1) {
    p[1] = 1;
    // CHECK: opened_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave opens scope `a` and scope `b` here: lanes part in the branch at line [[@LINE-2]], and it is still open where they are together again; close it before, or open it in front of the branch
    enter("a");
    p[2] = 1;
  } else {
    p[3] = 1;
    enter("b");
    p[4] = 1;
  }
  p[5] = 2;
  leave("either");
}

// The exits stand in arms of their own.
KERNEL void two_branches(volatile u32 *p) {
  u32 n = p[lane()];
  if (n & 1) {
    p[1] = 1;
    // CHECK: opened_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave opens scope `a` and scope `b` here: lanes part in the branch at line [[@LINE-2]], and
    enter("a");
    p[2] = 1;
  } else {
    p[3] = 1;
    enter("b");
    p[4] = 1;
  }
  p[5] = 2;
  if (n & 2) {
    p[6] = 1;
    leave("either");
    p[7] = 1;
  } else {
    p[8] = 1;
    leave("either");
    p[9] = 1;
  }
}

NOINLINE void begin(volatile u32 *p) {
  p[2] = 1;
  enter("phase");
}

KERNEL void calls(volatile u32 *p) {
  if (p[lane()] & 1) {
    p[1] = 1;
    // CHECK: opened_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave opens the scope that `begin(unsigned int volatile*)` opens here: lanes part in the branch at line [[@LINE-2]], and
    begin(p);
    p[3] = 1;
  } else {
    p[4] = 1;
    begin(p + 1);
    p[5] = 1;
  }
  p[6] = 2;
  leave("phase");
}
