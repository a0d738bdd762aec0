; A data marker's two records share one guard and one pair of boundaries, and nothing lies between them.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='fence syncscope' --implicit-check-not='br i1'
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --check-prefix=PLAIN --implicit-check-not=s_ttracedata --implicit-check-not='fence syncscope' \
; RUN:     --implicit-check-not='br i1' --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: br i1
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: call void asm sideeffect "s_ttracedata_imm 4"
; CHECK-NEXT: %[[WORD:.*]] = call i32 @llvm.amdgcn.readfirstlane
; CHECK-NEXT: {{.*}}call i32 asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 0\0A\09s_ttracedata", "={m0},s"(i32 %[[WORD]])
; CHECK-NEXT: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: br label
; PLAIN-LABEL: define amdgpu_kernel void @k(
; PLAIN: call void @llvm.amdgcn.sched.barrier(i32 0)
; PLAIN: fence syncscope("workgroup") acq_rel
; PLAIN-NEXT: call void asm sideeffect "s_ttracedata_imm 4"
; PLAIN-NEXT: {{.*}}call i32 @llvm.amdgcn.readfirstlane
; PLAIN-NEXT: {{.*}}"={m0},s"
; PLAIN-NEXT: fence syncscope("workgroup") acq_rel
; PLAIN-NEXT: call void asm sideeffect "", ""()
; PLAIN-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
define amdgpu_kernel void @k(i32 %v) #0 {
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)
  ret void
}
declare void @__sqtt_named_marker_data(ptr, i32)
attributes #0 = { "target-cpu"="gfx1100" }
