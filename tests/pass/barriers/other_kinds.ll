; REQUIRES: llvm22
; Barriers of kinds that the specification does not name get no point: they are counted and reported once per module.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   2>%t.err | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: %FileCheck %s --check-prefix=WORD --implicit-check-not=SQTT < %t.err
; Nobody asked for barriers: not a word.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -disable-output %s 2>&1 | count 0
; WORD: SQTT: warning: 5 barriers of kinds that are not traced:
; WORD-SAME: llvm.amdgcn.s.barrier.init (1)
; WORD-SAME: llvm.amdgcn.s.barrier.join (2)
; WORD-SAME: llvm.amdgcn.s.barrier.leave (1)
; WORD-SAME: llvm.amdgcn.s.cluster.barrier (1)
target triple = "amdgcn-amd-amdhsa"
@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.init(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.join(
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.leave(
; CHECK-NEXT: call void @llvm.amdgcn.s.cluster.barrier()
; CHECK-NEXT: ret void
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 3)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.leave(i16 1)
  call void @llvm.amdgcn.s.cluster.barrier()
  ret void
}
define amdgpu_kernel void @l() #0 {
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.leave(i16)
declare void @llvm.amdgcn.s.cluster.barrier()
attributes #0 = { "target-cpu"="gfx1250" }
