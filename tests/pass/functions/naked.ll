; A naked function has no frame to put anything in: it gets no marker, no scope check and no row.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-NOT: F:{{[0-9]+}}:bare
; CHECK-LABEL: define void @bare(
; CHECK-NEXT: call void asm sideeffect "s_nop 1", ""()
; CHECK-NEXT: call void asm sideeffect "s_nop 2", ""()
; CHECK-NEXT: call void asm sideeffect "s_setpc_b64 s[30:31]", ""()
; CHECK-NEXT: unreachable
define void @bare() #0 {
  call void asm sideeffect "s_nop 1", ""()
  call void asm sideeffect "s_nop 2", ""()
  call void asm sideeffect "s_setpc_b64 s[30:31]", ""()
  unreachable
}
attributes #0 = { naked noinline "target-cpu"="gfx1100" }
