; Under scope filtering the point of a barrier is pinned to it: a scheduling barrier heads the skip block.
; RUN: SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @full(
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: ret void
define amdgpu_kernel void @full() #0 {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @pair(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
define amdgpu_kernel void @pair() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
; A lone signal is pinned only when a synchronization follows it.
; CHECK-LABEL: define amdgpu_kernel void @signal(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: store volatile i32 1
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: br label %[[WAIT:.*]]
; CHECK: [[WAIT]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
define amdgpu_kernel void @signal(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @signal_before_fence(
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: br label %[[SKIP:.*]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: fence syncscope("workgroup") acquire
define amdgpu_kernel void @signal_before_fence() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  fence syncscope("workgroup") acquire
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
attributes #0 = { "target-cpu"="gfx1201" }
