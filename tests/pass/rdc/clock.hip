// Units that pack the clock alike are linked, ids in the packed words included; others stop the link.
// RUN: unit() { SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=$3 %hip --offload-arch=$1 -O2 -fgpu-rdc -emit-llvm -c \
// RUN:     -DUNIT=$2 $4 -fpass-plugin=%plugin %s -o %t.$2.$3.bc; }; \
// RUN:   unit gfx1201 1 12 ''; unit gfx1201 2 12 ''; unit gfx1201 2 0 ''; unit gfx1201 3 0 -DNUMBERS; \
// RUN:   bash %S/../inputs/rdc.sh %lld gfx1201 %plugin %t.co %t.1.12.bc %t.2.12.bc %t.3.0.bc; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS; %disassemble %t.co | %FileCheck %s; \
// RUN:   not bash %S/../inputs/rdc.sh %lld gfx1201 %plugin %t.none.co %t.1.12.bc %t.2.0.bc 2> %t.errors; \
// RUN:   %FileCheck %s --check-prefix=ERROR < %t.errors; test ! -e %t.none.co; \
// RUN:   bash %S/../inputs/rdc.sh %lld gfx1201 %plugin %t.plain.co %t.2.0.bc %t.3.0.bc; \
// RUN:   %rows %t.plain.co | %FileCheck %s --check-prefix=PLAIN; \
// RUN:   unit gfx1100 1 12 ''; unit gfx1100 2 0 ''; \
// RUN:   bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.older.co %t.1.12.bc %t.2.0.bc; \
// RUN:   %rows %t.older.co | %FileCheck %s --check-prefix=PLAIN
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
KERNEL void NAME(k)(volatile u32 *p) {
#ifdef NUMBERS
  number(400);
#else
  if (UNIT == 1) { point("first"); p[0] = 1; }
  if (UNIT == 2) { enter("second"); p[1] = 1; leave("second"); }
  point("both");
#endif
}
// ROWS: {{^}}M:shader_clock_bits=12;shader_clock_shift=4
// ROWS: P:1:first
// ROWS: P:2:both
// ROWS: U:3:second
// ROWS-NEXT: <NUL>
// ROWS-NOT: {{.}}
// CHECK-LABEL: <_Z2k1PVj>:
// CHECK: s_lshl_b32 [[HIGH:s[0-9]+]], {{s[0-9]+}}, 20
// CHECK: s_or_b32 {{s[0-9]+}}, [[HIGH]], 4
// CHECK: s_or_b32 {{s[0-9]+}}, {{s[0-9]+}}, 8
// CHECK-LABEL: <_Z2k2PVj>:
// CHECK: s_{{add_co_i32|add_i32|add_co_u32|or_b32}} {{s[0-9]+}}, {{s[0-9]+}}, 14
// CHECK: s_or_b32 {{s[0-9]+}}, {{s[0-9]+}}, 1
// CHECK: s_{{add_co_i32|add_i32|add_co_u32|or_b32}} {{s[0-9]+}}, {{s[0-9]+}}, 8
// CHECK-LABEL: <_Z2k3PVj>:
// ERROR: error: {{.*}}sqtt: `{{.*}}clock.hip` has markers with 12 bits of the clock from bit 4, `{{.*}}clock.hip` with no clock
// PLAIN: {{^}}K:
// PLAIN-NOT: M:
