// Ways that meet with a scope open on some of them only.
// RUN: for level in 0 2 3; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --implicit-check-not=warning: < %t.err; done
#include "device.h"

KERNEL void opens(volatile u32 *p, u32 n) {
  if (n > 3)
    // CHECK: ways_that_differ.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: some ways that meet at line [[@LINE+2]] leave scope `some` open and others do not; close it on each of them
    enter("some");
  p[1] = 1;
  leave("some");
}

KERNEL void closes(volatile u32 *p, u32 n) {
  enter("work");
  // CHECK: ways_that_differ.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: this way to the return leaves scope `work` (opened at line [[@LINE-1]]) open; close it before the return
  if (n > 3)
    leave("work");
  p[1] = 1;
}

// Where one condition opens and another one closes: one warning.
KERNEL void two_conditions(volatile u32 *p) {
  if (p[lane()] > 3)
    // CHECK: ways_that_differ.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: some ways that meet at line [[@LINE+2]] leave scope `some` open and others do not; close it on each of them
    enter("some");
  p[1] = 1;
  if (p[lane()] > 3)
    leave("some");
  p[2] = 1;
}

NOINLINE void closes_for_its_caller(volatile u32 *p, u32 n) {
  p[3] = 1;
  if (n > 3)
    // CHECK: ways_that_differ.hip:[[@LINE+1]]:{{.*}}: warning: sqtt: this closes a scope of the caller, and other ways through the function do not; close it on each way, or on none
    leave("work");
  p[2] = 1;
}

KERNEL void calls(volatile u32 *p, u32 n) {
  enter("work");
  closes_for_its_caller(p, n);
  leave("work");
}
