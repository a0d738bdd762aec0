// A marker stays between the two memory operations that it stood between in the source.
// RUN: for arch in gfx942 gfx1100 gfx1201; do for scope in -1 0x3; do \
// RUN:   SQTT_SCOPE_CU=$scope %hip --offload-arch=$arch -O3 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL void middle(u32 *out) {
  SHARED volatile u32 tile[64];
  tile[lane()] = 1;
  point("between");
  out[lane()] = tile[63 - lane()];
}
// CHECK: {{(ds|flat)_(write|store)}}
// CHECK: s_ttracedata
// CHECK: {{(ds|flat)_(read|load)}}
