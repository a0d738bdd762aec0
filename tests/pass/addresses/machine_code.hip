// In the machine code: header, exec_lo, exec_hi, one loop over the lanes that is not unrolled, then the operation, at every level.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do for level in 1 2 3; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co > %t.s; %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not=v_readlane < %t.s; \
// RUN:   awk '/ s_ttracedata / { if (two !~ /s_mov_b32 m0/ || one !~ /s_nop 0/) exit 1 } { two = one; one = $0 }' %t.s; done; done
// RUN-22: for arch in gfx950 gfx1250; do \
// RUN-22:   SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=$arch -O3 -fpass-plugin=%plugin %s -o %t.co; \
// RUN-22:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata --implicit-check-not=v_readlane; done
// At wave64 on RDNA the loop runs over 64 lanes.
// RUN: SQTT_SCOPE_CU=-1 SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=gfx1100 -mwavefrontsize64 -O3 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | grep -Fx W:64; %disassemble %t.co | %FileCheck %s --check-prefix=WIDE
#include "device.h"

KERNEL void caller(u32 *p) { p[lane() * 2] = 1; }
// CHECK-LABEL: <_Z6callerPj>:
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, exec_lo
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, exec_hi
// CHECK: s_ttracedata
// CHECK-DAG: v_readlane_b32
// CHECK-DAG: v_readlane_b32
// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_cbranch_scc
// CHECK: {{global|flat}}_store_
// CHECK: s_endpgm
// WIDE: s_cmp{{k?}}_{{eq|lg}}_{{[ui]}}32 s{{[0-9]+}}, 64
// WIDE: s_cbranch_scc
