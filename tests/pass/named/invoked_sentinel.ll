; A sentinel that is invoked becomes a marker and a branch to where the invoke goes on.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-o0,verify -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@s = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK: U:1:a
; CHECK: s_ttracedata_imm 6
; CHECK: br label %ok
; CHECK: s_ttracedata_imm 1
define amdgpu_kernel void @k() #0 personality ptr @personality {
  invoke void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @s to ptr)) to label %ok unwind label %pad
ok:
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @s to ptr))
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  unreachable
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare i32 @personality(...)
attributes #0 = { "target-cpu"="gfx1100" }
