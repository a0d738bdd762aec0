; A function is instrumented when it has more instructions than the threshold; phi, alloca and unreachable do not count.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=5 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=OUT
; RUN: SQTT_INSTRUMENT_FUNCTIONS=4 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=IN
; RUN: SQTT_INSTRUMENT_FUNCTIONS=5 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s | %FileCheck %s --check-prefix=OUT
; RUN: SQTT_INSTRUMENT_FUNCTIONS=4 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s | %FileCheck %s --check-prefix=IN
; RUN: SQTT_INSTRUMENT_FUNCTIONS=0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=OUT
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefix=OUT
target triple = "amdgcn-amd-amdhsa"

; Five that count: br, add, icmp, br, ret.
; OUT-NOT: s_ttracedata
; OUT-LABEL: define i32 @five(
; OUT-NOT: s_ttracedata
; IN: F:1:five
; IN-LABEL: define i32 @five(
; IN: s_ttracedata_imm
; IN: s_ttracedata_imm
define i32 @five(i32 %n) #0 {
entry:
  %slot = alloca i32, addrspace(5)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %next
}
attributes #0 = { "target-cpu"="gfx1100" }
