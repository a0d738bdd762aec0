// What is balanced in terms of the wave gets no warning: objects, helpers, loops, joined exits, uniform ways.
// RUN: for level in 0 1 2 3 s; do \
// RUN:   %hip --offload-arch=gfx1100 -O$level -g1 -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   test ! -s %t.err || { cat %t.err; exit 1; }; done
#include "device.h"

struct Scoped {
  DEVICE Scoped(const char *name) { enter(name); }
  DEVICE ~Scoped() { leave("scoped"); }
};

struct OutOfLine {
  NOINLINE OutOfLine();
  NOINLINE ~OutOfLine();
};
NOINLINE OutOfLine::OutOfLine() { enter("object"); }
NOINLINE OutOfLine::~OutOfLine() { leave("object"); }

NOINLINE void begin(volatile u32 *p) {
  p[2] = 1;
  enter("phase");
}
NOINLINE void next(volatile u32 *p) {
  p[3] = 1;
  leave("phase");
  enter("next phase");
}
NOINLINE void end(volatile u32 *p) {
  leave("phase");
  p[4] = 1;
}

KERNEL void objects(volatile u32 *p, u32 n) {
  Scoped whole("whole");
  for (u32 i = 0; i < n; ++i) {
    OutOfLine turn;
    if (p[lane()] == i)
      continue;
    Scoped inner("inner");
    if (p[lane() + 1] == i)
      break;
    p[i] = 1;
    if (p[lane() + 2] == i)
      return;
  }
  p[5] = 1;
}

KERNEL void helpers(volatile u32 *p, u32 n) {
  begin(p);
  for (u32 i = 0; i < n; ++i)
    next(p + i);
  if (p[lane()]) {
    begin(p);
    end(p);
  }
  end(p);
}

KERNEL void lanes(volatile u32 *p) {
  enter("work");
  for (u32 i = 0; i < p[lane()]; ++i) {
    enter("turn");
    if (p[i + lane()] & 1) {
      enter("odd");
      p[i] = i;
      leave("odd");
    } else {
      enter("even");
      p[i] = i + 1;
      leave("even");
    }
    leave("turn");
  }
  leave("work");
}

// The one way out of the loop is passed once, when all lanes have come to it.
KERNEL void one_way_out(volatile u32 *p) {
  enter("work");
  for (u32 i = 0;; ++i) {
    if (p[lane()] == i) {
      leave("work");
      break;
    }
    p[i] = 1;
  }
}

// Some lanes leave by the condition, all that are left by the uniform way out.
KERNEL void uniform_break(volatile u32 *p, u32 m) {
  for (u32 i = 0; i < p[lane()]; ++i) {
    enter("turn");
    if (m == i) {
      p[1] = 1;
      leave("turn");
      break;
    }
    p[i] = i;
    leave("turn");
  }
}

KERNEL void joined(volatile u32 *p) {
  enter("work");
  if (p[lane()] & 1) {
    p[1] = 1;
    leave("work");
    return;
  }
  p[2] = 2;
  leave("work");
}

KERNEL void uniform(volatile u32 *p, u32 n) {
  enter("work");
  if (n & 1) {
    leave("work");
    p[1] = 1;
    return;
  }
  if (n & 2)
    enter("a");
  else
    enter("b");
  p[2] = 2;
  leave("a or b");
  leave("work");
  p[3] = 2;
}

KERNEL void before(volatile u32 *p, u32 n) {
  if (lane() > n)
    return;
  enter("work");
  p[lane()] = 1;
  leave("work");
}

KERNEL void switched(volatile u32 *p) {
  switch (p[lane()]) {
  case 0:
    enter("zero");
    p[1] = 1;
    leave("zero");
    break;
  case 1:
    enter("one");
    p[2] = 1;
    leave("one");
    break;
  default:
    p[3] = 1;
  }
}
