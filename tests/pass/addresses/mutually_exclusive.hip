// Address tracing and memory markers together are an error of the compile: one diagnostic, exit status 1, no output, no crash report.
// RUN: for level in 0 2; do rm -f %t.co; status=0; \
// RUN:   SQTT_TRACE_ADDRESSES=memory SQTT_INSTRUMENT_MEMORY=1:0 \
// RUN:     %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2>%t.err || status=$?; \
// RUN:   test $status = 1; test ! -e %t.co; %FileCheck %s --implicit-check-not=sqtt: --implicit-check-not=Stack --implicit-check-not=PLEASE < %t.err; done
#include "device.h"

KERNEL void caller(u32 *p) { p[lane()] = 1; }
// CHECK: error: sqtt: SQTT_TRACE_ADDRESSES and SQTT_INSTRUMENT_MEMORY are mutually exclusive
