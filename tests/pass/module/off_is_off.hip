// Nothing enabled and no marker in the source: what comes out is what comes out without the plugin, the K rows excepted.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 0 1 2 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -cuid=1 -g %s -S -o %t.1.s; \
// RUN:   %hip --offload-arch=$arch -O$level -cuid=1 -g -fpass-plugin=%plugin %s -S -o %t.2.s; \
// RUN:   sed -i '/^$/d' %t.1.s; \
// RUN:   sed '/^$/d; /file scope inline assembly/d; /pushsection.*sqtt_funcmap/,/popsection/d' %t.2.s | cmp - %t.1.s; \
// RUN:   %hip --offload-arch=$arch -O$level -cuid=1 -DNO_KERNEL %s -o %t.1.co; \
// RUN:   %hip --offload-arch=$arch -O$level -cuid=1 -DNO_KERNEL -fpass-plugin=%plugin %s -o %t.2.co; \
// RUN:   cmp %t.1.co %t.2.co; done; done
#include "device.h"

DEVICE u32 visible(u32 a, u32 *p) {
  u32 local[4] = {a, a, a, a};
  for (u32 i = 0; i < a; ++i)
    local[i & 3] += p[i];
  return local[a & 3];
}
#ifndef NO_KERNEL
KERNEL void caller(u32 *p) {
  SHARED u32 tile[64];
  tile[lane()] = p[lane()];
  __builtin_amdgcn_s_barrier();
  p[lane()] = visible(tile[63 - lane()], p);
}
#endif
