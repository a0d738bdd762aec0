; A GPU that the table does not know gets nothing: no marker, no row, no instruction guessed; it is named once, and known functions beside it work.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_TRACE_ADDRESSES=memory SQTT_INSTRUMENT_BARRIERS=1 SQTT_SHADER_CLOCK_BITS=0 \
; RUN:   %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s -o %t.ll 2>%t.err
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=WORD --implicit-check-not=sqtt < %t.err
; WORD: warning: {{.*}}sqtt: target `gfx1399` is not known to this version: its functions get no markers
target triple = "amdgcn-amd-amdhsa"

; CHECK-NOT: F:{{[0-9]+}}:unknown
; CHECK: F:{{[0-9]+}}:known
; CHECK-NOT: K:kernel
; CHECK-LABEL: define i32 @unknown(
; CHECK-NOT: asm
; CHECK: ret i32
define i32 @unknown(ptr addrspace(1) %p) #0 {
  %v = load volatile i32, ptr addrspace(1) %p
  %w = mul i32 %v, %v
  ret i32 %w
}
; CHECK-LABEL: define amdgpu_kernel void @kernel(
; CHECK-NOT: asm
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK-NOT: asm
; CHECK: ret void
define amdgpu_kernel void @kernel() #0 {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; CHECK-LABEL: define i32 @known(
; CHECK: s_ttracedata
; CHECK: load volatile
define i32 @known(ptr addrspace(1) %p) #1 {
  %v = load volatile i32, ptr addrspace(1) %p
  %w = mul i32 %v, %v
  ret i32 %w
}
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1399" }
attributes #1 = { "target-cpu"="gfx1100" }
