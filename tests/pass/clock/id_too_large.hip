// An id that the packed layout has no bits for is an error that names both; the last one that fits compiles.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SHADER_CLOCK_BITS=28 %hip --offload-arch=gfx1201 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   rm -f %t.co; status=0; \
// RUN:   SQTT_SHADER_CLOCK_BITS=28 %hip --offload-arch=gfx1201 -O$level -DMORE -fpass-plugin=%plugin %s -o %t.co 2>%t.err || status=$?; \
// RUN:   test $status = 1; test ! -e %t.co; \
// RUN:   %FileCheck %s --implicit-check-not=PLEASE --implicit-check-not=Stack --implicit-check-not=fatal < %t.err; done
// On a target that packs nothing it is none.
// RUN: SQTT_SHADER_CLOCK_BITS=28 %hip --offload-arch=gfx1100 -O2 -DMORE -fpass-plugin=%plugin %s -o %t.co
#include "device.h"

KERNEL void caller() {
  point("a");
  point("b");
  point("c");
#ifdef MORE
  point("d");
#endif
}
// CHECK: error: sqtt: {{.*}}4{{.*}}SQTT_SHADER_CLOCK_BITS=28
