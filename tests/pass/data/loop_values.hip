// A payload that changes in a loop is read in every round, whatever the optimizer makes of the loop.
// RUN: for arch in gfx942 gfx1030 gfx1201; do for level in 1 2 3; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -S -emit-llvm -o %t.ll; \
// RUN:   %FileCheck %s < %t.ll; done; done
#include "device.h"

KERNEL void loop(u32 *p, u32 n) {
  u32 sum = p[lane()];
  for (u32 i = 0; i < n; ++i) {
    sum = sum * 31 + p[i];
    __sqtt_named_marker_data("sum", sum);
  }
  p[lane()] = sum;
}
// CHECK-LABEL: @_Z4loopPjj(
// CHECK: %[[SUM:.*]] = add i32
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK: call {{.*}}@llvm.amdgcn.readfirstlane{{.*}}(i32 %[[SUM]])
// CHECK-NEXT: {{.*}}s_ttracedata
