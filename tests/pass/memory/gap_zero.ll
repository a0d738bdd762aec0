; M=0: any other instruction between two operations ends the group.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=2:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %a = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: %x = add i32
; CHECK: %b = load
; CHECK: %c = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %x = add i32 %a, 1
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
