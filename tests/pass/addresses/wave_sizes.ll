; Every kind of operation has its name and, by wave size, its count of records; W says the lanes of a wave.
; RUN: for cpu in gfx906 gfx90a gfx942; do sed "s/CPU/$cpu/; s/FEATURES//" %s > %t.ll; \
; RUN:   SQTT_TRACE_ADDRESSES=memory,lds %ir -mcpu=$cpu -O2 -fpass-plugin=%plugin %t.ll -o %t.co; \
; RUN:   %rows %t.co | %FileCheck %s -D'#N=64' --match-full-lines; done
; RUN: for cpu in gfx1030 gfx1100 gfx1201; do for size in 32 64; do sed "s/CPU/$cpu/; s/FEATURES/+wavefrontsize$size/" %s > %t.ll; \
; RUN:   SQTT_TRACE_ADDRESSES=memory,lds %ir -mcpu=$cpu -O2 -fpass-plugin=%plugin %t.ll -o %t.co; \
; RUN:   %rows %t.co | %FileCheck %s -D'#N='$size --match-full-lines; done; done
; By default an RDNA wave has 32 lanes.
; RUN: sed "s/CPU/gfx1100/; s/FEATURES//" %s > %t.ll
; RUN: SQTT_TRACE_ADDRESSES=memory,lds %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %t.ll -o %t.co
; RUN: %rows %t.co | %FileCheck %s -D'#N=32' --match-full-lines
;      CHECK: K:k
; CHECK-NEXT: W:[[#N]]
; CHECK-NEXT: P:1:addr_trace_load
; CHECK-NEXT: R:1:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: P:2:addr_trace_load
; CHECK-NEXT: R:2:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: P:3:addr_trace_store
; CHECK-NEXT: R:3:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: P:4:addr_trace_atomic
; CHECK-NEXT: R:4:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: P:5:addr_trace_atomic
; CHECK-NEXT: R:5:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: P:6:addr_trace_lds_load
; CHECK-NEXT: R:6:extra_payload_count=[[#N+2]]
; CHECK-NEXT: P:7:addr_trace_lds_store
; CHECK-NEXT: R:7:extra_payload_count=[[#N+2]]
; CHECK-NEXT: P:8:addr_trace_lds_atomic
; CHECK-NEXT: R:8:extra_payload_count=[[#N+2]]
; CHECK-NEXT: P:9:addr_trace_ds_permute
; CHECK-NEXT: R:9:extra_payload_count=[[#N+2]]
; CHECK-NEXT: P:10:addr_trace_ds_bpermute
; CHECK-NEXT: R:10:extra_payload_count=[[#N+2]]
; CHECK-NEXT: P:11:addr_trace_buffer_load
; CHECK-NEXT: R:11:extra_payload_count=[[#N+5]]
; CHECK-NEXT: P:12:addr_trace_struct_buffer_load
; CHECK-NEXT: R:12:extra_payload_count=[[#N+N+5]]
; CHECK-NEXT: P:13:addr_trace_store
; CHECK-NEXT: R:13:extra_payload_count=[[#N+N+2]]
; CHECK-NEXT: <NUL>
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %g, ptr %f, ptr addrspace(3) %l, ptr addrspace(8) inreg %r) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = load volatile i32, ptr addrspace(1) %g
  %b = load volatile i32, ptr %f
  store volatile i32 %a, ptr %f
  %c = atomicrmw add ptr addrspace(1) %g, i32 3 monotonic
  %d = cmpxchg ptr %f, i32 1, i32 2 monotonic monotonic
  %e = load volatile i32, ptr addrspace(3) %l
  store volatile i32 %e, ptr addrspace(3) %l
  %h = atomicrmw add ptr addrspace(3) %l, i32 3 monotonic
  %m = call i32 @llvm.amdgcn.ds.permute(i32 %i, i32 %h)
  %n = call i32 @llvm.amdgcn.ds.bpermute(i32 %i, i32 %m)
  %o = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %i, i32 4, i32 0)
  %q = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %i, i32 %i, i32 4, i32 0)
  %z = add i32 %q, %o
  %y = add i32 %z, %n
  store volatile i32 %y, ptr addrspace(1) %g
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
attributes #0 = { "target-cpu"="CPU" "target-features"="FEATURES" }
