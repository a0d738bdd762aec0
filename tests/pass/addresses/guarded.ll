; Under scope filtering one guard is around the whole block, header to last lane, and the operation is outside.
; RUN: SQTT_TRACE_ADDRESSES=memory %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='br i1' --implicit-check-not='fence syncscope' \
; RUN:     --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: br i1 %{{.*}}, label %[[TRACE:.*]], label %[[SKIP:[^ ]*]]
; CHECK: [[TRACE]]:
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: exec_lo{{.*}}s_ttracedata{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: [[LOOP:.*]]: {{.*}}preds
; CHECK: s_ttracedata
; CHECK: s_ttracedata
; CHECK: br i1 %{{.*}}, label %[[AFTER:.*]], label %[[LOOP]], !llvm.loop
; CHECK: [[AFTER]]:
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: br label %[[SKIP]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: store volatile i32 1
; CHECK-NEXT: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
; A marker beside it has a guard and boundaries of its own.
; CHECK-LABEL: define amdgpu_kernel void @beside(
; CHECK: br i1
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: asm sideeffect "s_ttracedata_imm 6"
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: br i1
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: exec_lo{{.*}}s_ttracedata{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: s_ttracedata
; CHECK: s_ttracedata
; CHECK: br i1
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: store volatile i32 2
; CHECK: br i1
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: asm sideeffect "s_ttracedata_imm 1"
; CHECK: fence syncscope("workgroup") acq_rel
define amdgpu_kernel void @beside(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 2, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
