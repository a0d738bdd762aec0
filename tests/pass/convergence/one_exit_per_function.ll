; A function with several returns gets one exit: a wave whose lanes take different returns pops its scope once.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=2 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=2 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define i32 @several(
; CHECK: s_ttracedata_imm
; CHECK-NOT: ret i32
; CHECK: s_ttracedata_imm
; CHECK-NEXT: fence
; CHECK-NEXT: asm sideeffect "", ""()
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: asm sideeffect "", ""()
; CHECK-NEXT: ret i32
; CHECK-NEXT: }
define i32 @several(i32 %a, ptr addrspace(1) %p) #0 {
entry:
  switch i32 %a, label %other [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  store i32 1, ptr addrspace(1) %p
  ret i32 10
two:
  store i32 2, ptr addrspace(1) %p
  ret i32 20
other:
  store i32 3, ptr addrspace(1) %p
  ret i32 %a
}

; CHECK-LABEL: define void @nothing(
; CHECK: s_ttracedata_imm
; CHECK: s_ttracedata_imm
; CHECK: ret void
; CHECK-NEXT: }
define void @nothing(i32 %a, ptr addrspace(1) %p) #0 {
entry:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %early, label %late
early:
  ret void
late:
  store i32 3, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
