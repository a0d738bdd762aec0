// A device function above the threshold starts with (id << 2) | 2 and ends with 1: immediate on RDNA, through M0 on gfx9.
// RUN: for arch in gfx1030 gfx1100 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=3 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefixes=CHECK,IMM --implicit-check-not=s_ttracedata; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; done
// RUN: for arch in gfx906 gfx90a gfx942; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=3 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefixes=CHECK,M0 --implicit-check-not=s_ttracedata; done
#include "device.h"

NOINLINE u32 work(u32 a, volatile u32 *p) {
  p[0] = a * 3;
  return p[1] + a;
}
KERNEL void caller(volatile u32 *p) { p[2] = work(p[3], p); }

// CHECK-LABEL: <_Z4workjPVj>:
// IMM: s_ttracedata_imm 0x6
// IMM: flat_{{.*}}store
// IMM: flat_{{.*}}load
// IMM: s_ttracedata_imm 0x1
// M0: s_mov_b32 m0, 6
// M0-NEXT: s_nop 0
// M0-NEXT: s_ttracedata
// M0: flat_store
// M0: flat_load
// M0: s_mov_b32 m0, 1
// M0-NEXT: s_nop 0
// M0-NEXT: s_ttracedata
// CHECK: s_setpc_b64
// A kernel is no function: it has a row, and no marker.
// CHECK-LABEL: <_Z6callerPVj>:
// ROWS: F:1:_Z4workjPVj
// ROWS-NEXT: K:_Z6callerPVj
// ROWS-NEXT: <NUL>
