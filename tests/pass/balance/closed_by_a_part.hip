// An exit that only a part of the wave runs is named, with the scope and the branch, once for all arms.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void arms(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    // CHECK: closed_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave closes scope `work` (opened at line [[@LINE-2]]) here: lanes part in the branch at line [[@LINE-1]], and each part traces its own exit or none; close it where the lanes are together again
    leave("work");
    p[1] = 1;
    return;
  }
  p[2] = 2;
  leave("work");
}

// Three arms, one of them two branches deep.
KERNEL void three(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    p[1] = 1;
    // CHECK: closed_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave closes scope `work` (opened at line [[@LINE-3]]) here: lanes part in the branch at line [[@LINE-2]], and
    leave("work");
    p[2] = 1;
  } else if (p[lane()] & 2) {
    p[3] = 1;
    leave("work");
    p[4] = 1;
  } else {
    p[5] = 1;
    leave("work");
    p[6] = 1;
  }
}

// Half of the wave goes on in another scope.
KERNEL void fused(volatile u32 *p) {
  enter("first");
  if (p[lane()] & 1) {
    p[1] = 1;
    // The exit is in the enter's word, but for -O0.
    // CHECK: closed_by_a_part.hip:4{{[56]}}:{{.*}}: warning: sqtt: only a part of the wave closes scope `first` (opened at line [[@LINE-4]]) here: lanes part in the branch at line [[@LINE-3]], and
    leave("first");
    enter("second");
  }
  p[2] = 1;
  leave("either");
}

NOINLINE void end(volatile u32 *p) {
  if (p[lane()] & 1) {
    p[1] = 1;
    // CHECK: closed_by_a_part.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave closes a scope of the caller here: lanes part in the branch at line [[@LINE-2]], and
    leave("caller's");
    p[2] = 1;
  } else {
    p[3] = 1;
    leave("caller's");
    p[4] = 1;
  }
}

KERNEL void calls(volatile u32 *p) {
  enter("caller's");
  end(p);
}
