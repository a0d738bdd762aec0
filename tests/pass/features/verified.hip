// What the pass leaves is valid IR for every combination of features, boundary, filter and level.
// RUN: for arch in gfx90a gfx1100 gfx1201; do for level in 0 2; do \
// RUN:   for settings in 'SQTT_INSTRUMENT_BARRIERS=1' 'SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0' \
// RUN:     'SQTT_INSTRUMENT_MEMORY=3:9 SQTT_SCOPE_CU=-1' 'SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none' \
// RUN:     'SQTT_TRACE_ADDRESSES=lds SQTT_MEM_BARRIER=asm SQTT_INSTRUMENT_BARRIERS=1' \
// RUN:     'SQTT_TRACE_ADDRESSES=memory,lds SQTT_SCOPE_WAVE=3 SQTT_SCOPE_WG=1 SQTT_SCOPE_SIMD=2'; do for functions in 0 1 cost:9; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=$functions %hip --offload-arch=$arch -O$level -g -fpass-plugin=%plugin \
// RUN:     -Xclang -disable-llvm-verifier %s -S -emit-llvm -o %t.ll; \
// RUN:   %opt -passes=verify -S %t.ll | %FileCheck %s --implicit-check-not=__sqtt_named_marker; done; done; done; done
#include "features.h"
// CHECK: s_ttracedata
