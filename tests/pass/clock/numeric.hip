// Numbers of the user stay as they are, constant or not; a bare exit by number is packed, since nothing tells it from the pass's own.
// RUN: for arch in gfx1200 gfx1201; do for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not=SHADER_CYCLES; done; done
#include "device.h"

KERNEL void caller(u32 *p) {
  __builtin_amdgcn_s_ttracedata(20);
  __builtin_amdgcn_s_ttracedata((int)0x80000016);
  number(p[lane()]);
  __builtin_amdgcn_s_ttracedata(1);
}
// CHECK: s_mov_b32 m0, 20
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata
// CHECK: s_mov_b32 m0, 0x80000016
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata
// CHECK: v_readfirstlane_b32 [[WORD:s[0-9]+]], v
// CHECK: s_mov_b32 m0, [[WORD]]
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata
// CHECK: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)
// CHECK: s_mov_b32 m0, s
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata
