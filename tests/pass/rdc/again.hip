// Bitcode may go through compilers and links again: every marker stays once, and the last compile leaves one map.
// RUN: for unit in 1 2; do SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -cuid=$unit -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.once.co %t.1.bc %t.2.bc
// RUN: %rows %t.once.co > %t.rows; %FileCheck %s < %t.rows
// A unit's bitcode compiled again, for the link too.
// RUN: for unit in 1 2; do SQTT_LINKS_LATER=1 %ir -mcpu=gfx1100 -O2 -emit-llvm -c -fpass-plugin=%plugin %t.$unit.bc -o %t.again.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.again.1.bc %t.again.2.bc; %rows %t.co | cmp - %t.rows
// The plugin given twice, in the compile and in the link.
// RUN: cp %plugin %t.copy.so
// RUN: for unit in 1 2; do SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -cuid=$unit -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin -fpass-plugin=%t.copy.so %s -o %t.twice.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.twice.1.bc %t.twice.2.bc --load-pass-plugin=%t.copy.so; cmp %t.co %t.once.co
// Linked by hand: the compile that makes the code object gives them one map, with and without an optimizer; one that is
// for another link leaves that to it.
// RUN: %link %t.1.bc %t.2.bc -o %t.both.bc
// RUN: for level in 0 2; do %ir -mcpu=gfx1100 -O$level -fpass-plugin=%plugin %t.both.bc -o %t.co; %rows %t.co | cmp - %t.rows; done
// RUN: SQTT_LINKS_LATER=1 %ir -mcpu=gfx1100 -O2 -emit-llvm -c -fpass-plugin=%plugin %t.both.bc -o %t.later.bc
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.later.bc; %rows %t.co | cmp - %t.rows
// LTO after LTO: what a link wrote as bitcode is linked once more.
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.linked.bc %t.1.bc %t.2.bc --lto-emit-llvm
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.linked.bc; %rows %t.co | cmp - %t.rows
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=CODE --implicit-check-not=s_ttracedata
// Through assembly text.
// RUN: %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin -S %t.both.bc -o %t.s; %clang -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -x assembler %t.s -o %t.co
// RUN: %rows %t.co | cmp - %t.rows
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
KERNEL void NAME(kernel)(volatile u32 *p) {
  enter("both");
  p[0] = p[1] * p[2];
  leave("both");
  if (UNIT == 1) point("one"); else point("two");
}
// CHECK: {{^}}K:_Z7kernel1PVj
// CHECK-NEXT: K:_Z7kernel2PVj
// CHECK-NEXT: U:1:both
// CHECK-NEXT: P:2:one
// CHECK-NEXT: P:3:two
// CHECK-NEXT: <NUL>
// CHECK-NOT: {{.}}
// CODE: s_ttracedata_imm 0x6
// CODE: s_ttracedata_imm 0x1
// CODE: s_ttracedata_imm 0x8
// CODE: s_ttracedata_imm 0x6
// CODE: s_ttracedata_imm 0x1
// CODE: s_ttracedata_imm 0xc
