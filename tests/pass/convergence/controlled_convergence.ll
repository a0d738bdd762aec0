; In a function with convergence-control tokens the markers have tokens too, else the module is invalid.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,verify,sqtt-late,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"name\00"

; CHECK-LABEL: define i32 @f(
; CHECK: s_ttracedata_imm
; CHECK: s_ttracedata_imm
; CHECK: s_ttracedata_imm
; CHECK: ret i32
define i32 @f(i32 %a) #0 {
  %token = call token @llvm.experimental.convergence.entry()
  %b = call i32 @g(i32 %a) [ "convergencectrl"(token %token) ]
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @name to ptr)) [ "convergencectrl"(token %token) ]
  %c = add i32 %b, 1
  ret i32 %c
}
declare i32 @g(i32) #1
declare void @__sqtt_named_marker_point(ptr) #1
declare token @llvm.experimental.convergence.entry()
attributes #0 = { convergent "target-cpu"="gfx1100" }
attributes #1 = { convergent }
