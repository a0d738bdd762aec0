// A row is there only if a marker with its id is: functions and names that the optimizer removed have none.
// RUN: for functions in 0 1; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=$functions %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --implicit-check-not=dead; done
#include "device.h"

static DEVICE u32 dead_function(u32 a) { return a * 17 + (a ^ 3); }
template <int N> static DEVICE void choose(volatile u32 *p) {
  u32 n = N;
  if (n > 3) {
    enter("dead scope");
    p[0] = dead_function(n);
    leave("dead scope");
    point("dead point");
  }
}
KERNEL void removes(volatile u32 *p) {
  choose<1>(p);
  point("alive");
}
// CHECK: K:_Z7removesPVj
// CHECK-NEXT: P:{{[0-9]+}}:alive
// CHECK-NEXT: <NUL>
