; A module that was processed already is left alone: the plugin given twice, or bitcode optimised a second time.
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %s -o %t.1
; RUN: sed -i '/^; ModuleID/d; /^source_filename/d; s/ *; preds = .*//' %t.1
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late -S %t.1 -o %t.2
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %opt -load-pass-plugin=%plugin -passes=sqtt-o0 -S %t.1 -o %t.3
; RUN: for file in %t.2 %t.3; do sed -i '/^; ModuleID/d; /^source_filename/d; s/ *; preds = .*//' "$file"; cmp %t.1 "$file"; done
; RUN: for level in 0 2; do \
; RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.once.co; \
; RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O$level -fpass-plugin=%plugin -fpass-plugin=%plugin %s -o %t.twice.co; \
; RUN:   cmp %t.once.co %t.twice.co; done
; RUN: cp %plugin %t.copy.so
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.once.co
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin -fpass-plugin=%t.copy.so %s -o %t.copies.co
; RUN: cmp %t.once.co %t.copies.co
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin -emit-llvm -c %s -o %t.bc
; RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %t.bc -o %t.again.co
; RUN: %rows %t.again.co | %FileCheck %s --check-prefix=ROWS
; RUN: %disassemble %t.again.co | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"name\00"

; ROWS: {{^}}F:1:f
; ROWS-NEXT: K:k
; ROWS-NEXT: P:2:name
; ROWS-NEXT: <NUL>
; ROWS-NOT: {{.}}
; CHECK-LABEL: <f>:
; CHECK: s_ttracedata_imm 0x6
; CHECK: s_ttracedata_imm 0x1
; CHECK-LABEL: <k>:
; CHECK: s_ttracedata_imm 0x8
; CHECK: s_ttracedata{{ }}
define i32 @f(i32 %a) #0 {
  %b = mul i32 %a, %a
  %c = add i32 %b, 1
  ret i32 %c
}
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  %v = call i32 @f(i32 %n)
  store i32 %v, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  ret void
}
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
attributes #0 = { noinline "target-cpu"="gfx1100" }
