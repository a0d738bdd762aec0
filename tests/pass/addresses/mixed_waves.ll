; Functions of both wave sizes in one module: each traces its own lanes, W is the widest, and the R rows tell them apart.
; RUN: SQTT_TRACE_ADDRESSES=memory %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: SQTT_TRACE_ADDRESSES=memory %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --match-full-lines
target triple = "amdgcn-amd-amdhsa"

;      ROWS: W:64
; ROWS-NEXT: P:1:addr_trace_load
; ROWS-NEXT: R:1:extra_payload_count=66
; ROWS-NEXT: P:2:addr_trace_load
; ROWS-NEXT: R:2:extra_payload_count=130
; ROWS-NEXT: <NUL>
; CHECK-LABEL: define i32 @narrow(
; CHECK: icmp eq i32 %{{.*}}, 32
define i32 @narrow(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @wide(
; CHECK: icmp eq i32 %{{.*}}, 64
define i32 @wide(ptr addrspace(1) %p) #1 {
  %v = load i32, ptr addrspace(1) %p
  ret i32 %v
}
attributes #0 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize32" }
attributes #1 = { "target-cpu"="gfx1100" "target-features"="-wavefrontsize32,+wavefrontsize64" }
