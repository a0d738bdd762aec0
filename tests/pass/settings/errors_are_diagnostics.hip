// What the pass refuses is an error of the compiler: exit 1, a plain message, no output, no crash report, at every level.
// RUN: check() { rm -f %t.co; status=0; \
// RUN:   env "$@" %hip --offload-arch=gfx1201 -O$level -fpass-plugin=%plugin %s -o %t.co 2> %t.err || status=$?; \
// RUN:   test $status = 1; test ! -e %t.co; \
// RUN:   %FileCheck %s --check-prefix=$prefix --implicit-check-not='PLEASE submit' --implicit-check-not='Stack dump' < %t.err; }; \
// RUN: for level in 0 2; do \
// RUN:   prefix=BOTH; check SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory; \
// RUN:   prefix=PAYLOAD; check SQTT_SHADER_CLOCK_BITS=12; \
// RUN:   prefix=LAYOUT; check SQTT_SHADER_CLOCK_BITS=12 SQTT_SHADER_CLOCK_SHIFT=21; done
#include "device.h"

KERNEL void plain() { __sqtt_named_marker_data("p", 5); }
// BOTH: error: {{.*}}sqtt: {{.*}}SQTT_TRACE_ADDRESSES and SQTT_INSTRUMENT_MEMORY
// PAYLOAD: error: {{.*}}sqtt: {{.*}}SQTT_SHADER_CLOCK_BITS
// LAYOUT: error: {{.*}}sqtt: {{.*}}{{SQTT_SHADER_CLOCK_|shader clock}}
