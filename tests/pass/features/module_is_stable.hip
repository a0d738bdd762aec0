// The same input gives the same code object, byte for byte, with every feature on.
// RUN: for level in 0 2; do for settings in SQTT_INSTRUMENT_MEMORY=2:2 SQTT_TRACE_ADDRESSES=memory,lds; do \
// RUN:   for n in 1 2; do env $settings SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 \
// RUN:     %hip --offload-arch=gfx1100 -O$level -g -cuid=1 -fpass-plugin=%plugin %s -o %t.$n.co; done; cmp %t.1.co %t.2.co; done; done
#include "features.h"
