; A single store between an exit and the next enter is code of no scope: two markers.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: s_ttracedata_imm 6
; CHECK: store volatile i32 1
; CHECK: s_ttracedata_imm 1
; CHECK: store volatile i32 2
; CHECK: s_ttracedata_imm 6
; CHECK: s_ttracedata_imm 1
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 2, ptr addrspace(1) %p
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
