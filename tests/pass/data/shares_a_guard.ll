; A data marker beside other markers is in their guard; the order of the records stays that of the source.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='br i1'
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: br i1
; CHECK: asm sideeffect "s_ttracedata_imm 6"
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK-NEXT: {{.*}}s_ttracedata{{.*}}(i32 77)
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK-NEXT: {{.*}}s_ttracedata{{.*}}(i32 78)
; CHECK: asm sideeffect "s_ttracedata_imm 1"
; CHECK: br label
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @b to ptr), i32 77)
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @b to ptr), i32 78)
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
attributes #0 = { "target-cpu"="gfx1100" }
