// In the machine code of every level the point stands in front of its barrier and behind what the barrier waits for.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100; do for level in 0 1 2 3 s; do \
// RUN:   SQTT_INSTRUMENT_BARRIERS=1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not=s_barrier; done; done
// RUN: for arch in gfx1200 gfx1201; do for level in 0 1 2 3 s; do \
// RUN:   SQTT_INSTRUMENT_BARRIERS=1 %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=SPLIT --implicit-check-not=s_ttracedata; done; done
#include "device.h"

KERNEL __attribute__((amdgpu_flat_work_group_size(256, 256))) void reverse(u32 *p) {
  SHARED u32 tile[256];
  tile[lane()] = p[lane()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[lane()] = tile[255 - lane()];
}
// CHECK-LABEL: <_Z7reversePj>:
// CHECK: {{ds_write_b32|ds_store_b32|flat_store_(b32|dword )}}
// CHECK: s_ttracedata
// CHECK-NOT: {{ds_|global_|flat_}}
// CHECK: s_barrier
// CHECK: {{ds_read_b32|ds_load_b32|flat_load_(b32|dword )}}
// SPLIT-LABEL: <_Z7reversePj>:
// SPLIT: {{ds|flat}}_store_b32
// SPLIT: s_ttracedata_imm 0xc
// SPLIT-NOT: {{ds_|global_|flat_}}
// SPLIT: s_barrier_signal
// SPLIT: s_barrier_wait
// SPLIT: {{ds|flat}}_load_b32
