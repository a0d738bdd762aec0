// Include names what is instrumented, exclude what is not; exclude wins. Without either all are.
// RUN: run() { SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE="$1" SQTT_FUNCTIONS_EXCLUDE="$2" \
// RUN:   %hip --offload-arch=gfx1100 -O$3 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | sed -n 's/^F:[0-9]*://p' | sort | paste -sd' '; }; for level in 0 2; do \
// RUN:   test "$(run '' '' $level)" = "_Z5alphaj _Z5betaaj _Z5gammaj"; \
// RUN:   test "$(run 'alpha,gamma' '' $level)" = "_Z5alphaj _Z5gammaj"; \
// RUN:   test "$(run '' 'alpha' $level)" = "_Z5betaaj _Z5gammaj"; \
// RUN:   test "$(run '*a' 'gam*' $level)" = "_Z5alphaj _Z5betaaj"; \
// RUN:   test "$(run 'alpha' 'alpha' $level)" = ""; \
// RUN:   test "$(run '*' '*' $level)" = ""; \
// RUN:   test "$(run ' , ,' ',' $level)" = "_Z5alphaj _Z5betaaj _Z5gammaj"; done
#include "device.h"

NOINLINE u32 alpha(u32 a) { return a * 2 + a / 3; }
NOINLINE u32 betaa(u32 a) { return a * 3 + a / 7; }
NOINLINE u32 gamma(u32 a) { return a * 5 + a / 11; }
KERNEL void kernel(u32 *p) { p[p[9]] = alpha(p[1]) + betaa(p[2]) + gamma(p[3]) + __builtin_amdgcn_workitem_id_x(); }
