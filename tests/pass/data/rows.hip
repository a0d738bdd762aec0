// A data marker has a P row and, directly behind, how many records follow its header; the same text as a point is another id.
// RUN: for level in 0 2; do SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --match-full-lines --check-prefix=ROWS; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void caller(u32 *p) {
  enter("same");
  point("same");
  __sqtt_named_marker_data("same", 77);
  __sqtt_named_marker_data("same", 0x80000000);
  leave("same");
  __sqtt_named_marker_data("other", p[0]);
}
//      ROWS: K:_Z6callerPj
// ROWS-NEXT: U:1:same
// ROWS-NEXT: P:2:same
// ROWS-NEXT: P:3:same
// ROWS-NEXT: R:3:extra_payload_count=1
// ROWS-NEXT: P:4:other
// ROWS-NEXT: R:4:extra_payload_count=1
// ROWS-NEXT: <NUL>
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x8
// CHECK: s_ttracedata_imm 0xc
// CHECK: s_mov_b32 m0, 0x4d
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0xc
// CHECK: s_mov_b32 m0, 0x80000000
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x10
// CHECK: s_ttracedata{{ }}
