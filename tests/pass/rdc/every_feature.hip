// Whatever a unit traces is renumbered: functions, names, barriers, memory groups, addresses with their payloads, data.
// RUN: for arch in gfx942 gfx1100 gfx1201; do for level in 0 2; do for settings in SQTT_INSTRUMENT_MEMORY=2:2 SQTT_TRACE_ADDRESSES=memory,lds; do \
// RUN:   for unit in 1 2; do env $settings SQTT_LINKS_LATER=1 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:     %hip --offload-arch=$arch -O$level -g -fgpu-rdc -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.bc; done; \
// RUN:   bash %S/../inputs/rdc.sh %lld $arch %plugin %t.co %t.1.bc %t.2.bc; \
// RUN:   %rows %t.co > %t.rows; grep -v '^[PR]:' %t.rows | %FileCheck %s; \
// RUN:   sed -nE 's/^[FUP]:([0-9]+):.*/\1/p; s/^(R:[0-9]+):.*/\1/p' %t.rows | sort | uniq -d | %FileCheck %s --check-prefix=ONCE --allow-empty; \
// RUN:   grep -E '^P:[0-9]+:(barrier|vmem|value|odd)' %t.rows | cut -d: -f3- | sort | uniq -d | %FileCheck %s --check-prefix=ONCE --allow-empty; \
// RUN:   %disassemble %t.co > %t.s; bash %S/../inputs/ids.sh %t.rows %t.s 400; done; done; done
#define everything NAME(everything)
#define sum NAME(sum)
#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
#include "features.h"
// CHECK-DAG: F:{{[0-9]+}}:_Z4sum1PVjj@{{.*}}features.h:
// CHECK-DAG: F:{{[0-9]+}}:_Z4sum2PVjj@{{.*}}features.h:
// CHECK-DAG: F:[[#ONE:]]:_ZL4stepjj@{{.*}}features.h:
// CHECK-DAG: F:[[#TWO:]]:_ZL4stepjj@{{.*}}features.h:
// CHECK-DAG: K:_Z11everything1PVjjPf@{{.*}}features.h:
// CHECK-DAG: K:_Z11everything2PVjjPf@{{.*}}features.h:
// CHECK-DAG: U:{{[0-9]+}}:outer
// CHECK-DAG: U:{{[0-9]+}}:inner
// CHECK: <NUL>
// ONCE-NOT: {{.}}
