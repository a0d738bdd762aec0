; Between the phases every marker is a convergent, nomerge call: nothing can merge, hoist or duplicate it meanwhile.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,verify -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"name\00"

; CHECK-LABEL: define i32 @f(
; CHECK: call void asm sideeffect "; sqtt.{{.*}} #[[MARKER:[0-9]+]]
; CHECK: call void asm sideeffect "; sqtt.{{.*}} #[[MARKER]]
; CHECK: call void asm sideeffect "; sqtt.{{.*}} #[[MARKER]]
; CHECK-NEXT: ret i32
; CHECK: attributes #[[MARKER]] = { {{.*}}convergent{{.*}}nomerge
define i32 @f(i32 %a) #0 {
  %b = mul i32 %a, 3
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  %c = add i32 %b, 1
  ret i32 %c
}
declare void @__sqtt_named_marker_point(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
