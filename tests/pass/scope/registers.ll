; Each mask is tested against its own field of the hardware id register of the target, read once.
; RUN: check() { sed "s/@CPU@/$1/" %s > %t.ll; \
; RUN:   env SQTT_SCOPE_CU=-1 "$2" %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %t.ll > %t.out; \
; RUN:   %FileCheck %s -DIMM=$3 --implicit-check-not=s.getreg < %t.out; }; \
; RUN: for cpu in gfx900 gfx90a gfx942 gfx9-generic; do \
; RUN:   check $cpu SQTT_SCOPE_WAVE=1 6148; check $cpu SQTT_SCOPE_SIMD=1 2308; \
; RUN:   check $cpu SQTT_SCOPE_CU=1 6660; check $cpu SQTT_SCOPE_WG=1 7172; done; \
; RUN: for cpu in gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201 gfx11-generic; do \
; RUN:   check $cpu SQTT_SCOPE_WAVE=1 8215; check $cpu SQTT_SCOPE_SIMD=1 2583; \
; RUN:   check $cpu SQTT_SCOPE_CU=1 6807; check $cpu SQTT_SCOPE_WG=1 9240; done
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 [[IMM]])
; CHECK: br i1
; CHECK: s_ttracedata
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
; CHECK: declare {{.*}}@llvm.amdgcn.s.getreg(
attributes #0 = { "target-cpu"="@CPU@" }
