; The map survives section garbage collection, stripping, a relocatable link and llvm-link.
; RUN: %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -c -o %t.o
; RUN: %lld -shared --gc-sections %t.o -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
; RUN: %strip -s %t.co -o %t.stripped
; RUN: %rows %t.stripped | %FileCheck %s --check-prefix=ROWS
; RUN: %lld -r %t.o -o %t.r.o
; RUN: %strip --strip-debug %t.r.o
; RUN: %lld -shared --gc-sections %t.r.o -o %t.r.co
; RUN: %rows %t.r.co | %FileCheck %s --check-prefix=ROWS
; RUN: %readelf -S -W %t.o | %FileCheck %s --check-prefix=FLAGS
; Two units that were linked as bitcode have both maps, one after the other.
; RUN: %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late %s -o %t.1.bc
; RUN: sed s/@k/@other/ %s | %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -o %t.2.bc
; RUN: %link %t.1.bc %t.2.bc -o %t.bc
; RUN: %ir -mcpu=gfx1100 -O2 %t.bc -o %t.linked.co
; RUN: %rows %t.linked.co | %FileCheck %s --check-prefix=BOTH
target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"name\00"

; ROWS: {{^}}K:k
; ROWS-NEXT: P:1:name
; ROWS-NEXT: <NUL>
; Retained, allocated, not writable.
; FLAGS: .sqtt_funcmap PROGBITS {{.*}} AR {{ *[0-9]+ +[0-9]+ +1$}}
; BOTH: {{^}}K:k
; BOTH: P:1:name
; BOTH: <NUL>
; BOTH: {{^}}K:other
; BOTH: P:1:name
; BOTH: <NUL>
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  ret void
}
declare void @__sqtt_named_marker_point(ptr)
attributes #0 = { "target-cpu"="gfx1100" }
