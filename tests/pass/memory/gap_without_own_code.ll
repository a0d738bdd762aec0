; What the pass puts into the code is no gap: a group is the same with markers, scopes and barriers in it as without.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=2:1 %opt -load-pass-plugin=%plugin \
; RUN:   -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=2:1 %opt -load-pass-plugin=%plugin \
; RUN:   -passes=sqtt-o0,verify -S %s | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK-LABEL: define amdgpu_kernel void @named(
; CHECK: %a = load
; CHECK: s_ttracedata
; CHECK: s_ttracedata
; CHECK: s_ttracedata
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm {{16|20}}"
; CHECK: ret void
define amdgpu_kernel void @named(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %b = load volatile i32, ptr addrspace(1) %p
  ret void
}
; The barrier itself counts as one, its point does not.
; CHECK-LABEL: define amdgpu_kernel void @barrier(
; CHECK: %a = load
; CHECK: s_ttracedata
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm {{16|20}}"
; CHECK: ret void
define amdgpu_kernel void @barrier(ptr addrspace(1) %p) #0 {
  %a = load volatile i32, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  %b = load volatile i32, ptr addrspace(1) %p
  ret void
}
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1100" }
