// A wrapper that is never called, or no longer, is gone after the pass: LLVM 19 crashes on it at -O0.
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx942 -O0 -fpass-plugin=%plugin %s -o %t.co
// RUN: %hip --offload-arch=gfx942 -O0 -fpass-plugin=%plugin %s -o %t.co
// RUN: %disassemble %t.co | %FileCheck %s
#include "device.h"

static NOINLINE void used(const char *name) { __sqtt_named_marker_point(name); }
static DEVICE __attribute__((used)) void unused(const char *name) { __sqtt_named_marker_point(name); }
KERNEL void plain() { used("x"); }
// CHECK-LABEL: <_Z5plainv>:
// CHECK: s_ttracedata
