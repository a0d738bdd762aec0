; Markers in a function with a musttail call: the call stays in front of its return.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,verify,sqtt-late,verify -S %s | %FileCheck %s
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"name\00"

; CHECK-LABEL: define i32 @tail(
; CHECK: musttail call i32 @target(
; CHECK-NEXT: ret i32
define i32 @tail(i32 %a) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  %r = musttail call i32 @target(i32 %a)
  ret i32 %r
no:
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  ret i32 5
}
declare i32 @target(i32) #0
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
