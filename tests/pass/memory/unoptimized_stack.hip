// At -O0 locals live on the stack and are reached through flat pointers: they are no memory operations, nor is LDS.
// RUN: for arch in gfx90a gfx1100 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_MEMORY=1:0 %hip --offload-arch=$arch -O0 -fpass-plugin=%plugin %s -S -emit-llvm -o - \
// RUN:   | %FileCheck %s --implicit-check-not=s_ttracedata; done
#include "device.h"

KERNEL void caller(u32 *p) {
  SHARED u32 tile[64];
  u32 local[4] = {1, 2, 3, 4};
  u32 value = local[lane() & 3];
  tile[lane()] = value;
  local[1] = tile[5];
  u32 loaded = p[7];
  p[9] = loaded + local[2];
}
// CHECK-LABEL: @_Z6callerPj(
// CHECK: getelementptr inbounds {{.*}} 7
// CHECK: load i32
// CHECK: s_ttracedata
// CHECK: getelementptr inbounds {{.*}} 9
// CHECK: store i32
// CHECK: s_ttracedata
// CHECK: ret void
