; A setting that device code cannot have yet does not stop the host's half of a compile.
; RUN: SQTT_INSTRUMENT_BARRIERS=1 %clang -O2 -S -emit-llvm -fpass-plugin=%plugin -x ir %s -o - | %FileCheck %s
target triple = "x86_64-pc-linux-gnu"
; CHECK: define void @f
define void @f() {
  ret void
}
