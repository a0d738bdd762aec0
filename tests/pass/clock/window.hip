// Every header of gfx12 carries the clock window that the settings name, through M0; no immediate form is left.
// RUN: for arch in gfx1200 gfx1201; do for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co > %t.s; %FileCheck %s --implicit-check-not=s_ttracedata_imm < %t.s; \
// RUN:   test $(grep -c 's_ttracedata ' %t.s) = $(grep -c 'hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)' %t.s); \
// RUN:   %rows %t.co | head -1 | grep -Fx 'M:shader_clock_bits=12;shader_clock_shift=4'; done; done
// Other windows of the low word.
// RUN: for window in '8 0' '1 31' '29 3' '16 16'; do set -- $window; \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=$1 SQTT_SHADER_CLOCK_SHIFT=$2 \
// RUN:   %hip --offload-arch=gfx1201 -O2 -DONE_NAME -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=OTHER -DWINDOW="$2, $1" --implicit-check-not=s_ttracedata_imm; \
// RUN:   %rows %t.co | head -1 | grep -Fx "M:shader_clock_bits=$1;shader_clock_shift=$2"; done
#include "device.h"

NOINLINE u32 work(volatile u32 *p) { return p[0] * p[1] + p[2]; }
KERNEL void caller(volatile u32 *p) {
  point("a");
#ifndef ONE_NAME
  enter("b");
  p[0] = work(p);
  __builtin_amdgcn_s_barrier();
  leave("b");
#endif
}
// CHECK: s_getreg_b32 [[CLOCK:s[0-9]+]], hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)
// CHECK: s_ttracedata
// OTHER: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_SHADER_CYCLES_LO, [[WINDOW]])
// OTHER: s_mov_b32 m0, s
// OTHER-NEXT: s_nop 0
// OTHER-NEXT: s_ttracedata
