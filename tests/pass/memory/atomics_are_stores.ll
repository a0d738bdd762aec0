; Atomics are stores: they share the store marker and end a group of loads.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=2:9 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %a = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: atomicrmw add
; CHECK: store volatile
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: cmpxchg
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: load atomic
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store volatile i32 1, ptr addrspace(1) %p
  %c = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
  %d = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
