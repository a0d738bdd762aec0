// A marker through M0 is s_mov_b32 m0, s_nop 0, s_ttracedata and nothing between, on every target.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void constants(volatile u32 *p) {
  number(0x12345678);
  p[0] = 1;
  number(7);
}
// CHECK: s_mov_b32 m0, 0x12345678
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// A numeric marker stays in the M0 form, however small: its value is the user's 32 bits.
// CHECK: s_mov_b32 m0, 7
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
