; REQUIRES: llvm22
; ds_bpermute_fi_b32 is traced as ds_bpermute.
; RUN: SQTT_TRACE_ADDRESSES=lds %ir -mcpu=gfx1201 -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --match-full-lines --check-prefix=ROWS
; RUN: %disassemble %t.co | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

;      ROWS: K:k
; ROWS-NEXT: W:32
; ROWS-NEXT: P:1:addr_trace_ds_bpermute
; ROWS-NEXT: R:1:extra_payload_count=34
; ROWS-NEXT: <NUL>
; CHECK-DAG: s_ttracedata_imm 0x4
; CHECK-DAG: v_readlane_b32
; CHECK-DAG: ds_bpermute_fi_b32
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %value) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %index = shl i32 %lane, 3
  %a = call i32 @llvm.amdgcn.ds.bpermute.fi.b32(i32 %index, i32 %value)
  store i32 %a, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.bpermute.fi.b32(i32, i32)
attributes #0 = { "target-cpu"="gfx1201" }
