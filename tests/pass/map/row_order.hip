// Rows: functions by id, kernels as in the module, then names as they were found; the map ends in one NUL.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s
#include "device.h"

NOINLINE u32 one(volatile u32 *p) { return p[0] * p[1]; }
NOINLINE u32 two(volatile u32 *p) { point("first found"); return p[0] + p[1]; }
KERNEL void alpha(volatile u32 *p) { enter("later"); p[0] = one(p); leave("later"); }
KERNEL void beta(volatile u32 *p) { point("again"); p[0] = two(p); point("again"); }
// CHECK: {{^}}F:2:_Z3onePVj
// CHECK-NEXT: F:3:_Z3twoPVj
// CHECK-NEXT: K:_Z5alphaPVj
// CHECK-NEXT: K:_Z4betaPVj
// CHECK-NEXT: P:4:first found
// CHECK-NEXT: U:5:later
// CHECK-NEXT: P:1:again
// CHECK-NEXT: <NUL>
// CHECK-NOT: {{.}}
