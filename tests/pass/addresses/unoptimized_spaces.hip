// At -O0 all accesses are flat: those whose pointer comes from LDS are LDS operations, those of the stack are none.
// RUN: for arch in gfx90a gfx1100; do SQTT_TRACE_ADDRESSES=memory,lds \
// RUN:   %hip --offload-arch=$arch -O0 -gline-tables-only -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | grep ^P > %t.rows; %FileCheck %s --implicit-check-not=P: < %t.rows; done
#include "device.h"

KERNEL void caller(u32 *p) {
  SHARED u32 tile[64];
  u32 local[4] = {1, 2, 3, 4};
  local[1] = 7;
  tile[lane()] = local[lane() & 3]; // :11
  p[9] = tile[3];                   // :12
  __hip_atomic_fetch_add(&tile[1], 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
// CHECK: P:1:addr_trace_lds_store@{{.*}}unoptimized_spaces.hip:11
// CHECK: P:2:addr_trace_lds_load@{{.*}}unoptimized_spaces.hip:12
// CHECK: P:3:addr_trace_store@{{.*}}unoptimized_spaces.hip:12
// CHECK: P:4:addr_trace_lds_atomic@{{.*}}unoptimized_spaces.hip:13
