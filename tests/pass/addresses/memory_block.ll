; The records of a 64-bit address: header, EXEC, then in a loop over all lanes the low and the high half; all before the operation.
; RUN: SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='fence syncscope' \
; RUN:     --implicit-check-not='call void @llvm.amdgcn.sched.barrier' --implicit-check-not='br i1'
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: call void asm sideeffect "s_ttracedata_imm 4"
; CHECK: asm sideeffect "s_mov_b32 m0, exec_lo\0A\09s_nop 0\0A\09s_ttracedata\0A\09s_mov_b32 m0, exec_hi\0A\09s_nop 0\0A\09s_ttracedata", "={m0}"()
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: %[[LOW:.*]] = trunc i64 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i64 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i64 %[[SHIFTED]] to i32
; CHECK: %[[LOW_OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[LOW]])
; CHECK: %[[HIGH_OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[HIGH]])
; CHECK: [[LOOP:.*]]: {{.*}}preds
; CHECK: %[[LANE:.*]] = phi i32 [ 0, {{.*}} ], [ %[[NEXT:.*]], %[[LOOP]] ]
; CHECK: %[[A:.*]] = call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[LOW_OPAQUE]], i32 %[[LANE]])
; CHECK: s_ttracedata", "={m0},s"(i32 %[[A]])
; CHECK: %[[B:.*]] = call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[HIGH_OPAQUE]], i32 %[[LANE]])
; CHECK: s_ttracedata", "={m0},s"(i32 %[[B]])
; CHECK: %[[NEXT]] = add i32 %[[LANE]], 1
; CHECK: %[[DONE:.*]] = icmp eq i32 %[[NEXT]], 64
; CHECK: br i1 %[[DONE]], label %[[AFTER:.*]], label %[[LOOP]], !llvm.loop ![[#ID:]]
; CHECK: [[AFTER]]:
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: load volatile i32, ptr addrspace(1) %p
; CHECK-NEXT: ret void
; CHECK: ![[#ID]] = distinct !{![[#ID]], ![[#NO:]]}
; CHECK: ![[#NO]] = !{!"llvm.loop.unroll.disable"}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %v = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize64" }
