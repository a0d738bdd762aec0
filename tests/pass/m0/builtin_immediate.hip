// The user's own s_ttracedata_imm stays one.
// RUN: SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s --implicit-check-not=s_ttracedata
#include "device.h"

KERNEL void immediate() { __builtin_amdgcn_s_ttracedata_imm(200); }
// CHECK: s_ttracedata_imm 0xc8
