// A payload that differs between lanes is the first active lane's on every target and level.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 0 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
// RUN-22: for arch in gfx950 gfx1250; do for level in 0 1 2 3; do \
// RUN-22:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void caller(u32 *p) {
  __sqtt_named_marker_data("d", lane() * 3 + 1);
  p[0] = 1;
}
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_ttracedata
// CHECK: v_readfirstlane_b32 [[WORD:s[0-9]+]], v
// CHECK: s_mov_b32 m0, [[WORD]]
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata
