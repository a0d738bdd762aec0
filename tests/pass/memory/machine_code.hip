// In the machine code the marker stands behind its operation and in front of the next one, on every target and level.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 1 2 3 s; do \
// RUN:   SQTT_INSTRUMENT_MEMORY=1:0 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co > %t.s; test "$(grep -c 's_ttracedata' %t.s)" = 3; \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void caller(volatile u32 *p) {
  p[1] = 1;
  u32 v = p[2];
  p[3] = v * v;
}
// CHECK-LABEL: <_Z6callerPVj>:
// CHECK: {{global|flat}}_store_
// CHECK: s_ttracedata
// CHECK: {{global|flat}}_load_
// CHECK: s_ttracedata
// CHECK: {{global|flat}}_store_
// CHECK: s_ttracedata
