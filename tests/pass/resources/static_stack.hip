// No marker turns a kernel's static stack into a dynamic one: every feature, optimized or not, under the default scope.
// RUN: for arch in gfx90a gfx942 gfx1100 gfx1201; do for level in 0 2; do \
// RUN:   for settings in SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory,lds SQTT_MEM_BARRIER=none; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %readelf --notes %t.co | %FileCheck %s --implicit-check-not='uses_dynamic_stack: true'; done; done; done
// RUN: for level in 0 2; do SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 \
// RUN:   %hip --offload-arch=gfx1201 -O$level -DNO_DATA -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %readelf --notes %t.co | %FileCheck %s --implicit-check-not='uses_dynamic_stack: true'; done
// A dynamic stack would be seen, else this test could not fail.
// RUN: %hip --offload-arch=gfx1100 -O0 -DDYNAMIC %s -o %t.co; %readelf --notes %t.co | grep 'uses_dynamic_stack: *true'
#include "device.h"

#ifdef DYNAMIC
KERNEL void dynamic(u32 *p, u32 n) {
  if (n) { // An array that is not in the entry block, as those behind a marker's guard would be.
    volatile u32 *a = (u32 *)__builtin_alloca(64);
    a[n] = 1;
    p[0] = a[3];
  }
}
#else
KERNEL void work(volatile u32 *p, u32 n) {
  SHARED u32 tile[256];
  number(400);
  __sqtt_named_marker_enter("scope");
  volatile u32 scratch[16];
  u32 id = __builtin_amdgcn_workitem_id_x();
  tile[id] = p[id];
  __builtin_amdgcn_s_barrier();
  for (u32 i = 0; i < 16; ++i)
    scratch[(i * n) & 15] = tile[(id + i) & 255];
  if (id & 1) {
    volatile u32 inner[4] = {n, id, 7, 9};
    p[id] = inner[scratch[n & 15] & 3];
  }
#ifndef NO_DATA
  __sqtt_named_marker_data("value", scratch[id & 15]);
#endif
  p[id] = scratch[id & 15];
  __sqtt_named_marker_exit("scope");
}
#endif
// CHECK: .private_segment_fixed_size: {{ *[1-9]}}
// CHECK: .uses_dynamic_stack: false
