// A constant with bit 31 set is a constant like any other: no register, no readfirstlane.
// RUN: for arch in gfx90a gfx1100; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=readfirstlane; done
#include "device.h"

KERNEL void constants() {
  number(0x80000001);
  number(0xffffffff);
  number(0);
}
// CHECK: s_mov_b32 m0, 0x80000001
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, -1
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, 0
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
