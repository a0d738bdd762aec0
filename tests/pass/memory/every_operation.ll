; N=1: a marker directly behind every operation.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: load volatile i32
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: load volatile i32
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: store volatile i32
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
