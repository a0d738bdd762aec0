// A uniform value goes to M0 from a scalar register.
// RUN: for arch in gfx942 gfx1100 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void uniform(u32 n) { number(n << 2); }
// CHECK: s_mov_b32 m0, s{{[0-9]+}}
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: s_ttracedata{{ }}
