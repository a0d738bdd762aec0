; REQUIRES: llvm22
; The signal of a named barrier is a signal: a point behind it, or the pair's point.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"
@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 1)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: store volatile i32 1
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
attributes #0 = { "target-cpu"="gfx1250" }
