// The same function inlined into both arms of a branch keeps its markers in both: merged ones had a stale id.
// RUN: for arch in gfx90a gfx1100; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=4 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; \
// RUN:   %disassemble %t.co | grep -v s_nop | %FileCheck %s --check-prefix=$arch --implicit-check-not=s_ttracedata; done
// Below the threshold all four are gone.
// RUN: for arch in gfx90a gfx1100; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=400 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=GONE --implicit-check-not=s_ttracedata; done
#include "device.h"

static DEVICE u32 mix(u32 a) {
  a ^= a >> 7;
  a *= 0x45d9f3b;
  a ^= a >> 11;
  return a + 99;
}

KERNEL void arms(u32 *out, u32 n) {
  u32 value = out[lane()];
  if (value > n)
    value = mix(value) * 3;
  else
    value = mix(value) ^ 5;
  out[lane()] = value;
}
// ROWS: F:1:_ZL3mixj
// gfx90a: s_mov_b32 m0, 6
// gfx90a-NEXT: s_ttracedata
// gfx90a: s_mov_b32 m0, 1
// gfx90a-NEXT: s_ttracedata
// gfx90a: s_mov_b32 m0, 6
// gfx90a-NEXT: s_ttracedata
// gfx90a: s_mov_b32 m0, 1
// gfx90a-NEXT: s_ttracedata
// gfx1100: s_ttracedata_imm 0x6
// gfx1100: s_ttracedata_imm 0x1
// gfx1100: s_ttracedata_imm 0x6
// gfx1100: s_ttracedata_imm 0x1
// GONE: s_endpgm
