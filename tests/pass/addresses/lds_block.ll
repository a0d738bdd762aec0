; The records of an LDS address: header, EXEC, then per lane the 32-bit address; of a permutation: the index.
; RUN: SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none SQTT_TRACE_ADDRESSES=lds %opt -load-pass-plugin=%plugin \
; RUN:   -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @store(
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(3) %l to i32
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[BITS]])
; CHECK: %[[A:.*]] = call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK: s_ttracedata", "={m0},s"(i32 %[[A]])
; CHECK: icmp eq i32 %{{.*}}, 32
; CHECK: store volatile i32 1, ptr addrspace(3) %l
define amdgpu_kernel void @store(ptr addrspace(3) %l) #0 {
  store volatile i32 1, ptr addrspace(3) %l
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @permute(
; CHECK: asm sideeffect "s_ttracedata_imm 8"
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: %[[A:.*]] = call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK: s_ttracedata", "={m0},s"(i32 %[[A]])
; CHECK: call i32 @llvm.amdgcn.ds.permute(i32 %index, i32 %value)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: %[[B:.*]] = call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK: s_ttracedata", "={m0},s"(i32 %[[B]])
; CHECK: call i32 @llvm.amdgcn.ds.bpermute(i32 %index, i32 %value)
define amdgpu_kernel void @permute(i32 %index, i32 %value) #0 {
  %a = call i32 @llvm.amdgcn.ds.permute(i32 %index, i32 %value)
  %b = call i32 @llvm.amdgcn.ds.bpermute(i32 %index, i32 %value)
  ret void
}
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
attributes #0 = { "target-cpu"="gfx1100" }
