; SQTT_MEM_BARRIER=none: only the two scheduling barriers stand around a marker.
; RUN: for mode in none 0 off Off; do \
; RUN:   SQTT_MEM_BARRIER=$mode SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s \
; RUN:   | %FileCheck %s --implicit-check-not='fence syncscope' --implicit-check-not='~{memory}'; done
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: store volatile i32 1
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call i32 asm sideeffect "{{[^"]*}}s_ttracedata
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: store volatile i32 2
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
