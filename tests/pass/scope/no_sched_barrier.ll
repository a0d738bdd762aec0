; Under a scope check no scheduling barrier stands around a marker, the numeric marker's own included; the fences do.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NOT: sched.barrier
; CHECK: br i1
; CHECK-NOT: sched.barrier
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK-NEXT: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: br label
; CHECK-NOT: sched.barrier
; CHECK: store volatile i32 1
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  store volatile i32 1, ptr addrspace(1) %p
  ; A scheduling barrier of the user's that is no full one stays, outside the guard.
  ; CHECK: br i1
  ; CHECK: s_ttracedata
  ; CHECK: br label %[[SKIP:.*]]
  ; CHECK: [[SKIP]]:
  ; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 1)
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  call void @llvm.amdgcn.sched.barrier(i32 1)
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.sched.barrier(i32)
attributes #0 = { "target-cpu"="gfx1100" }
