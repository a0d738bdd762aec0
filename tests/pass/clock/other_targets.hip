// Targets without such a clock are not affected: the code is that without the setting, payloads and bad windows included.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100; do for layout in '12 4' '30 4' '12 30'; do set -- $layout; \
// RUN:   SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=$arch -O2 -cuid=1 -fpass-plugin=%plugin %s -o %t.1.co; \
// RUN:   SQTT_TRACE_ADDRESSES=memory SQTT_SHADER_CLOCK_BITS=$1 SQTT_SHADER_CLOCK_SHIFT=$2 \
// RUN:   %hip --offload-arch=$arch -O2 -cuid=1 -fpass-plugin=%plugin %s -o %t.2.co; \
// RUN:   cmp %t.1.co %t.2.co; done; done
#include "device.h"

KERNEL void caller(u32 *p) {
  enter("a");
  __sqtt_named_marker_data("d", p[lane()]);
  p[0] = 1;
  leave("a");
}
