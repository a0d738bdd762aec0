// With the plugin loaded and everything off, or everything filtered out, a kernel takes what it takes without the plugin.
// RUN: resources() { %readelf --notes "$1" | grep -E '[sva]gpr_count|gpr_spill_count|segment_fixed_size|uses_dynamic_stack'; }; \
// RUN:   for arch in gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 0 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level %s -o %t.co; resources %t.co > %t.plain; test "$(wc -l < %t.plain)" -ge 7; \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; resources %t.co | diff %t.plain -; \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE=no_such_function \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co 2>%t.err; resources %t.co | diff %t.plain -; \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_EXCLUDE='*' \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; resources %t.co | diff %t.plain -; \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=100000 \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; resources %t.co | diff %t.plain -; done; done
#include "device.h"

static DEVICE u32 step(u32 a, u32 b) { return a * 1103515245 + (b ^ (a >> 16)); }
NOINLINE u32 sum(u32 *p, u32 n) {
  u32 local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (u32 i = 0; i < n; ++i)
    local[p[i] & 7] += step(p[i], i);
  return local[n & 7];
}
KERNEL void work(u32 *p, u32 n) {
  SHARED u32 tile[256];
  u32 scratch[16];
  tile[lane()] = p[lane()];
  __builtin_amdgcn_s_barrier();
  for (u32 i = 0; i < 16; ++i)
    scratch[(i * n) & 15] = step(tile[(lane() + i) & 255], i);
  p[lane()] = sum(p, scratch[lane() & 15]);
}
