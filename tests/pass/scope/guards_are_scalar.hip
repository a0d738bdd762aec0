// However many guards a function has, and also in a loop, each is one scalar comparison and one branch on its result: no lane
// mask, no vector instruction, and not a vector register more than without guards.
// RUN: registers() { %readelf --notes "$1" | sed -n 's/.*\.vgpr_count: *//p'; }; \
// RUN: archs="gfx906 gfx942 gfx1030 gfx1201"; \
// RUN: if [ %llvm -ge 20 ]; then archs="$archs gfx1250"; fi; for arch in $archs; do for level in 1 3; do \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; %disassemble %t.co > %t.s; \
// RUN:   %FileCheck %s --check-prefix=COMPARE --implicit-check-not=s_cmp --implicit-check-not=s_bitcmp < %t.s; \
// RUN:   %FileCheck %s --check-prefix=BRANCH --implicit-check-not=s_cbranch < %t.s; \
// RUN:   %FileCheck %s --check-prefix=TRACE --implicit-check-not=s_ttracedata --implicit-check-not=vcc --implicit-check-not=v_cmp \
// RUN:     --implicit-check-not=v_cndmask --implicit-check-not=exec --implicit-check-not=readlane < %t.s; \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.open.co; \
// RUN:   test "$(registers %t.co)" -le "$(registers %t.open.co)"; done; done
#include "device.h"

KERNEL void several(volatile u32 *p, u32 n) {
  enter("all");
  p[0] = 1;
  point("next");
  p[1] = 2;
  do {
    enter("iteration");
    p[2] = n;
    leave("iteration");
    p[3] = n;
  } while (--n);
  point("last");
  p[4] = 3;
  leave("all");
}
// Six guards, and the loop's own branch.
// COMPARE-COUNT-7: s_cmp_{{eq|lg}}_u32 s{{[0-9]+}}, 0
// BRANCH-COUNT-7: s_cbranch_scc
// TRACE: s_getreg_b32
// TRACE-COUNT-6: s_ttracedata
