; With nothing set a scope check is there: compute units 0 and 1.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %[[ID:.*]] = call i32 @llvm.amdgcn.s.getreg(i32 6807)
; CHECK-NEXT: %[[MASK:.*]] = lshr i32 3, %[[ID]]
; CHECK-NOT: getreg
; CHECK: br i1 %{{.*}}, label %[[TRACE:.*]], label %[[SKIP:[^ ,]*]]
; CHECK: [[TRACE]]:
; CHECK: s_ttracedata
; CHECK: br label %[[SKIP]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: ret void
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
