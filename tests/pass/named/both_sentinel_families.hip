// The names that AMD's successor calls its markers by mean the same.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"
extern "C" DEVICE void sqtt_marker_enter(const char *);
extern "C" DEVICE void sqtt_marker_exit(const char *);
extern "C" DEVICE void sqtt_marker_point(const char *);

KERNEL void successor(volatile u32 *p) {
  sqtt_marker_enter("a");
  p[0] = 1;
  sqtt_marker_exit("a");
  p[1] = 1;
  sqtt_marker_point("b");
}
// ROWS: U:1:a
// ROWS-NEXT: P:2:b
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x8
