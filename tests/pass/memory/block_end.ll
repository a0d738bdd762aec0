; A group ends with its block: what is left has a marker there, and a branch is never crossed.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=8:99 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %a = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: br i1
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: %c = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %choice) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  br i1 %choice, label %more, label %done
more:
  %b = load volatile i32, ptr addrspace(1) %p
  br label %done
done:
  %c = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
