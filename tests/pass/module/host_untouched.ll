; A module for another processor is left as it is, even with the plugin's settings and calls of its names in it.
; RUN: %opt -S %s -o %t.1
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,sqtt-o0 -S %s -o %t.2
; RUN: cmp %t.1 %t.2
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %clang -Wno-override-module -O2 -S -emit-llvm -fpass-plugin=%plugin -x ir %s -o - \
; RUN:   | %FileCheck %s
target triple = "x86_64-pc-linux-gnu"
@name = private unnamed_addr constant [5 x i8] c"name\00"

; CHECK-NOT: sqtt_funcmap
; CHECK: call void @__sqtt_named_marker_point
define i32 @f(i32 %a) #0 {
  %b = mul i32 %a, 3
  call void @__sqtt_named_marker_point(ptr @name)
  %c = add i32 %b, 1
  ret i32 %c
}
declare void @__sqtt_named_marker_point(ptr)
attributes #0 = { "target-cpu"="x86-64" }
