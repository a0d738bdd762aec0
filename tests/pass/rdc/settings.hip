// Each unit keeps the settings that it was compiled with; the link's own environment changes nothing.
// RUN: SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=1 -fpass-plugin=%plugin %s -o %t.1.bc
// RUN: SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=4 SQTT_INSTRUMENT_BARRIERS=1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=2 -fpass-plugin=%plugin %s -o %t.2.bc
// A unit that the plugin never saw, and one with nothing to trace.
// RUN: %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=3 %s -o %t.3.bc
// RUN: SQTT_LINKS_LATER=1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=4 -fpass-plugin=%plugin %s -o %t.4.bc
// RUN: for settings in SQTT_OFF=0 'SQTT_SCOPE_CU=bad SQTT_SHADER_CLOCK_BITS=99 SQTT_TRACE_ADDRESSES=memory SQTT_INSTRUMENT_MEMORY=1:1 SQTT_INSTRUMENT_FUNCTIONS=1'; do \
// RUN:   env $settings bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc %t.3.bc %t.4.bc 2> %t.errors; test ! -s %t.errors; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=ROWS; %disassemble %t.co | %FileCheck %s; done
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
KERNEL void NAME(kernel)(volatile u32 *p) {
#if UNIT < 3
  enter("work");
  p[0] = p[1] * p[2];
  leave("work");
#endif
  __builtin_amdgcn_s_barrier();
}
// ROWS: {{^}}K:_Z7kernel1PVj
// ROWS-NEXT: K:_Z7kernel2PVj
// ROWS-NEXT: K:_Z7kernel3PVj
// ROWS-NEXT: K:_Z7kernel4PVj
// ROWS-NEXT: U:1:work
// ROWS-NEXT: P:2:barrier_signal
// ROWS-NEXT: P:3:barrier_wait
// ROWS-NEXT: P:4:barrier
// ROWS-NEXT: <NUL>
// ROWS-NOT: {{.}}
// CHECK-LABEL: <_Z7kernel1PVj>:
// CHECK-NOT: s_getreg
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK-NOT: s_ttracedata
// CHECK: s_barrier
// CHECK-LABEL: <_Z7kernel2PVj>:
// CHECK: s_getreg
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_ttracedata_imm 0x10
// CHECK-LABEL: <_Z7kernel3PVj>:
// CHECK-NOT: s_ttracedata
