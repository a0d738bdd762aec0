// A pattern matches the whole name: as linked, as the source has it with parameters, or the qualified name alone; `*` and `?` stand for text.
// RUN: for pattern in _ZN4math5twiceEj 'math::twice(unsigned int)' math::twice '*::twice' 'math::tw?ce*' '_ZN4math5twice*' ' math::twice , nothing'; do \
// RUN:   for level in 0 2; do SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE="$pattern" \
// RUN:   %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2>/dev/null; \
// RUN:   %rows %t.co | %FileCheck %s --implicit-check-not=F:; done; done
// A part of the name does not match.
// RUN: for pattern in twice 'math::' 'math::twic' 'math::twice()'; do \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE="$pattern" \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2>/dev/null; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=NONE; done
#include "device.h"

namespace math {
NOINLINE u32 twice(u32 a) { return a * 2 + a / 3; }
NOINLINE u32 thrice(u32 a) { return a * 3 + a / 7; }
} // namespace math
KERNEL void caller(u32 *p) { p[0] = math::twice(p[1]) + math::thrice(p[2]); }
// CHECK: F:1:_ZN4math5twiceEj{{$}}
// NONE-NOT: F:
// NONE: K:_Z6callerPj
