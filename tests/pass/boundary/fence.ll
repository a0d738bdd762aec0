; By default a marker stands between two LDS-only workgroup fences, and these between two scheduling barriers,
; each with empty assembly behind it: LLVM 19's scheduler crashes on a region that begins with a debug value. Between
; the last fence and its scheduling barrier is empty assembly, too: LLVM 19 waits there for nothing without it.
; RUN: SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s | %FileCheck %s --check-prefixes=CHECK,LLVM%llvm
; RUN: for mode in fence 2 on hw HW; do \
; RUN:   SQTT_MEM_BARRIER=$mode SQTT_SCOPE_CU=-1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s \
; RUN:   | %FileCheck %s --check-prefixes=CHECK,LLVM%llvm; done
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: store volatile i32 1
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: fence syncscope("workgroup") acq_rel, !mmra ![[TAG:[0-9]+]]
; CHECK-NEXT: call i32 asm sideeffect "{{[^"]*}}s_ttracedata
; CHECK-NEXT: fence syncscope("workgroup") acq_rel, !mmra ![[TAG]]
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: store volatile i32 2
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }

; The tag that says "LDS only" changed its name in LLVM 20; one that the backend does not know costs cache invalidates.
; LLVM19-DAG: !{!"amdgpu-as", !"local"}
; LLVM22-DAG: !{!"amdgpu-synchronize-as", !"local"}
