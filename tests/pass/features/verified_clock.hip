// The same with the clock in the headers.
// RUN: for level in 0 1 2 3 s; do for settings in 'SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0' \
// RUN:     'SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none' 'SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=asm SQTT_INSTRUMENT_BARRIERS=1'; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_SHADER_CLOCK_BITS=12 %hip --offload-arch=gfx1201 -O$level -g -DNO_DATA \
// RUN:     -fpass-plugin=%plugin -Xclang -disable-llvm-verifier %s -S -emit-llvm -o %t.ll; \
// RUN:   %opt -passes=verify -S %t.ll | %FileCheck %s --implicit-check-not=__sqtt_named_marker; done; done
#include "features.h"
// CHECK: @llvm.amdgcn.s.getreg(i32 22813)
// CHECK: s_ttracedata
