; A packed header is the clock in the high bits over the marker's word: id, enter, exit.
; RUN: SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"

; getreg: size-1 = 11 in bits 15:11, offset 4 in bits 10:6, register 29 in bits 5:0: 22813.
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %[[C1:.*]] = call i32 @llvm.amdgcn.s.getreg(i32 22813)
; CHECK-NEXT: %[[H1:.*]] = shl i32 %[[C1]], 20
; CHECK-NEXT: %[[W1:.*]] = or i32 %[[H1]], 6
; CHECK-NEXT: {{.*}}"s_mov_b32 m0, $1\0A\09s_nop 0\0A\09s_ttracedata", "={m0},s"(i32 %[[W1]])
; CHECK: %[[C2:.*]] = call i32 @llvm.amdgcn.s.getreg(i32 22813)
; CHECK: or i32 %{{.*}}, 11
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 22813)
; CHECK: or i32 %{{.*}}, 1{{$}}
; CHECK-NEXT: {{.*}}s_ttracedata
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
attributes #0 = { "target-cpu"="gfx1201" }
