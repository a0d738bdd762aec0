// Header and payload stand together in the machine code of every target and level: only moves to registers between.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 0 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | grep -v s_delay_alu > %t.s; \
// RUN:   %FileCheck %s --implicit-check-not=s_ttracedata < %t.s; \
// RUN:   awk -f %S/../inputs/pairs.awk %t.s | { ! grep -vE '^ (s_mov_b32|s_nop|v_readfirstlane_b32|s_wait_alu|s_wait_idle) '; }; done; done
#include "device.h"

KERNEL void caller(u32 *p) {
  u32 value = p[lane()];
  __sqtt_named_marker_data("one", value);
  p[lane()] = value * 3;
  __sqtt_named_marker_data("two", p[0]);
}
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_ttracedata
