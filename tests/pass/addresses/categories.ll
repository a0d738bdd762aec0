; `memory` and `lds` each trace their own kinds; other address spaces belong to none.
; RUN: for value in memory ' memory,'; do SQTT_TRACE_ADDRESSES="$value" %ir -mcpu=gfx1100 -O1 -fpass-plugin=%plugin %s -o %t.co; \
; RUN:   %rows %t.co | %FileCheck %s --check-prefix=MEMORY --match-full-lines; done
; RUN: SQTT_TRACE_ADDRESSES=lds %ir -mcpu=gfx1100 -O1 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=LDS --match-full-lines
; RUN: for value in 'memory,lds' 'lds, memory'; do SQTT_TRACE_ADDRESSES="$value" %ir -mcpu=gfx1100 -O1 -fpass-plugin=%plugin %s -o %t.co; \
; RUN:   %rows %t.co | %FileCheck %s --check-prefix=BOTH --match-full-lines; done
; RUN: SQTT_TRACE_ADDRESSES= %ir -mcpu=gfx1100 -O1 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=OFF --match-full-lines
; An unknown category is warned about; the good ones stay.
; RUN: SQTT_TRACE_ADDRESSES='lds,scratch' %ir -mcpu=gfx1100 -O1 -fpass-plugin=%plugin %s -o %t.co 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=WORD --match-full-lines
; RUN: %rows %t.co | %FileCheck %s --check-prefix=LDS --match-full-lines
; WORD: SQTT: warning: unknown SQTT_TRACE_ADDRESSES category 'scratch'
target triple = "amdgcn-amd-amdhsa"

;      MEMORY: K:k
; MEMORY-NEXT: W:32
; MEMORY-NEXT: P:1:addr_trace_store
; MEMORY-NEXT: R:1:extra_payload_count=66
; MEMORY-NEXT: <NUL>
;         LDS: K:k
;    LDS-NEXT: W:32
;    LDS-NEXT: P:1:addr_trace_lds_load
;    LDS-NEXT: R:1:extra_payload_count=34
;    LDS-NEXT: P:2:addr_trace_ds_permute
;    LDS-NEXT: R:2:extra_payload_count=34
;    LDS-NEXT: <NUL>
;        BOTH: K:k
;   BOTH-NEXT: W:32
;   BOTH-NEXT: P:1:addr_trace_lds_load
;   BOTH-NEXT: R:1:extra_payload_count=34
;   BOTH-NEXT: P:2:addr_trace_ds_permute
;   BOTH-NEXT: R:2:extra_payload_count=34
;   BOTH-NEXT: P:3:addr_trace_store
;   BOTH-NEXT: R:3:extra_payload_count=66
;   BOTH-NEXT: <NUL>
;         OFF: K:k
;    OFF-NEXT: <NUL>
define amdgpu_kernel void @k(ptr addrspace(1) %g, ptr addrspace(3) %l, ptr addrspace(4) %c) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %stack = alloca [8 x i32], align 4, addrspace(5)
  %a = load volatile i32, ptr addrspace(3) %l
  %b = load volatile i32, ptr addrspace(4) %c
  %s = getelementptr i32, ptr addrspace(5) %stack, i32 %b
  store volatile i32 %a, ptr addrspace(5) %s
  %d = load volatile i32, ptr addrspace(5) %s
  %m = call i32 @llvm.amdgcn.ds.permute(i32 %lane, i32 %d)
  store volatile i32 %m, ptr addrspace(1) %g
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
attributes #0 = { "target-cpu"="gfx1100" }
