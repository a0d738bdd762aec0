// A return inside a scope is named, with the scope and the line where that was opened.
// RUN: for level in 0 2 3; do prefix=OPT; test $level != 0 || prefix=O0; \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=$prefix --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void uniform(volatile u32 *p, u32 n) {
  enter("work");
  p[0] = 1;
  // OPT: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `work` (opened at line [[@LINE-2]]) open; close it before the return
  // O0: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `work` (opened at line [[@LINE-3]]) open; close it before the return
  if (n == 3)
    return;
  p[1] = 1;
  leave("work");
}

KERNEL void divergent(volatile u32 *p) {
  enter("outer");
  enter("inner");
  // OPT: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `outer` (opened at line [[@LINE-2]]) and scope `inner` (opened at line [[@LINE-1]]) open; close them before the return
  // O0: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `outer` (opened at line [[@LINE-3]]) and scope `inner` (opened at line [[@LINE-2]]) open; close them before the return
  if (p[lane()])
    return;
  leave("inner");
  p[1] = 1;
  leave("outer");
}

// One warning for one scope, whatever the number of ways.
KERNEL void twice(volatile u32 *p, u32 n) {
  enter("work");
  p[0] = 1;
  // O0: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return, as at line [[@LINE+5]], leaves scope `work` (opened at line [[@LINE-2]]) open; close it before the return
  if (n == 3)
    return;
  // OPT: early_return.hip:[[@LINE-2]]:{{.*}}: warning: sqtt: this way to the return, as at line [[@LINE+1]], leaves scope `work` (opened at line [[@LINE-5]]) open; close it before the return
  if (p[4])
    return;
  p[1] = 1;
  leave("work");
}

KERNEL void out_of_a_loop(volatile u32 *p, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    enter("turn");
    // OPT: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `turn` (opened at line [[@LINE-1]]) open; close it before the return
    // O0: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `turn` (opened at line [[@LINE-2]]) open; close it before the return
    if (p[i + lane()])
      return;
    leave("turn");
  }
  p[1] = 1;
}

// A helper whose ways differ cannot be balanced by any caller.
NOINLINE void helper(volatile u32 *p) {
  enter("helper");
  // OPT: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `helper` (opened at line [[@LINE-1]]) open; close it before the return
  // O0: early_return.hip:[[@LINE+2]]:{{.*}}: warning: sqtt: this way to the return leaves scope `helper` (opened at line [[@LINE-2]]) open; close it before the return
  if (p[lane()])
    return;
  p[2] = 3;
  leave("helper");
}

KERNEL void calls(volatile u32 *p) { helper(p); }
