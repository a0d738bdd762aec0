// The clock is read inside the guard, beside the marker: waves outside the scope pay nothing for it, and it is the marker's time.
// RUN: for level in 0 2; do SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=gfx1201 -O$level -fpass-plugin=%plugin %s -S -emit-llvm -o - \
// RUN:   | %FileCheck %s; done
#include "device.h"

KERNEL void caller(volatile u32 *p) {
  p[0] = 1;
  point("a");
  p[1] = 1;
}
// CHECK: call i32 @llvm.amdgcn.s.getreg(i32 6807)
// CHECK: br i1
// CHECK: {{^[^ ].*:}}
// CHECK-NEXT: fence syncscope("workgroup") acq_rel
// CHECK-NEXT: {{.*}}call i32 @llvm.amdgcn.s.getreg(i32 22813)
// CHECK-NEXT: {{.*}}shl i32
// CHECK-NEXT: {{.*}}or i32
// CHECK-NEXT: {{.*}}s_ttracedata
// CHECK-NEXT: fence syncscope("workgroup") acq_rel
// CHECK-NEXT: br label
