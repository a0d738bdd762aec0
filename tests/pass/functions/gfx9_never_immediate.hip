// No gfx9 target has the immediate form, the generic ones neither.
// RUN: for arch in gfx900 gfx906 gfx908 gfx90a gfx942; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata_imm; done
// RUN-22: for arch in gfx950 gfx9-generic gfx9-4-generic; do \
// RUN-22:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata_imm; done
#include "device.h"

NOINLINE u32 work(u32 a) { return a * 3 + 7; }
KERNEL void caller(u32 *p) {
  point("p");
  p[2] = work(p[3]);
}
// CHECK-LABEL: <_Z4workj>:
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_ttracedata
