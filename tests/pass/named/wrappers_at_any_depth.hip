// A function that passes its own argument on as the name is a wrapper, at any depth and even if noinline: each caller's name counts.
// RUN: for level in 0 1 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=P:; done
#include "device.h"

static NOINLINE void inner(const char *name) { __sqtt_named_marker_point(name); }
static NOINLINE void middle(int, const char *name) { inner(name); }
static NOINLINE void outer(const char *name) { middle(3, name); }

KERNEL void deep(volatile u32 *p) {
  outer("one");
  p[0] = 1;
  middle(1, "two");
  p[1] = 2;
  inner("three");
}
// SILENT: {{^}}
// ROWS-DAG: P:{{[0-9]+}}:one
// ROWS-DAG: P:{{[0-9]+}}:two
// ROWS-DAG: P:{{[0-9]+}}:three
