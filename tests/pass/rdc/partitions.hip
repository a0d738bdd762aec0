// A link that cuts its code into parts, as clang's does, still has one map: without the merge it would be there per part.
// REQUIRES: llvm22
// RUN: for unit in 1 2; do SQTT_LINKS_LATER=1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=$unit \
// RUN:   -fpass-plugin=%plugin %s -o %t.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc --lto-partitions=8
// RUN: %rows %t.co | %FileCheck %s
// RUN: %readelf -S -W %t.co | %FileCheck %s --check-prefix=FLAGS
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc --lto-partitions=8 --gc-sections
// RUN: %rows %t.co | %FileCheck %s
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
NOINLINE u32 NAME(work)(volatile u32 *p) { point("work"); return p[0] * p[1]; }
KERNEL void NAME(first)(volatile u32 *p) { point("first"); p[0] = NAME(work)(p); }
KERNEL void NAME(second)(volatile u32 *p) { point("second"); p[2] = NAME(work)(p + 1); }
// CHECK: {{^}}K:_Z6first1PVj
// CHECK-NEXT: K:_Z7second1PVj
// CHECK-NEXT: K:_Z6first2PVj
// CHECK-NEXT: K:_Z7second2PVj
// CHECK-NEXT: P:1:work
// CHECK-NEXT: P:2:first
// CHECK-NEXT: P:3:second
// CHECK-NEXT: <NUL>
// CHECK-NOT: {{.}}
// FLAGS: .sqtt_funcmap PROGBITS {{.*}} 01 AMSR
