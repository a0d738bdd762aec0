// Barriers have three ids behind the functions' and names', whichever are used; without the setting there are none.
// RUN: SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --match-full-lines
// RUN: for value in yes TRUE On y; do SQTT_INSTRUMENT_BARRIERS=$value SQTT_INSTRUMENT_FUNCTIONS=1 \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --match-full-lines; done
// RUN: for value in 0 no ''; do SQTT_INSTRUMENT_BARRIERS=$value SQTT_INSTRUMENT_FUNCTIONS=1 \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=OFF --implicit-check-not=barrier; done
#include "device.h"

NOINLINE u32 work(volatile u32 *p) { return p[0] * p[1] + p[2]; }
KERNEL void caller(volatile u32 *p) {
  point("a");
  p[0] = work(p);
}
//      CHECK: F:1:_Z4workPVj
// CHECK-NEXT: K:_Z6callerPVj
// CHECK-NEXT: P:2:a
// CHECK-NEXT: P:3:barrier_signal
// CHECK-NEXT: P:4:barrier_wait
// CHECK-NEXT: P:5:barrier
// CHECK-NEXT: <NUL>
// OFF: P:2:a
