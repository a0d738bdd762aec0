// What a link cannot renumber is reported: markers of a compile that was for no link, and thin LTO.
// RUN: for unit in 1 2; do SQTT_LINKS_LATER=$unit SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -emit-llvm -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.bc; done
// RUN: bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.bc %t.2.bc 2>&1 | %FileCheck %s --check-prefix=WARNING
// RUN: %rows %t.co | %FileCheck %s
// RUN: for unit in 1 3; do SQTT_LINKS_LATER=1 SQTT_SCOPE_CU=-1 %hip --offload-arch=gfx1100 -O2 -fgpu-rdc -foffload-lto=thin -c -DUNIT=$unit -fpass-plugin=%plugin %s -o %t.$unit.thin.bc; done
// RUN: not bash %S/../inputs/rdc.sh %lld gfx1100 %plugin %t.co %t.1.thin.bc %t.3.thin.bc 2>&1 | %FileCheck %s --check-prefix=THIN
#include "device.h"

#define NAME2(name, unit) name##unit
#define NAME1(name, unit) NAME2(name, unit)
#define NAME(name) NAME1(name, UNIT)
DEVICE u32 function(u32);
KERNEL void NAME(kernel)(volatile u32 *p) {
  enter("both");
  p[0] = p[1] * p[2];
  leave("both");
#if UNIT == 3
  p[0] = function(p[1]);
#endif
}
#if UNIT == 1
DEVICE u32 function(u32 a) { point("inside"); return a * a; }
#endif
// WARNING: warning: {{.*}}sqtt: some units have markers that were not made for a link with others
// CHECK: {{^}}K:_Z7kernel2PVj
// CHECK: <NUL>
// CHECK: K:_Z7kernel1PVj
// CHECK-NEXT: K:_Z7kernel2PVj
// CHECK: <NUL>
// THIN: error: {{.*}}sqtt: thin device LTO cannot give the markers of all units ids of their own
