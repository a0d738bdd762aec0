; Debug information and lifetimes are no gap: -g gives the same markers.
; RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=2:0 %opt -load-pass-plugin=%plugin -passes=sqtt-early,sqtt-late,verify -S %s \
; RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %a = load
; CHECK-NOT: s_ttracedata
; CHECK: %b = load
; CHECK: asm sideeffect "s_ttracedata_imm 4"
; CHECK: ret void
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 !dbg !3 {
  %a = load volatile i32, ptr addrspace(1) %p, !dbg !6
  call void @llvm.dbg.value(metadata i32 %a, metadata !5, metadata !DIExpression()), !dbg !6
  %b = load volatile i32, ptr addrspace(1) %p, !dbg !6
  ret void, !dbg !6
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
attributes #0 = { "target-cpu"="gfx1100" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!8}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.hip", directory: "/")
!2 = !DISubroutineType(types: !7)
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DILocalVariable(name: "v", scope: !3, file: !1, type: !4)
!6 = !DILocation(line: 2, scope: !3)
!7 = !{}
!8 = !{i32 2, !"Debug Info Version", i32 3}
