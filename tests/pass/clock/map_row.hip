// The M row is there when a header was packed, and only then.
// RUN: for level in 0 2; do for what in NAMED EXIT; do \
// RUN:   SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=gfx1201 -O$level -D$what -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s; done; for what in NOTHING NUMBER; do \
// RUN:   SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=gfx1201 -O$level -D$what -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=NONE; done; \
// RUN:   SQTT_SHADER_CLOCK_BITS=0 %hip --offload-arch=gfx1201 -O$level -DNAMED -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=NONE; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=PLAIN --implicit-check-not=SHADER_CYCLES; done
#include "device.h"

KERNEL void caller(u32 *p) {
#if defined(NAMED)
  point("a");
#elif defined(EXIT)
  __builtin_amdgcn_s_ttracedata(1);
#elif defined(NUMBER)
  __builtin_amdgcn_s_ttracedata(20);
  number(p[0]);
#endif
}
//       CHECK: {{^}}M:shader_clock_bits=12;shader_clock_shift=4
//  CHECK-NEXT: K:_Z6callerPj
//       NONE: {{^}}K:_Z6callerPj
//   NONE-NOT: M:
//      PLAIN: s_ttracedata_imm 0x4
