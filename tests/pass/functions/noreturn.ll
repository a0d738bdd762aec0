; A function that never returns gets an enter and no exit.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define void @stop(
; CHECK: s_ttracedata_imm
; CHECK: unreachable
define void @stop(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.trap()
  unreachable
}
declare void @llvm.trap()
attributes #0 = { noreturn "target-cpu"="gfx1100" }
