; Code for SPIR-V cannot hold markers: a clear error, not a crash and not silence.
; RUN: not %opt -load-pass-plugin=%plugin -passes=sqtt-early -S %s 2>&1 | %FileCheck %s
target triple = "spirv64-amd-amdhsa"
; CHECK: error: {{.*}}sqtt: {{.*}}spirv64-amd-amdhsa
define void @f() {
  ret void
}
