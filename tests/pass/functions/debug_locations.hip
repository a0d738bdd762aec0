// A row of a function or kernel ends in the file and line of its definition when the compile has line tables.
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -gline-tables-only -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O0 -gline-tables-only -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s
#include "device.h"

NOINLINE u32 work(volatile u32 *p) {
  return p[0] * 3 + p[1];
}
KERNEL void caller(volatile u32 *p) {
  enter("scope");
  p[2] = work(p);
  leave("scope");
}
// CHECK-DAG: F:{{[0-9]+}}:_Z4workPVj@{{.*}}debug_locations.hip:8{{$}}
// CHECK-DAG: K:_Z6callerPVj@{{.*}}debug_locations.hip:11{{$}}
// CHECK-DAG: U:{{[0-9]+}}:scope{{$}}
