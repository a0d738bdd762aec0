// A setting whose feature is not there yet is an error of the compiler: exit 1, a plain message, no output, no crash report.
// RUN: for setting in SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_TRACE_ADDRESSES=memory \
// RUN:   SQTT_SHADER_CLOCK_BITS=12; do for level in 0 2; do rm -f %t.co; \
// RUN:   status=0; env $setting %hip --offload-arch=gfx1201 -O$level -fpass-plugin=%plugin %s -o %t.co 2> %t.err || status=$?; \
// RUN:   test $status = 1; test ! -e %t.co; \
// RUN:   %FileCheck %s -DNAME=${setting%%=*} --implicit-check-not='PLEASE submit' --implicit-check-not='Stack dump' < %t.err; done; done
// Off is not on.
// RUN: SQTT_INSTRUMENT_BARRIERS=0 SQTT_SHADER_CLOCK_BITS=0 SQTT_SHADER_CLOCK_SHIFT=4 SQTT_TRACE_ADDRESSES= \
// RUN:   %hip --offload-arch=gfx1201 -O2 -fpass-plugin=%plugin %s -o %t.co
#include "device.h"

KERNEL void plain() { point("p"); }
// CHECK: error: sqtt: {{.*}}[[NAME]]{{.*}}not supported yet
