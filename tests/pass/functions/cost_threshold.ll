; cost:N weighs: matrix operations 16, LDS 4, other memory 10, LDS intrinsics 4, lifetime marks 0, the rest 1.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=cost:46 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=OUT
; RUN: SQTT_INSTRUMENT_FUNCTIONS=cost:45 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=IN
; RUN: SQTT_INSTRUMENT_FUNCTIONS=7 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=OUT
; RUN: SQTT_INSTRUMENT_FUNCTIONS=6 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=IN
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global i32 poison

; load 10 + store LDS 4 + mfma 16 + ds.bpermute 4 + add 1 + store 10 + ret 1 = 46; 7 instructions.
; OUT-NOT: s_ttracedata
; OUT-LABEL: define void @weighed(
; OUT-NOT: s_ttracedata
; IN: F:1:weighed
; IN-LABEL: define void @weighed(
; IN: s_ttracedata
define void @weighed(ptr addrspace(1) %p, float %a, <4 x float> %c, ptr addrspace(1) %q) #0 {
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(3) @lds
  %m = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %a, float %a, <4 x float> %c, i32 0, i32 0, i32 0)
  %b = call i32 @llvm.amdgcn.ds.bpermute(i32 %v, i32 %v)
  %s = add i32 %b, %v
  store i32 %s, ptr addrspace(1) %p
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
attributes #0 = { "target-cpu"="gfx90a" }
