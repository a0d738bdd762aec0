; Global and flat operations count; LDS, stack, constants, kernel arguments and GDS do not.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: load volatile i32, ptr addrspace(1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: load volatile i32, ptr %f
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: load volatile i32, ptr addrspace(2)
; CHECK: load volatile i32, ptr addrspace(3)
; CHECK: load volatile i32, ptr addrspace(4)
; CHECK: load volatile i32, ptr addrspace(5)
; CHECK: load volatile i32, ptr addrspace(6)
; CHECK: store volatile i32 1, ptr addrspace(3)
; CHECK: atomicrmw
; CHECK: store volatile i32 1, ptr addrspace(5)
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %g, ptr %f, ptr addrspace(2) %r, ptr addrspace(3) %l, ptr addrspace(4) %c, ptr addrspace(5) %s, ptr addrspace(6) %c32) #0 {
  %a = load volatile i32, ptr addrspace(1) %g
  %b = load volatile i32, ptr %f
  %d = load volatile i32, ptr addrspace(2) %r
  %e = load volatile i32, ptr addrspace(3) %l
  %h = load volatile i32, ptr addrspace(4) %c
  %i = load volatile i32, ptr addrspace(5) %s
  %j = load volatile i32, ptr addrspace(6) %c32
  store volatile i32 1, ptr addrspace(3) %l
  %m = atomicrmw add ptr addrspace(3) %l, i32 1 monotonic
  store volatile i32 1, ptr addrspace(5) %s
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
