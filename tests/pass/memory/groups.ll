; N operations of a kind share a marker behind the last of them; a rest has one of its own, and a load and a store never share.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=2:5 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: store volatile i32 1
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
