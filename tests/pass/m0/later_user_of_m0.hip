// Code after a marker that needs M0 sets it anew: the pass says that a marker overwrites it.
// RUN: for arch in gfx90a gfx1030 gfx1100; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co 2> %t.err; \
// RUN:   %FileCheck %s --check-prefix=SILENT --allow-empty --implicit-check-not=arning < %t.err; \
// RUN:   %disassemble %t.co | %FileCheck %s; done
#include "device.h"

KERNEL void message(u32 n) {
  __builtin_amdgcn_s_sendmsg(1, n);
  number(300);
  __builtin_amdgcn_s_sendmsg(1, n);
}
// SILENT: {{^}}
// CHECK: s_mov_b32 m0, [[N:s[0-9]+]]
// CHECK: s_sendmsg
// CHECK: s_mov_b32 m0, 0x12c
// CHECK: s_ttracedata
// CHECK: s_mov_b32 m0, s
// CHECK: s_sendmsg
