; Operations that the specification leaves out get no marker: they are counted by name and reported once per module.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   2>%t.err | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: %FileCheck %s --check-prefix=WORD --implicit-check-not=SQTT < %t.err
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -disable-output %s 2>&1 | count 0
; WORD: SQTT: warning: 5 memory operations of kinds that are not traced: llvm.amdgcn.global.load.lds (1),
; WORD-SAME: {{^}} llvm.amdgcn.image.load.1d (1), llvm.amdgcn.raw.ptr.tbuffer.store (1), llvm.memcpy (2){{$}}
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: store volatile i32 1
; CHECK: asm sideeffect "{{.*}}s_ttracedata
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) inreg %l, ptr addrspace(8) inreg %r, <8 x i32> inreg %image) #0 {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 78, i32 0)
  %x = call float @llvm.amdgcn.image.load.1d.f32.i32(i32 1, i32 0, <8 x i32> %image, i32 0, i32 0)
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %p, ptr addrspace(3) %l, i64 64, i1 false)
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @l(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 64, i1 false)
  ret void
}
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.image.load.1d.f32.i32(i32, i32, <8 x i32>, i32, i32)
declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
attributes #0 = { "target-cpu"="gfx90a" }
