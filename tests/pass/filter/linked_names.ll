; C names and names that do not demangle are matched as they are; `__ockl_*` keeps a device library out.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_EXCLUDE='__ockl_*,_Zbroken' %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --match-full-lines
target triple = "amdgcn-amd-amdhsa"

;      CHECK: F:1:plain_c
; CHECK-NEXT: <NUL>
define i32 @plain_c(i32 %a) #0 {
  %b = mul i32 %a, %a
  %c = udiv i32 %b, 3
  ret i32 %c
}
define i32 @__ockl_helper(i32 %a) #0 {
  %b = mul i32 %a, %a
  %c = udiv i32 %b, 3
  ret i32 %c
}
define i32 @_Zbroken(i32 %a) #0 {
  %b = mul i32 %a, %a
  %c = udiv i32 %b, 3
  ret i32 %c
}
attributes #0 = { noinline "target-cpu"="gfx1100" }
