// A payload where headers are packed is an error at the marker's place; nothing is written and no crash is reported.
// RUN: fails() { rm -f %t.co; status=0; SQTT_SHADER_CLOCK_BITS=8 "$@" -fpass-plugin=%plugin %s -o %t.co 2>%t.err || status=$?; \
// RUN:   test $status = 1; test ! -e %t.co; } ; \
// RUN:   for level in 0 2; do fails %hip --offload-arch=gfx1201 -O$level -g -DDATA; \
// RUN:   %FileCheck %s --check-prefix=DATA --implicit-check-not=PLEASE --implicit-check-not=Stack --implicit-check-not=fatal < %t.err; \
// RUN:   SQTT_TRACE_ADDRESSES=memory fails %hip --offload-arch=gfx1201 -O$level -g; \
// RUN:   %FileCheck %s --check-prefix=ADDRESS --implicit-check-not=PLEASE --implicit-check-not=Stack --implicit-check-not=fatal < %t.err; done
// Without debug information the place is the function's.
// RUN: status=0; SQTT_SHADER_CLOCK_BITS=8 %hip --offload-arch=gfx1200 -O2 -DDATA -fpass-plugin=%plugin %s -o %t.co 2>%t.err || status=$?; \
// RUN:   test $status = 1; %FileCheck %s --check-prefix=PLAIN < %t.err
#include "device.h"

KERNEL void caller(u32 *p) {
  enter("a");
#ifdef DATA
  __sqtt_named_marker_data("d", 5); // :16
#endif
  p[0] = 1;                         // :18
  leave("a");
}
// DATA: payload_conflict.hip:16:3: error: sqtt: payload markers require SQTT_SHADER_CLOCK_BITS=0
// ADDRESS: payload_conflict.hip:18:{{[0-9]+}}: error: sqtt: payload markers require SQTT_SHADER_CLOCK_BITS=0
// PLAIN: payload_conflict.hip:{{[0-9]+}}:{{[0-9]+}}: error: sqtt: payload markers require SQTT_SHADER_CLOCK_BITS=0
