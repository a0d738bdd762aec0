// The warnings can be turned off, need no debug lines, and can be kept from failing a build.
// RUN: %hip --offload-arch=gfx1100 -O2 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s
// RUN: SQTT_BALANCE=on %hip --offload-arch=gfx1100 -O0 -fno-caret-diagnostics -fpass-plugin=%plugin %s -o %t.co 2>&1 \
// RUN:   | %FileCheck %s
// RUN: for off in off 0 false no; do \
// RUN:   SQTT_BALANCE=$off %hip --offload-arch=gfx1100 -O2 -fuse-cuid=none -fpass-plugin=%plugin %s -o %t.off.co 2> %t.err; \
// RUN:   test ! -s %t.err; done
// RUN: %hip --offload-arch=gfx1100 -O2 -fuse-cuid=none -w -fpass-plugin=%plugin %s -o %t.on.co; cmp %t.off.co %t.on.co
// RUN: %hip --offload-arch=gfx1100 -O2 -Wno-pass-failed -fpass-plugin=%plugin %s -o %t.co 2> %t.err; test ! -s %t.err
// RUN: %hip --offload-arch=gfx1100 -O2 -Werror -Wno-error=pass-failed -fno-caret-diagnostics -fpass-plugin=%plugin %s \
// RUN:   -o %t.co 2>&1 | %FileCheck %s
// RUN: not %hip --offload-arch=gfx1100 -O2 -Werror -fpass-plugin=%plugin %s -o %t.co 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR
#include "device.h"

// CHECK: settings.hip:[[@LINE+2]]:{{[0-9]+}}: warning: sqtt: scope `forgotten` is still open when the kernel ends; close it before the return [-Wpass-failed]
// ERROR: settings.hip:[[@LINE+1]]:{{[0-9]+}}: error: sqtt: scope `forgotten` is still open when the kernel ends; close it before the return [-Werror,-Wpass-failed]
KERNEL void forgotten(volatile u32 *p) {
  enter("forgotten");
  p[0] = 1;
}
