; A processor that the table of targets does not know is reported and never gets the immediate form.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s 2>&1 | %FileCheck %s --implicit-check-not=s_ttracedata_imm
target triple = "amdgcn-amd-amdhsa"

; CHECK: gfx1399
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
attributes #0 = { "target-cpu"="gfx1399" }
