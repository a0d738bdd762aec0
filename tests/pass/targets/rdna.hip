// Every RDNA target, either wave size: the immediate form, HW_ID1 and HW_ID2; all features compile, optimized or not.
// RUN: check() { arch=$1; level=$2; wave=$4; \
// RUN:   SQTT_SCOPE_WAVE=0xff SQTT_SCOPE_SIMD=1 SQTT_SCOPE_WG=1 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=2:4 \
// RUN:   %hip --offload-arch=$arch -mcode-object-version=$3 $wave -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s; \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_TRACE_ADDRESSES=memory,lds \
// RUN:   %hip --offload-arch=$arch -mcode-object-version=$3 $wave -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=LANES; \
// RUN:   if [ "$wave" = -mwavefrontsize64 ]; then %rows %t.co | grep -Fx W:64; else %rows %t.co | grep -Fx W:32; fi; }; \
// RUN:   for level in 0 2; do for arch in gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1201; do \
// RUN:   check $arch $level 5 -mno-wavefrontsize64; check $arch $level 5 -mwavefrontsize64; done; \
// RUN:   for arch in gfx10-1-generic gfx10-3-generic gfx11-generic; do check $arch $level 6 -mno-wavefrontsize64; done; \
// RUN:   if [ %llvm = 22 ]; then check gfx12-generic $level 6 -mno-wavefrontsize64; check gfx1250 $level 5 -mno-wavefrontsize64; fi; done
#include "features.h"
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_{{(WAVE_)?}}HW_ID1, 0, 5)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_{{(WAVE_)?}}HW_ID1, 8, 2)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_{{(WAVE_)?}}HW_ID1, 10, 4)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_{{(WAVE_)?}}HW_ID2, 16, 5)
// CHECK-DAG: s_ttracedata_imm
// LANES: v_readlane_b32
