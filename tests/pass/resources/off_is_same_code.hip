// Everything filtered out: not only the resources, every line of the assembly but the map is that of a build without the plugin.
// RUN: for arch in gfx942 gfx1100; do for level in 0 2; do \
// RUN:   %hip --offload-arch=$arch -O$level -cuid=1 -S %s -o - | sed '/^$/d' > %t.plain; grep -q s_endpgm %t.plain; \
// RUN:   for settings in 'SQTT_FUNCTIONS_EXCLUDE=*' SQTT_FUNCTIONS_INCLUDE=none; do \
// RUN:   env "$settings" SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O$level -cuid=1 -fpass-plugin=%plugin -S %s -o - 2>%t.err \
// RUN:   | sed '/^$/d; /file scope inline assembly/d; /pushsection.*sqtt_funcmap/,/popsection/d' | diff %t.plain -; done; done; done
#include "device.h"

NOINLINE u32 sum(u32 *p, u32 n) {
  u32 local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (u32 i = 0; i < n; ++i)
    local[p[i] & 7] += p[i];
  return local[n & 7];
}
KERNEL void work(u32 *p, u32 n) { p[lane()] = sum(p, n) + 3; }
