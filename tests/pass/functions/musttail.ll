; A function with a musttail call cannot have an exit before it, so it gets no markers.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-NOT: F:{{[0-9]+}}:tail
; CHECK-LABEL: define i32 @target(
; CHECK: s_ttracedata
; CHECK-LABEL: define i32 @tail(
; CHECK-NOT: s_ttracedata
; CHECK: }
define i32 @target(i32 %a) #0 {
  %b = mul i32 %a, 7
  %c = add i32 %b, 7
  ret i32 %c
}
define i32 @tail(i32 %a) #0 {
  %b = add i32 %a, 1
  %r = musttail call i32 @target(i32 %b)
  ret i32 %r
}
attributes #0 = { "target-cpu"="gfx1100" }
