// The place of an operation is the whole chain of inlined calls, innermost first; each operation has an id of its own.
// RUN: for arch in gfx90a gfx1100; do for debug in -g -gline-tables-only; do SQTT_TRACE_ADDRESSES=memory \
// RUN:   %hip --offload-arch=$arch -O2 $debug -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | grep -v ^R | %FileCheck %s --match-full-lines; done; done
// Without line tables there is no place.
// RUN: SQTT_TRACE_ADDRESSES=memory %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | grep -v ^R | %FileCheck %s --check-prefix=PLAIN --match-full-lines
#include "device.h"

static DEVICE u32 fetch(volatile u32 *p) { return *p; }                 // :10
static DEVICE u32 pair(volatile u32 *p) { return fetch(p) + fetch(p + 1); } // :11
NOINLINE u32 kept(volatile u32 *p) { return fetch(p); }                 // :12
KERNEL void caller(volatile u32 *p) {
  *p = pair(p) + pair(p + 4) + kept(p);                                 // :14
}
//      CHECK: K:_Z6callerPVj@{{[^ ]*}}inline_chain.hip:13
// CHECK-NEXT: W:{{32|64}}
// CHECK-NEXT: P:1:addr_trace_load@{{[^ ]*}}inline_chain.hip:10 -> {{[^ ]*}}inline_chain.hip:12
// CHECK-NEXT: P:2:addr_trace_load@{{[^ ]*}}inline_chain.hip:10 -> {{[^ ]*}}inline_chain.hip:11 -> {{[^ ]*}}inline_chain.hip:14
// CHECK-NEXT: P:3:addr_trace_load@{{[^ ]*}}inline_chain.hip:10 -> {{[^ ]*}}inline_chain.hip:11 -> {{[^ ]*}}inline_chain.hip:14
// CHECK-NEXT: P:4:addr_trace_load@{{[^ ]*}}inline_chain.hip:10 -> {{[^ ]*}}inline_chain.hip:11 -> {{[^ ]*}}inline_chain.hip:14
// CHECK-NEXT: P:5:addr_trace_load@{{[^ ]*}}inline_chain.hip:10 -> {{[^ ]*}}inline_chain.hip:11 -> {{[^ ]*}}inline_chain.hip:14
// CHECK-NEXT: P:6:addr_trace_store@{{[^ ]*}}inline_chain.hip:14
// CHECK-NEXT: <NUL>
//      PLAIN: K:_Z6callerPVj
// PLAIN-NEXT: W:32
// PLAIN-NEXT: P:1:addr_trace_load
// PLAIN-NEXT: P:2:addr_trace_load
// PLAIN-NEXT: P:3:addr_trace_load
// PLAIN-NEXT: P:4:addr_trace_load
// PLAIN-NEXT: P:5:addr_trace_load
// PLAIN-NEXT: P:6:addr_trace_store
// PLAIN-NEXT: <NUL>
