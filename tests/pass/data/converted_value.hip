// Payloads behind a conversion (float to integer, 64 bits to 32, a byte, a pointer) compile and keep header and payload together.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 0 1 2 3 s; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | grep -v s_delay_alu > %t.s; test "$(grep -c 's_ttracedata$\|s_ttracedata[_ ]' %t.s)" = 12; \
// RUN:   awk -f %S/../inputs/pairs.awk %t.s | { ! grep -vE '^ (s_mov_b32|s_nop|v_readfirstlane_b32|s_wait_alu|s_wait_idle) '; }; done; done
// RUN-22: for level in 0 2; do \
// RUN-22:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1250 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co > %t.s; test "$(grep -c 's_ttracedata$\|s_ttracedata[_ ]' %t.s)" = 12; done
#include "device.h"

KERNEL void caller(float *f, unsigned long *wide, unsigned char *byte) {
  __sqtt_named_marker_data("float", (u32)f[lane()]);
  __sqtt_named_marker_data("signed", (u32)(int)(f[lane()] * 2.5f));
  __sqtt_named_marker_data("wide", (u32)wide[lane()]);
  __sqtt_named_marker_data("high", (u32)(wide[lane()] >> 32));
  __sqtt_named_marker_data("byte", byte[lane()]);
  __sqtt_named_marker_data("pointer", (u32)(unsigned long)&f[lane()]);
  f[lane()] = 1;
}
