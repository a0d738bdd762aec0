// An address that is the same in all lanes but was loaded into a vector register is traced like any other, in all lanes.
// RUN: for arch in gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 0 1 2 3; do \
// RUN:   SQTT_TRACE_ADDRESSES=memory,lds %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s; done; done
#include "device.h"

struct node {
  node *next;
  u32 value;
};
KERNEL void loaded_pointer(u32 *volatile *p) { p[0][3] = 1; }
KERNEL void loaded_index(u32 *out) {
  SHARED u32 tile[64];
  tile[lane()] = lane();
  __builtin_amdgcn_s_barrier();
  u32 first = tile[0];
  out[first] = 4;
  out[0] = tile[first];
}
KERNEL void list(node *n) {
  for (; n; n = n->next)
    __hip_atomic_fetch_add(&n->value, 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL void permuted(volatile u32 *p) { p[1] = __builtin_amdgcn_ds_bpermute(p[0], lane()); }
// CHECK-DAG: :addr_trace_load
// CHECK-DAG: :addr_trace_store
// CHECK-DAG: :addr_trace_atomic
// CHECK-DAG: :addr_trace_lds_load
// CHECK-DAG: :addr_trace_ds_bpermute
