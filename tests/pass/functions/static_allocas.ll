; Allocas of the entry block stay static: the scope check and the enter marker go after them.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s | %FileCheck %s
; RUN: for level in 0 2; do SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O$level -fpass-plugin=%plugin %s -S -o - | %FileCheck %s --check-prefix=ASM; done
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define i32 @f(
; CHECK-NOT: call
; CHECK: %one = alloca
; CHECK-NOT: call
; CHECK: %two = alloca
; CHECK: @llvm.amdgcn.s.getreg
; CHECK: s_ttracedata
define i32 @f(i32 %n) #0 {
entry:
  %one = alloca [8 x i32], align 4, addrspace(5)
  %two = alloca [8 x i32], align 4, addrspace(5)
  %g = getelementptr [8 x i32], ptr addrspace(5) %one, i32 0, i32 %n
  store volatile i32 5, ptr addrspace(5) %g
  %h = getelementptr [8 x i32], ptr addrspace(5) %two, i32 0, i32 %n
  store volatile i32 6, ptr addrspace(5) %h
  %l = load volatile i32, ptr addrspace(5) %g
  ret i32 %l
}
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NOT: call
; CHECK: %array = alloca
; CHECK: @llvm.amdgcn.s.getreg
; CHECK: s_ttracedata
; ASM: .amdhsa_kernel k
; ASM: .amdhsa_uses_dynamic_stack 0
define amdgpu_kernel void @k(i32 %n) #0 {
entry:
  %array = alloca [16 x i32], align 4, addrspace(5)
  %g = getelementptr [16 x i32], ptr addrspace(5) %array, i32 0, i32 %n
  store volatile i32 5, ptr addrspace(5) %g
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
attributes #0 = { noinline "target-cpu"="gfx1100" }
