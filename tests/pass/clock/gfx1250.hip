// REQUIRES: llvm22
// On gfx1250 the clock is an instruction's: the cycle registers read 0 there.
// RUN: for level in 0 2; do \
// RUN:   SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:   %hip --offload-arch=gfx1250 -O$level -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %disassemble %t.co > %t.s; %FileCheck %s --implicit-check-not=s_ttracedata_imm --implicit-check-not=SHADER_CYCLES < %t.s; \
// RUN:   test $(grep -c 's_ttracedata ' %t.s) = $(grep -c s_get_shader_cycles_u64 %t.s); \
// RUN:   %rows %t.co | head -1 | grep -Fx 'M:shader_clock_bits=12;shader_clock_shift=4'; done
// RUN: SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 SQTT_SHADER_CLOCK_SHIFT=7 %hip --offload-arch=gfx1250 -O2 -fpass-plugin=%plugin %s -S -emit-llvm -o - \
// RUN:   | %FileCheck %s --check-prefix=IR
#include "device.h"

NOINLINE u32 work(volatile u32 *p) { return p[0] * p[1] + p[2]; }
KERNEL void caller(volatile u32 *p) {
  enter("b");
  p[0] = work(p);
  __builtin_amdgcn_s_barrier();
  leave("b");
}
// CHECK: s_get_shader_cycles_u64
// CHECK: s_ttracedata
// IR: %[[CYCLES:.*]] = {{.*}}call i64 asm sideeffect "s_get_shader_cycles_u64 $0", "=s"()
// IR: %[[LOW:.*]] = trunc i64 %[[CYCLES]] to i32
// IR: %[[SHIFTED:.*]] = lshr i32 %[[LOW]], 7
// IR: shl i32 %[[SHIFTED]], 20
