; A signal whose wait is not directly behind it has its point behind, and the wait its own in front.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @apart(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: store volatile i32 1
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: ret void
define amdgpu_kernel void @apart(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @signal_only(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @signal_only() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @wait_only(
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: ret void
define amdgpu_kernel void @wait_only() #0 {
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
attributes #0 = { "target-cpu"="gfx1201" }
