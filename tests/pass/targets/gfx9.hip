// Every gfx9 target: no immediate form, HW_ID, waves of 64 lanes; all features compile, optimized or not.
// RUN: check() { arch=$1; level=$2; \
// RUN:   SQTT_SCOPE_WAVE=0xff SQTT_SCOPE_SIMD=1 SQTT_SCOPE_WG=1 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=2:4 \
// RUN:   %hip --offload-arch=$arch -mcode-object-version=$3 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata_imm --implicit-check-not=HW_ID1; \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_TRACE_ADDRESSES=memory,lds \
// RUN:   %hip --offload-arch=$arch -mcode-object-version=$3 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=LANES --implicit-check-not=s_ttracedata_imm; \
// RUN:   %rows %t.co | grep -Fx W:64; }; \
// RUN:   for level in 0 2; do for arch in gfx900 gfx906 gfx908 gfx90a gfx90c gfx942; do check $arch $level 5; done; \
// RUN:   check gfx9-generic $level 6; \
// RUN:   if [ %llvm = 22 ]; then check gfx950 $level 5; check gfx9-4-generic $level 6; fi; done
#include "features.h"
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_HW_ID, 0, 4)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_HW_ID, 4, 2)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_HW_ID, 8, 4)
// CHECK-DAG: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_HW_ID, 16, 4)
// CHECK: s_ttracedata
// LANES: v_readlane_b32
