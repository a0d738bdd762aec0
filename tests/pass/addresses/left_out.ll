; What the specification leaves out is not traced: counted by name, reported once per module, never silently skipped.
; RUN: SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory,lds %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   2>%t.err | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: %FileCheck %s --check-prefix=WORD --implicit-check-not=SQTT < %t.err
; RUN: SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory,lds %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -disable-output %s \
; RUN:   2>&1 | %FileCheck %s --check-prefix=WORD --implicit-check-not=SQTT
; WORD: SQTT: warning: 6 memory operations of kinds that are not traced: llvm.amdgcn.global.load.lds (1),
; WORD-SAME: {{^}} llvm.amdgcn.image.load.1d (1), llvm.amdgcn.image.sample.1d (1), llvm.amdgcn.raw.ptr.buffer.load.lds (1),
; WORD-SAME: {{^}} llvm.amdgcn.raw.ptr.tbuffer.store (2){{$}}
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: call void @llvm.amdgcn.global.load.lds
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.load.lds
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.tbuffer.store
; CHECK-NEXT: @llvm.amdgcn.image.load.1d
; CHECK-NEXT: @llvm.amdgcn.image.sample.1d
; CHECK-NEXT: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) inreg %l, ptr addrspace(8) inreg %r, <8 x i32> inreg %image, <4 x i32> inreg %sampler) #0 {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 78, i32 0)
  %x = call float @llvm.amdgcn.image.load.1d.f32.i32(i32 1, i32 0, <8 x i32> %image, i32 0, i32 0)
  %y = call float @llvm.amdgcn.image.sample.1d.f32.f32(i32 1, float 0.0, <8 x i32> %image, <4 x i32> %sampler, i1 false, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @l(ptr addrspace(8) inreg %r) #0 {
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 78, i32 0)
  ret void
}
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.image.load.1d.f32.i32(i32, i32, <8 x i32>, i32, i32)
declare float @llvm.amdgcn.image.sample.1d.f32.f32(i32, float, <8 x i32>, <4 x i32>, i1, i32, i32)
attributes #0 = { "target-cpu"="gfx90a" }
