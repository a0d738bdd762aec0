; A signal with its wait directly behind it is one barrier: one point, between the two.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @pair(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: ret void
define amdgpu_kernel void @pair() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
; Of two signals in a row the first is alone.
; CHECK-LABEL: define amdgpu_kernel void @two_signals(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: ret void
define amdgpu_kernel void @two_signals() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
; The wait of another block is no pair's.
; CHECK-LABEL: define amdgpu_kernel void @another_block(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: br label
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
define amdgpu_kernel void @another_block() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  br label %next
next:
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
attributes #0 = { "target-cpu"="gfx1201" }
