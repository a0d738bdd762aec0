; A signal that says who was first is a signal, alone or in a pair; its result is used as before.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_BARRIERS=1 %ir -mcpu=gfx1201 -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %disassemble %t.co | %FileCheck %s --check-prefix=ASM
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @pair(
; CHECK-NEXT: %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 12"
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: zext i1 %first to i32
; ASM-LABEL: <pair>:
; ASM: s_barrier_signal_isfirst -1
; ASM: s_ttracedata_imm 0xc
; ASM: s_barrier_wait
define amdgpu_kernel void @pair(ptr addrspace(1) %p) #0 {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  %number = zext i1 %first to i32
  store i32 %number, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @alone(
; CHECK-NEXT: %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: zext i1 %first to i32
; ASM-LABEL: <alone>:
; ASM: s_barrier_signal_isfirst -1
; ASM: s_ttracedata_imm 0x4
define amdgpu_kernel void @alone(ptr addrspace(1) %p) #0 {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  %number = zext i1 %first to i32
  store i32 %number, ptr addrspace(1) %p
  ret void
}
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)
attributes #0 = { "target-cpu"="gfx1201" }
