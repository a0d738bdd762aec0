; M other instructions between two operations are allowed, M+1 end the group; the count starts anew at each operation.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=4:2 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @two(
; CHECK: %a = load
; CHECK: %b = load
; CHECK: %c = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @two(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %x1 = add i32 %a, 1
  %x2 = add i32 %x1, 1
  %b = load volatile i32, ptr addrspace(1) %p
  %x3 = add i32 %b, 1
  %x4 = add i32 %x3, 1
  %c = load volatile i32, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @three(
; CHECK: %a = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @three(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  %x1 = add i32 %a, 1
  %x2 = add i32 %x1, 1
  %x3 = add i32 %x2, 1
  %b = load volatile i32, ptr addrspace(1) %p
  ret void
}
; LDS operations are other instructions.
; CHECK-LABEL: define amdgpu_kernel void @lds_between(
; CHECK: %a = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @lds_between(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(3) %l
  store volatile i32 2, ptr addrspace(3) %l
  store volatile i32 3, ptr addrspace(3) %l
  %b = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
