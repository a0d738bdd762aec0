// REQUIRES: llvm22
// gfx12-generic reads the register too.
// RUN: SQTT_SCOPE_CU=-1 SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=gfx12-generic -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata_imm
#include "device.h"

KERNEL void caller() { point("a"); }
// CHECK: s_getreg_b32 s{{[0-9]+}}, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)
// CHECK: s_ttracedata
