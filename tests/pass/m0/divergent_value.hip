// A value that differs by lane compiles on every target: the first active lane's is read right before the write of M0.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s; done; done
// RUN-22: for arch in gfx950 gfx1250; do \
// RUN-22:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co | %FileCheck %s; done
#include "device.h"

KERNEL void divergent(volatile float *p) {
  number(lane() << 2 | 2);
  number((u32)(p[lane()] * 2.0f) << 2);
}
// CHECK: v_readfirstlane_b32
// CHECK: s_mov_b32 m0, {{s[0-9]+|vcc_..}}
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: v_readfirstlane_b32
// CHECK: s_mov_b32 m0, {{s[0-9]+|vcc_..}}
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
