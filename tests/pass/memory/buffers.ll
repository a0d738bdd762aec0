; Raw and struct buffer operations count, legacy and pointer descriptors, plain, formatted and to LDS; scalar ones do not.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: @llvm.amdgcn.raw.buffer.load
; CHECK: {{s_ttracedata.*i32 4}}
; CHECK: @llvm.amdgcn.struct.ptr.buffer.load
; CHECK: {{s_ttracedata.*i32 4}}
; CHECK: @llvm.amdgcn.raw.ptr.buffer.load.format
; CHECK: {{s_ttracedata.*i32 4}}
; CHECK: @llvm.amdgcn.raw.ptr.buffer.load.lds
; CHECK: {{s_ttracedata.*i32 4}}
; CHECK: @llvm.amdgcn.raw.ptr.buffer.store
; CHECK: {{s_ttracedata.*i32 8}}
; CHECK: @llvm.amdgcn.struct.buffer.store
; CHECK: {{s_ttracedata.*i32 8}}
; CHECK: @llvm.amdgcn.raw.ptr.buffer.atomic.add
; CHECK: {{s_ttracedata.*i32 8}}
; CHECK: @llvm.amdgcn.struct.buffer.atomic.cmpswap
; CHECK: {{s_ttracedata.*i32 8}}
; CHECK: @llvm.amdgcn.s.buffer.load
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(8) inreg %rp, <4 x i32> inreg %rv, ptr addrspace(3) inreg %l, i32 %vo) #0 {
  %a = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %rv, i32 %vo, i32 0, i32 0)
  %b = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %rp, i32 %vo, i32 %vo, i32 0, i32 0)
  %c = call float @llvm.amdgcn.raw.ptr.buffer.load.format.f32(ptr addrspace(8) %rp, i32 %vo, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %rp, ptr addrspace(3) %l, i32 4, i32 %vo, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %a, ptr addrspace(8) %rp, i32 %vo, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.i32(i32 %b, <4 x i32> %rv, i32 %vo, i32 %vo, i32 4, i32 0)
  %d = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %a, ptr addrspace(8) %rp, i32 %vo, i32 0, i32 0)
  %e = call i32 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i32(i32 %a, i32 %b, <4 x i32> %rv, i32 %vo, i32 %vo, i32 0, i32 0)
  %f = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %rv, i32 0, i32 0)
  ret void
}
declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.raw.ptr.buffer.load.format.f32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i32(i32, i32, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32)
attributes #0 = { "target-cpu"="gfx90a" }
