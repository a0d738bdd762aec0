// Bitcode that is compiled again: what an optimizer moved between a record and the read of its lane does no harm, markers
// and payloads stay as they are, and the map is the same.
// RUN: for arch in gfx942 gfx1100 gfx1201; do for settings in SQTT_INSTRUMENT_MEMORY=2:2 SQTT_TRACE_ADDRESSES=memory,lds; do \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O2 -fpass-plugin=%plugin %s -o %t.co; %rows %t.co > %t.rows; \
// RUN:   env $settings SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=$arch -O2 -emit-llvm -c -fpass-plugin=%plugin %s -o %t.bc; \
// RUN:   %ir -mcpu=$arch -O2 -fpass-plugin=%plugin %t.bc -o %t.again.co; %rows %t.again.co | cmp - %t.rows; \
// RUN:   for file in %t.co %t.again.co; do %disassemble "$file" | grep -c s_ttracedata > "$file.count"; done; \
// RUN:   cmp %t.co.count %t.again.co.count; \
// RUN:   %hip --offload-arch=$arch -O2 -save-temps=obj -fpass-plugin=%plugin %s -o %t.saved.co; %rows %t.saved.co > /dev/null; done; done
#include "features.h"
