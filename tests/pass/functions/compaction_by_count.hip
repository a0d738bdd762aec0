// Ids go by how often they are emitted, most first, ties in the order of the source; functions and names in one sequence.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=3 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --implicit-check-not=F: --implicit-check-not=P: --implicit-check-not=U:
#include "device.h"

NOINLINE u32 rare(volatile u32 *p) { return p[0] * 3 + p[1] + p[2]; }                 // 2: one copy
static DEVICE u32 often(volatile u32 *p, u32 i) { return p[i] + p[i + 1] * p[i + 2]; } // 6: three copies

KERNEL void caller(volatile u32 *p) {
  enter("scope once"); // 1: an exit does not count
  p[0] = often(p, 10);
  leave("scope once");
  p[1] = often(p, 20);
  p[2] = often(p, 30);
  point("three times");
  p[3] = 3;
  point("three times");
  p[4] = rare(p);
  point("three times");
}
// CHECK: F:1:_ZL5oftenPVjj
// CHECK-NEXT: F:3:_Z4rarePVj
// CHECK-NEXT: K:_Z6callerPVj
// CHECK-NEXT: U:4:scope once
// CHECK-NEXT: P:2:three times
// CHECK-NEXT: <NUL>
