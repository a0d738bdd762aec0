// An exit in a divergent arm that cannot move to the meeting point is named in a warning: part of a wave leaves the scope.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -g1 -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s
#include "device.h"

KERNEL void partial(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    leave("work");
    p[1] = 1;
    return;
  }
  p[2] = 2;
  leave("work");
}
// CHECK: {{(warning.*scope.*_warns.hip:8|_warns.hip:8.*warning.*scope)}}
