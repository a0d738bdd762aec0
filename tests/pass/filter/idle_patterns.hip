// A pattern that matches no function is a warning, once, with the nearest names; those that match are not mentioned.
// RUN: for level in 0 2; do SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE='block_sun,tile_load' SQTT_FUNCTIONS_EXCLUDE='qqqq*' \
// RUN:   %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2>%t.err; \
// RUN:   %FileCheck %s --implicit-check-not=SQTT: < %t.err; %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=F:; done
// A kernel is no function of that kind: a pattern for one is idle.
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_FUNCTIONS_INCLUDE='reduce' \
// RUN:   %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=KERNEL
// Without function markers the lists have nothing to say.
// RUN: SQTT_FUNCTIONS_INCLUDE=nothing %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2>&1 | count 0
#include "device.h"

NOINLINE u32 block_sum(u32 a) { return a * 2 + a / 3; }
NOINLINE u32 tile_load(u32 a) { return a * 3 + a / 7; }
KERNEL void reduce(u32 *p) { p[0] = block_sum(p[1]) + tile_load(p[2]); }
//  CHECK: SQTT: warning: SQTT_FUNCTIONS_INCLUDE: `block_sun` matches no function of this module; nearest: block_sum
//  CHECK: SQTT: warning: SQTT_FUNCTIONS_EXCLUDE: `qqqq*` matches no function of this module{{$}}
//   ROWS: F:1:_Z9tile_loadj{{$}}
// KERNEL: SQTT: warning: SQTT_FUNCTIONS_INCLUDE: `reduce` matches no function of this module
