; An atomic load of a buffer is a buffer load; its descriptor is the first argument.
; RUN: SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none SQTT_TRACE_ADDRESSES=memory %opt -load-pass-plugin=%plugin \
; RUN:   -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s
; RUN: SQTT_TRACE_ADDRESSES=memory %ir -mcpu=gfx942 -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --match-full-lines
target triple = "amdgcn-amd-amdhsa"

;      ROWS: W:64
; ROWS-NEXT: P:1:addr_trace_buffer_load
; ROWS-NEXT: R:1:extra_payload_count=69
; ROWS-NEXT: <NUL>
; CHECK-LABEL: define i32 @f(
; CHECK: ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK: call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(
define i32 @f(ptr addrspace(8) inreg %rsrc, i32 %voffset) #0 {
  %r = call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8) %rsrc, i32 %voffset, i32 0, i32 1)
  ret i32 %r
}
declare i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
attributes #0 = { "target-cpu"="gfx942" }
