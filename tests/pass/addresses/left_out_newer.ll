; REQUIRES: llvm22
; So are the kinds of gfx1250: loads to LDS, transposed loads, cluster loads, tensor copies.
; RUN: SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory,lds %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   2>%t.err | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: %FileCheck %s --check-prefix=WORD --implicit-check-not=SQTT < %t.err
; WORD: SQTT: warning: 5 memory operations of kinds that are not traced:
; WORD-SAME: llvm.amdgcn.cluster.load.b32 (1)
; WORD-SAME: llvm.amdgcn.global.load.async.to.lds.b32 (1)
; WORD-SAME: llvm.amdgcn.global.load.tr.b64 (1)
; WORD-SAME: llvm.amdgcn.load.to.lds (1)
; WORD-SAME: llvm.amdgcn.tensor.load.to.lds (1)
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) inreg %l, <4 x i32> inreg %d4, <8 x i32> inreg %d8) #0 {
  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  %t = call <2 x i32> @llvm.amdgcn.global.load.tr.b64.v2i32(ptr addrspace(1) %p)
  %c = call i32 @llvm.amdgcn.cluster.load.b32.i32(ptr addrspace(1) %p, i32 0, i32 0)
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %d4, <8 x i32> %d8, <4 x i32> %d4, <4 x i32> %d4, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1250" }
