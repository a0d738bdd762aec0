; A module for amdgcnspirv stops the compile with a word on why: it has no target yet, so no marker could be right.
; RUN: for passes in sqtt-early,sqtt-late sqtt-o0; do status=0; \
; RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=$passes -S %s -o %t.ll 2>%t.err || status=$?; \
; RUN:   test $status = 1; %FileCheck %s --implicit-check-not=PLEASE --implicit-check-not=Stack < %t.err; done
target triple = "spirv64-amd-amdhsa"

; CHECK: error: sqtt: {{.*}}spirv64-amd-amdhsa
define spir_kernel void @k() {
  ret void
}
