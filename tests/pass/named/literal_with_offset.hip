// &"x"[1] is a literal too, and so is an array; an empty name is called `<unnamed>`.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --match-full-lines; done
#include "device.h"

static DEVICE const char array[] = "from array";

KERNEL void literals(volatile u32 *p) {
  point(&"skip this"[5]);
  p[0] = 0;
  point("");
  p[1] = 1;
  point(array);
  p[2] = 2;
  enter(&""[0]);
  p[3] = 3;
  leave("");
}
// SILENT: {{^}}
// CHECK: K:_Z8literalsPVj
// CHECK-NEXT: P:1:this
// CHECK-NEXT: P:2:<unnamed>
// CHECK-NEXT: P:3:from array
// CHECK-NEXT: U:4:<unnamed>
// CHECK-NEXT: <NUL>
