; An instrumented function and its callers lose the attributes that a marker makes untrue, so calls stay where they are.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %s | %FileCheck %s
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_SCOPE_CU=-1 %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -S -o - | %FileCheck %s --check-prefix=LOOP
target triple = "amdgcn-amd-amdhsa"

; CHECK: define i32 @pure(i32 %a) #[[PURE:[0-9]+]]
define i32 @pure(i32 %a) #0 {
  %b = mul i32 %a, %a
  %c = xor i32 %b, 77
  %d = add i32 %c, %a
  ret i32 %d
}
; CHECK: define i32 @caller(i32 %a) #[[CALLER:[0-9]+]]
; CHECK: call i32 @pure(i32 %a)
define i32 @caller(i32 %a) #0 {
  %b = call i32 @pure(i32 %a) #1
  %c = add i32 %b, 1
  ret i32 %c
}
; In the loop, not before it.
; LOOP-LABEL: {{^}}loop:
; LOOP: .LBB{{[0-9]+}}_1:
; LOOP: s_swappc_b64
; LOOP: s_cbranch
define amdgpu_kernel void @loop(ptr addrspace(1) %p, i32 %n) #2 {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %v = call i32 @pure(i32 %n) #1
  store volatile i32 %v, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}
; CHECK-NOT: memory(none)
; CHECK-NOT: speculatable
attributes #0 = { noinline nounwind speculatable willreturn memory(none) "target-cpu"="gfx1100" }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { "target-cpu"="gfx1100" }
