; A mask of -1, or with all the field's bits, tests nothing; when all are so, there is no check and no branch.
; RUN: for cu in -1 0xffffffff 0xffff 4294967295; do \
; RUN:   SQTT_SCOPE_CU=$cu %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s; done
; RUN: SQTT_SCOPE_CU=-1 SQTT_SCOPE_WAVE=-1 SQTT_SCOPE_SIMD=-1 SQTT_SCOPE_WG=-1 \
; RUN:   %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
; RUN: SQTT_SCOPE_CU=-1 SQTT_SCOPE_WAVE=0xffffffff SQTT_SCOPE_SIMD=0xf SQTT_SCOPE_WG=0xffffffff \
; RUN:   %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NOT: getreg
; CHECK-NOT: br
; CHECK: s_ttracedata
; CHECK-NOT: br
; CHECK: ret void
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
