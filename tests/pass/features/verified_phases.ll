; Each phase by itself leaves valid IR, with blocks that begin with phis, switches and unreachable ends.
; RUN: for settings in SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory,lds; do for cu in -1 3; do \
; RUN:   for passes in sqtt-early,verify,sqtt-late,verify sqtt-o0,verify 'sqtt-early,default<O2>,sqtt-late,verify'; do \
; RUN:   env $settings SQTT_SCOPE_CU=$cu SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
; RUN:   %opt -load-pass-plugin=%plugin -passes="$passes" -S %s | %FileCheck %s; done; done; done
target triple = "amdgcn-amd-amdhsa"

; CHECK: s_ttracedata
define i32 @f(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 %n) #0 {
entry:
  switch i32 %n, label %loop [
    i32 1, label %one
    i32 2, label %one
    i32 3, label %dead
  ]
one:
  %x = phi i32 [ 5, %entry ], [ 5, %entry ]
  %a = atomicrmw add ptr addrspace(3) %l, i32 %x monotonic
  call void @llvm.amdgcn.s.barrier()
  ret i32 %a
dead:
  store i32 1, ptr addrspace(1) %p
  unreachable
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %r, %loop ]
  %v = load i32, ptr addrspace(1) %q
  %r = getelementptr i32, ptr addrspace(1) %q, i32 %v
  %next = add i32 %i, %v
  %done = icmp ugt i32 %next, %n
  br i1 %done, label %out, label %loop
out:
  %s = phi i32 [ %v, %loop ]
  store volatile i32 %s, ptr addrspace(3) %l
  ret i32 %s
}
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "target-cpu"="gfx1100" }
