// An id that the link makes larger than an immediate goes through M0 with its own unit's wait, and the busiest ids stay
// immediates; payloads stay behind their headers.
// RUN: for unit in 1 2; do SQTT_M0_NOP=$unit SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc
// RUN: %rows %t.co > %t.rows; %disassemble %t.co > %t.s; bash %S/../inputs/ids.sh %t.rows %t.s
// RUN: %FileCheck %s --check-prefix=ROWS < %t.rows; %FileCheck %s < %t.s
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define P(n) point("u" TEXT(UNIT) " " #n); p[n & 15] = n;
#define TEN(n) P(n##0) P(n##1) P(n##2) P(n##3) P(n##4) P(n##5) P(n##6) P(n##7) P(n##8) P(n##9)
KERNEL void NAME(many)(volatile u32 *p) {
  TEN(1) TEN(2) TEN(3) TEN(4)
  __sqtt_named_marker_data("payload", p[3]);
}
// ROWS: P:1:u1 10
// ROWS: P:41:payload
// ROWS-NEXT: R:41:extra_payload_count=1
// ROWS-NEXT: P:42:u2 10
// ROWS: P:63:u2 31
// ROWS: P:81:u2 49
// ROWS-NEXT: <NUL>
// CHECK-LABEL: <_Z5many1PVj>:
// CHECK: s_ttracedata_imm 0x4{{ }}
// CHECK: s_ttracedata_imm 0xa0{{ }}
// CHECK: s_ttracedata_imm 0xa4{{ }}
// CHECK: s_nop 1
// CHECK-NEXT: s_ttracedata
// CHECK-LABEL: <_Z5many2PVj>:
// CHECK: s_ttracedata_imm 0xfc{{ }}
// CHECK: s_mov_b32 m0, 0x100
// CHECK-NEXT: s_nop 2
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_mov_b32 m0, 0x144
// CHECK-NEXT: s_nop 2
// CHECK-NEXT: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0xa4{{ }}
// CHECK: s_nop 2
// CHECK-NEXT: s_ttracedata
