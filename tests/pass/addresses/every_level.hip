// Address tracing compiles at every level, wave size and target, with scope filtering, beside the other markers.
// RUN: for arch in gfx906 gfx942 gfx1030 gfx1201; do for level in 0 1 2 3; do \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_TRACE_ADDRESSES=memory,lds \
// RUN:   %hip --offload-arch=$arch -O$level -g -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s; %disassemble %t.co | %FileCheck %s --check-prefix=ASM; done; done
// RUN: for level in 0 2; do SQTT_TRACE_ADDRESSES=memory,lds \
// RUN:   %hip --offload-arch=gfx1100 -mwavefrontsize64 -O$level -g -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=WIDE; done
#include "device.h"

NOINLINE u32 work(volatile u32 *p, u32 n) {
  u32 sum = 0;
  for (u32 i = 0; i < n; ++i)
    sum += p[i];
  return sum;
}
KERNEL void caller(volatile u32 *p, u32 n) {
  SHARED u32 tile[64];
  enter("a");
  tile[lane()] = p[lane()];
  __builtin_amdgcn_s_barrier();
  if (lane() & 1)
    p[lane()] = tile[63 - lane()];
  leave("a");
  p[3] = work(p, n);
  __hip_atomic_fetch_add((u32 *)p, 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
// CHECK-DAG: F:{{[0-9]+}}:_Z4workPVjj@{{.*}}every_level.hip:
// CHECK-DAG: P:{{[0-9]+}}:addr_trace_load@{{.*}}every_level.hip:14
// CHECK-DAG: P:{{[0-9]+}}:addr_trace_lds_store@{{.*}}every_level.hip:20
// CHECK-DAG: P:{{[0-9]+}}:addr_trace_lds_load@{{.*}}every_level.hip:23
// CHECK-DAG: P:{{[0-9]+}}:addr_trace_store@{{.*}}every_level.hip:23
// CHECK-DAG: P:{{[0-9]+}}:addr_trace_atomic@{{.*}}every_level.hip:26
// ASM-DAG: v_readlane_b32
// ASM-DAG: exec_hi
// WIDE: W:64
// WIDE-NOT: extra_payload_count={{34|66}}{{$}}
// WIDE: extra_payload_count=130{{$}}
