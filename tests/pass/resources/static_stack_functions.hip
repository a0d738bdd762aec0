// Nor a function's: all its arrays stay in the entry block, in front of every branch, so that what it takes is known.
// RUN: check() { awk '/^define/ { branched = 0 } / (br|switch) / { branched = 1 } / alloca / { ++n; if (branched) exit 1 } END { if (!n) exit 1 }' %t.ll; }; \
// RUN:   for arch in gfx90a gfx1100 gfx1201; do for level in 0 2; do \
// RUN:   for settings in SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory,lds SQTT_MEM_BARRIER=none; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:   %hip --offload-arch=$arch -O$level -fpass-plugin=%plugin %s -S -emit-llvm -o %t.ll; grep -q s_ttracedata %t.ll; check; done; done; done
// Optimized, the kernel that calls it has a static stack as it has without markers.
// RUN: for arch in gfx90a gfx1100; do for settings in SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory,lds; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:   %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %readelf --notes %t.co | grep 'uses_dynamic_stack: *false'; done; done
#include "features.h"
