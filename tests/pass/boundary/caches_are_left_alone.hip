// The fences of a marker never write back or invalidate a cache, and in asm and none mode cost no instruction at all.
// RUN: for arch in gfx906 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do \
// RUN:   SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=FENCE --implicit-check-not=_inv --implicit-check-not=_wb; done
// RUN: for arch in gfx942 gfx1030 gfx1100 gfx1201; do for mode in asm none; do \
// RUN:   SQTT_MEM_BARRIER=$mode SQTT_SCOPE_CU=-1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=FREE --implicit-check-not=wait; done; done
#include "device.h"

KERNEL void one() { point("here"); }
// FENCE: s_ttracedata
// FREE: <_Z3onev>:
// FREE-COUNT-1: s_ttracedata
// FREE-NEXT: s_endpgm
