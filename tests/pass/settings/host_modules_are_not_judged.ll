; What is wrong with the settings for device code is said by the device's half of a compile, once, and not by the host's.
; RUN: SQTT_INSTRUMENT_BARRIERS=1 SQTT_SCOPE_CU=zzz %clang -O2 -S -emit-llvm -fpass-plugin=%plugin -x ir %s -o - 2>&1 \
; RUN:   | %FileCheck %s --implicit-check-not=SQTT --implicit-check-not=sqtt:
target triple = "x86_64-pc-linux-gnu"
; CHECK: define void @f
define void @f() {
  ret void
}
