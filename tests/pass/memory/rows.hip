// Memory markers have two ids, behind the barriers', whichever are used, and no row says more about them.
// RUN: for level in 0 2; do SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 \
// RUN:   %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --match-full-lines; done
#include "device.h"

KERNEL void idle() {}
//      CHECK: K:_Z4idlev
// CHECK-NEXT: P:1:barrier_signal
// CHECK-NEXT: P:2:barrier_wait
// CHECK-NEXT: P:3:barrier
// CHECK-NEXT: P:4:vmem_load
// CHECK-NEXT: P:5:vmem_store
// CHECK-NEXT: <NUL>
