; A user's marker in front of a barrier and the barrier's point share one guard, and the barrier stays outside it.
; RUN: SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='br i1'
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @named(
; CHECK: br i1
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: asm sideeffect "s_ttracedata_imm 16"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: ret void
define amdgpu_kernel void @named() #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @numeric(
; CHECK: br i1
; CHECK: s_ttracedata{{.*}}(i32 400)
; CHECK: asm sideeffect "s_ttracedata_imm 16"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK: call void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @numeric() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; Two barriers in a row are two guards: the first barrier stands between them.
; CHECK-LABEL: define amdgpu_kernel void @two(
; CHECK: br i1
; CHECK: asm sideeffect "s_ttracedata_imm 16"
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: br i1
; CHECK: asm sideeffect "s_ttracedata_imm 16"
; CHECK: call void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @two() #0 {
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier()
  ret void
}
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.sched.barrier(i32)
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1100" }
