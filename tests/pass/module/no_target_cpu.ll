; A function that does not say what processor it is for is left as it is.
; RUN: %opt -S %s -o %t.1
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s -o %t.2
; RUN: cmp %t.1 %t.2
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s -o %t.3
; RUN: cmp %t.1 %t.3
target triple = "amdgcn-amd-amdhsa"

define i32 @f(i32 %a) {
  %b = mul i32 %a, 3
  call void @llvm.amdgcn.s.ttracedata(i32 5)
  %c = add i32 %b, 1
  ret i32 %c
}
define amdgpu_kernel void @k() {
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
