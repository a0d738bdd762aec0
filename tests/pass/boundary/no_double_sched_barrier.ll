; Where a scheduling barrier stands beside the marker already, no second one is put there; the fences always are.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: fence
; CHECK-NEXT: call i32 asm sideeffect "{{[^"]*}}s_ttracedata
; CHECK-NEXT: fence
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 1)
; CHECK-NEXT: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  call void @llvm.amdgcn.sched.barrier(i32 1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
