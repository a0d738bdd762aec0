// At -O0 a label that a guard keeps in a member, and one from a constant table, are the literals that they are.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O0 -fpass-plugin=%plugin %s -o %t.co 2>%t.err
// RUN: %rows %t.co | %FileCheck %s
// RUN: ! grep warning %t.err
#include "device.h"

struct Guard {
  const char *name;
  DEVICE Guard(const char *n) : name(n) { enter(name); }
  DEVICE ~Guard() { leave(name); }
};
static constexpr const char *const names[] = {"first", "second"};

KERNEL void k(volatile u32 *p) {
  Guard outer("outer");
  p[0] = 1;
  {
    Guard inner("inner");
    point(names[1]);
  }
}
// CHECK: K:
// CHECK-DAG: U:{{[0-9]+}}:outer
// CHECK-DAG: U:{{[0-9]+}}:inner
// CHECK-DAG: P:{{[0-9]+}}:second
// CHECK-NOT: unresolved
