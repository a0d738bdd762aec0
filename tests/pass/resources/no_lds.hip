// Markers take no LDS and no stack of their own where code is optimized.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 1 2 3; do \
// RUN:   resources() { %readelf --notes %t.co | grep -E 'segment_fixed_size'; }; \
// RUN:   %hip --offload-arch=$arch -O$level %s -o %t.co; resources > %t.plain; \
// RUN:   for settings in SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory,lds; do \
// RUN:   env $settings SQTT_INSTRUMENT_BARRIERS=1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   resources | diff %t.plain -; done; done; done
#include "device.h"

KERNEL void work(u32 *p, u32 n) {
  SHARED u32 tile[256];
  u32 scratch[16];
  tile[lane()] = p[lane()];
  __builtin_amdgcn_s_barrier();
  for (u32 i = 0; i < n; ++i)
    scratch[(i * n) & 15] = tile[(lane() + i) & 255];
  p[lane()] = scratch[lane() & 15];
}
