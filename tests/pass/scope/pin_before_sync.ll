; A user's marker right before a barrier or a fence: a scheduling barrier heads the skip block, so that nothing comes between.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @before_barrier(
; CHECK: s_ttracedata
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @before_barrier() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @before_fence(
; CHECK: s_ttracedata
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: fence syncscope("workgroup") release
define amdgpu_kernel void @before_fence() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @before_work(
; CHECK: s_ttracedata
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: store volatile
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @before_work(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1100" }
