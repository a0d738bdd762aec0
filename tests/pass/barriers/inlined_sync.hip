// A barrier in an inlined helper has its point at each place where it ends up.
// RUN: for arch in gfx942 gfx1100 gfx1201; do for level in 1 2 3; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -S -emit-llvm -o - \
// RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

WRAPPER void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
KERNEL void twice(volatile u32 *p) {
  sync();
  p[0] = 1;
  sync();
}
// CHECK-LABEL: @_Z5twicePVj(
// CHECK: fence syncscope("workgroup") release
// CHECK: s_ttracedata
// CHECK: call void @llvm.amdgcn.s.barrier()
// CHECK-NEXT: fence syncscope("workgroup") acquire
// CHECK: store volatile i32 1
// CHECK: fence syncscope("workgroup") release
// CHECK: s_ttracedata
// CHECK: call void @llvm.amdgcn.s.barrier()
