// Units of an -fgpu-rdc program link to one code object with one map: each name, group and shared function has one id,
// local functions of the same name have one each, and the ids of inlined copies are those of the map.
// RUN: for level in 0 2; do for unit in 1 2 3; do SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 \
// RUN:   %hip --offload-arch=gfx1100 -O$level -fgpu-rdc -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.bc; done; \
// RUN:   bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc %t.3.bc -plugin-opt=O$level --lto-CGO$level; \
// RUN:   %rows %t.co > %t.rows; %FileCheck %s --match-full-lines < %t.rows; test $(grep -c . %t.rows) = 11; \
// RUN:   grep -o '^[FUP]:[0-9]*' %t.rows | sort | uniq -d | %FileCheck %s --check-prefix=UNIQUE --allow-empty; \
// RUN:   %disassemble %t.co > %t.s; bash %S/../inputs/ids.sh %t.rows %t.s; done
// Before the link, each unit is complete: its own map, its own markers.
// RUN: %lld -shared --no-undefined -plugin-opt=mcpu=gfx1100 %t.1.bc %t.2.bc %t.3.bc -o %t.alone.co
// RUN: %rows %t.alone.co | grep -c '<NUL>' | %FileCheck %s --check-prefix=ALONE --match-full-lines
#include "device.h"

DEVICE u32 shared_function(volatile u32 *p);
static NOINLINE u32 local(volatile u32 *p) { return p[UNIT] * p[UNIT + 4] + UNIT; }

#if UNIT == 1
KERNEL void first(volatile u32 *p) {
  enter("both");
  p[0] = shared_function(p) + local(p);
  leave("both");
  point("one");
}
#elif UNIT == 2
DEVICE u32 shared_function(volatile u32 *p) {
  enter("inside");
  u32 value = p[0] * p[1];
  leave("inside");
  return value;
}
KERNEL void second(volatile u32 *p) {
  point("two");
  enter("both");
  p[0] = shared_function(p) + local(p);
  leave("both");
}
#else
KERNEL void third(volatile u32 *p) {
  enter("both");
  p[0] = p[1];
  leave("both");
}
#endif
// CHECK-DAG: F:{{[0-9]+}}:_Z15shared_functionPVj
// CHECK-DAG: F:[[#FIRST:]]:_ZL5localPVj
// CHECK-DAG: F:[[#SECOND:]]:_ZL5localPVj
// CHECK-DAG: K:_Z5firstPVj
// CHECK-DAG: K:_Z6secondPVj
// CHECK-DAG: K:_Z5thirdPVj
// CHECK-DAG: U:{{[0-9]+}}:both
// CHECK-DAG: U:{{[0-9]+}}:inside
// CHECK-DAG: P:{{[0-9]+}}:one
// CHECK-DAG: P:{{[0-9]+}}:two
// CHECK-DAG: <NUL>
// UNIQUE-NOT: {{.}}
// ALONE: 3
