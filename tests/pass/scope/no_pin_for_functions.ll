; The exit of a function right before a barrier is not pinned: only markers of the user's are.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,inline,sqtt-late -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=sched.barrier
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @caller(
; CHECK: s_ttracedata
; CHECK: store volatile
; CHECK: s_ttracedata
; CHECK: call void @llvm.amdgcn.s.barrier()
define internal void @work(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @caller(ptr addrspace(1) %p) #0 {
  call void @work(ptr addrspace(1) %p)
  call void @llvm.amdgcn.s.barrier()
  ret void
}
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1100" }
