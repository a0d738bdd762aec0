// All four masks at once: four fields are read, a marker runs when every one of them allows it.
// RUN: SQTT_SCOPE_WAVE=0xff SQTT_SCOPE_SIMD=0x1 SQTT_SCOPE_CU=5 SQTT_SCOPE_WG=03 \
// RUN:   %hip --offload-arch=gfx90a -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=GFX9 --implicit-check-not=s_getreg
// RUN: SQTT_SCOPE_WAVE=0xff SQTT_SCOPE_SIMD=0x1 SQTT_SCOPE_CU=5 SQTT_SCOPE_WG=03 \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=GFX11 --implicit-check-not=s_getreg
#include "device.h"

KERNEL void masked() { point("p"); }
// GFX9-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID, 0, 4)
// GFX9-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID, 4, 2)
// GFX9-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID, 8, 4)
// GFX9-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID, 16, 4)
// GFX9: s_cbranch
// GFX9: s_ttracedata
// GFX11-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID1, 0, 5)
// GFX11-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID1, 8, 2)
// GFX11-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID1, 10, 4)
// GFX11-DAG: s_getreg_b32 {{.*}}hwreg(HW_REG_HW_ID2, 16, 5)
// GFX11: s_cbranch
// GFX11: s_ttracedata
