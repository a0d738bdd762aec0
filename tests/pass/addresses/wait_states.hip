// SQTT_M0_NOP is the wait of every record, of EXEC's and the lanes' too.
// RUN: SQTT_M0_NOP=3 SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s
#include "device.h"

KERNEL void caller(u32 *p) { p[lane()] = 1; }
// CHECK: s_mov_b32 m0, exec_lo
// CHECK-NEXT: s_nop 3
// CHECK-NEXT: s_ttracedata
// CHECK: s_mov_b32 m0, exec_hi
// CHECK-NEXT: s_nop 3
// CHECK-NEXT: s_ttracedata
// CHECK: s_mov_b32 m0, s
// CHECK-NEXT: s_nop 3
// CHECK-NEXT: s_ttracedata
