// A value that a variable does not take: a warning in the reference's words (it says nothing of a bad threshold), and the default; the compile goes on.
// RUN: SQTT_SCOPE_CU=zzz SQTT_MEM_BARRIER=strong SQTT_INSTRUMENT_MEMORY=4 SQTT_TRACE_ADDRESSES=scratch \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=abc SQTT_SHADER_CLOCK_BITS=x \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2> %t.err
// RUN: %FileCheck %s --match-full-lines < %t.err
// RUN: SQTT_SCOPE_SIMD=1x %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=SIMD --match-full-lines
// RUN: %disassemble %t.co | %FileCheck %s --check-prefix=CODE
#include "device.h"

KERNEL void plain() { point("p"); }
//      CHECK:SQTT: warning: invalid value for SQTT_MEM_BARRIER='strong', expected one of {none|asm|fence|0|1|2}, using default
// CHECK-NEXT:SQTT: warning: invalid value for SQTT_SCOPE_CU='zzz', using default
// CHECK-NEXT:SQTT: warning: invalid value for SQTT_SHADER_CLOCK_BITS='x', using default
// CHECK-NEXT:SQTT: warning: invalid value for SQTT_INSTRUMENT_FUNCTIONS='abc', using default
// CHECK-NEXT:SQTT: warning: invalid SQTT_INSTRUMENT_MEMORY format '4', expected N:M
// CHECK-NEXT:SQTT: warning: unknown SQTT_TRACE_ADDRESSES category 'scratch'
// CHECK-NOT: {{.+}}
// SIMD: SQTT: warning: invalid value for SQTT_SCOPE_SIMD='1x', using default
// The default scope and fences are there.
// CODE: hwreg(HW_REG_HW_ID1, 10, 4)
// CODE: s_ttracedata_imm 0x4
