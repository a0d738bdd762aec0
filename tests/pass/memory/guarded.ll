; A memory marker is guarded like the others; the operation stands outside, and a marker in front shares no guard across it.
; RUN: SQTT_INSTRUMENT_MEMORY=1:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='br i1' \
; RUN:     --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: br i1
; CHECK: asm sideeffect "s_ttracedata_imm 6"
; CHECK: br label %[[LOAD:.*]]
; CHECK: [[LOAD]]:
; CHECK-NEXT: %v = load volatile
; CHECK-NEXT: %[[CHECK:.*]] = call i32 @llvm.annotation.i32.p0(i32 %
; CHECK-NEXT: %[[IN:.*]] = icmp ne i32 %[[CHECK]], 0
; CHECK-NEXT: br i1 %[[IN]]
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: asm sideeffect "s_ttracedata_imm 1"
; CHECK: br label
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %v = load volatile i32, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
