// A turn of a loop leaves the depth as it was, and lanes leave a loop where its scopes are closed.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void opens(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: each turn of the loop at line [[@LINE-1]] leaves scope `turn` open; close it in the same turn
    enter("turn");
    p[i] = i;
  }
}

KERNEL void closes(volatile u32 *p, u32 n) {
  enter("work");
  for (u32 i = 0; i < n; ++i) {
    p[i] = i;
    // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: each turn of the loop at line [[@LINE-2]] closes scope `work` (opened at line [[@LINE-3]]) from before it; close it behind the loop
    leave("work");
  }
}

KERNEL void opens_in_lanes(volatile u32 *p) {
  u32 i = 0;
  do {
    // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: each turn of the loop at line {{[0-9]+}} leaves scope `turn` open; close it in the same turn
    enter("turn");
    p[i] = i;
  } while (++i < p[lane()]);
}

// Lanes that break wait for the others, which close the scope in their own turns.
KERNEL void broken(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    enter("turn");
    // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave leaves the loop at line [[@LINE-2]] with scope `turn` (opened at line [[@LINE-1]]) open, and the others go on without it; leave the loop where it is closed
    if (p[lane()] > i) {
      leave("turn");
      break;
    }
    p[i] = i;
    leave("turn");
  }
}

// Each group that leaves closes the scope around the loop.
KERNEL void two_ways_out(volatile u32 *p, u32 n) {
  u32 i = 0;
  enter("work");
  for (;; ++i) {
    if (p[lane()] == i) {
      // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave closes scope `work` (opened at line [[@LINE-3]]) here: lanes part in the branch at line {{[0-9]+}}, and
      leave("work");
      p[1] = 1;
      break;
    }
    if (p[lane()] == n) {
      leave("work");
      p[2] = 1;
      break;
    }
    p[i] = 3;
  }
  p[9] = 4;
}

// Of a turn, the rest.
KERNEL void continued(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    enter("turn");
    if (p[lane()] > i) {
      // CHECK: loops.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: only a part of the wave closes scope `turn` (opened at line [[@LINE-2]]) here: lanes part in the branch at line [[@LINE-1]], and
      leave("turn");
      p[1] = 1;
      continue;
    }
    p[2] = 1;
    leave("turn");
  }
}
