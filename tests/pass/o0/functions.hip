// At -O0 functions are counted and marked by the late phase alone; a guard object's destructor ends its scope.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=14 %hip --offload-arch=gfx942 -O0 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:
// RUN: %disassemble %t.co | %FileCheck %s
#include "device.h"

struct Scope {
  const char *name;
  DEVICE Scope(const char *n) : name(n) { __sqtt_named_marker_enter("scope"); }
  DEVICE ~Scope() { __sqtt_named_marker_exit(name); }
};
DEVICE u32 small(u32 a) { return a; }
DEVICE u32 large(u32 a) {
  u32 sum = 0;
  for (u32 i = 0; i < a; ++i)
    sum += i * a;
  return sum;
}
KERNEL void plain(volatile u32 *p) {
  Scope scope("scope");
  p[0] = large(small(p[1]));
}
// ROWS: F:{{[0-9]+}}:_Z5largej
// ROWS: K:_Z5plainPVj
// ROWS: U:{{[0-9]+}}:scope
// CHECK-LABEL: <_Z5smallj>:
// CHECK-NOT: s_ttracedata
// CHECK-LABEL: <_Z5largej>:
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, 1
// CHECK: s_ttracedata
// CHECK: s_setpc_b64
// CHECK-LABEL: <_ZN5ScopeC2EPKc>:
// CHECK: s_ttracedata
// CHECK: s_setpc_b64
// CHECK-LABEL: <_ZN5ScopeD2Ev>:
// CHECK: s_mov_b32 m0, 1
// CHECK: s_ttracedata
// CHECK: s_setpc_b64
