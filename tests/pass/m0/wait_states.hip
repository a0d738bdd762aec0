// SQTT_M0_NOP sets the operand of the s_nop between the write of M0 and the marker.
// RUN: for n in 0 3 15; do \
// RUN:   SQTT_M0_NOP=$n SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1030 -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s -DN=$n; done
#include "device.h"

KERNEL void constants() { number(300); }
// CHECK: s_mov_b32 m0, 0x12c
// CHECK-NEXT: s_nop [[N]]{{ }}
// CHECK-NEXT: s_ttracedata{{ }}
