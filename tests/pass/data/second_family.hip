// The sentinels of the newer header take data too, and both families share ids.
// RUN: for level in 0 2; do SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --match-full-lines --check-prefix=ROWS; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"
extern "C" DEVICE void sqtt_marker_data(const char *, u32);

KERNEL void caller(u32 *p) {
  sqtt_marker_data("d", 5);
  __sqtt_named_marker_data("d", 6);
}
//      ROWS: K:_Z6callerPj
// ROWS-NEXT: P:1:d
// ROWS-NEXT: R:1:extra_payload_count=1
// ROWS-NEXT: <NUL>
// CHECK: s_ttracedata_imm 0x4
// CHECK: s_mov_b32 m0, 5
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x4
// CHECK: s_mov_b32 m0, 6
// CHECK: s_ttracedata{{ }}
