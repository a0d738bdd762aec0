; A whole barrier has its point in front, directly, on every generation.
; RUN: for cpu in gfx90a gfx942 gfx1030 gfx1100 gfx1201; do sed "s/CPU/$cpu/" %s > %t.ll; \
; RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %t.ll \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata; done
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: store volatile i32 1
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: asm sideeffect "{{s_ttracedata_imm 12|s_mov_b32 m0, .*}}
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: asm sideeffect "", ""
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "", ""
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: store volatile i32 2
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="CPU" }
