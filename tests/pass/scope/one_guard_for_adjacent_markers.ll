; Markers that stand side by side share one guard; code between them is never guarded.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"

; CHECK-LABEL: define amdgpu_kernel void @adjacent(
; CHECK: br i1
; CHECK-NOT: br
; CHECK: s_ttracedata
; CHECK-NOT: br
; CHECK: s_ttracedata
; CHECK-NOT: br
; CHECK: s_ttracedata
; CHECK-NOT: br
; CHECK: s_ttracedata
; CHECK: br label
; CHECK-NOT: s_ttracedata
; CHECK: ret void
define amdgpu_kernel void @adjacent() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.ttracedata(i32 24)
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}

; CHECK-LABEL: define amdgpu_kernel void @apart(
; CHECK: br i1
; CHECK: s_ttracedata
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: store volatile i32 1
; CHECK: br i1
; CHECK: s_ttracedata
; CHECK: br label
; CHECK: ret void
define amdgpu_kernel void @apart(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 24)
  ret void
}
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.sched.barrier(i32)
attributes #0 = { "target-cpu"="gfx1100" }
