// Ways that never come to a return are not judged: traps, endless loops; nor is what cannot be known: calls through
// pointers. A function that calls itself counts as balanced in its own body.
// RUN: for level in 0 1 2 3 s; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   test ! -s %t.err || { cat %t.err; exit 1; }; done
#include "device.h"

KERNEL void trapped(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    p[1] = 1;
    __builtin_trap();
  }
  if (p[lane()] & 2) {
    leave("work");
    p[2] = 1;
    __builtin_trap();
  }
  p[3] = 2;
  leave("work");
}

KERNEL void unreachable(volatile u32 *p, u32 n) {
  enter("work");
  switch (n) {
  case 0:
    p[0] = 1;
    break;
  case 1:
    p[1] = 2;
    break;
  default:
    enter("never");
    __builtin_unreachable();
  }
  leave("work");
}

KERNEL void endless(volatile u32 *p) {
  enter("service");
  for (;;) {
    enter("turn");
    p[lane()] += 1;
    leave("turn");
  }
}

NOINLINE void recursive(volatile u32 *p, u32 n) {
  enter("level");
  p[n] = 1;
  if (n)
    recursive(p, n - 1);
  leave("level");
}

KERNEL void recurses(volatile u32 *p, u32 n) { recursive(p, n); }

KERNEL void indirect(volatile u32 *p, void (*function)(volatile u32 *)) {
  enter("call");
  function(p);
  leave("call");
}

NOINLINE void begin(volatile u32 *p, u32 n) {
  if (n > 4)
    __builtin_trap();
  enter("phase");
  if (n > 3)
    __builtin_trap();
  p[n] = 1;
}

KERNEL void begins(volatile u32 *p, u32 n) {
  begin(p, n);
  p[1] = 1;
  leave("phase");
}
