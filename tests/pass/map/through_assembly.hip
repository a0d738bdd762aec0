// The map is the same when the compile goes through assembly text or saved intermediate files.
// RUN: %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co > %t.rows
// RUN: %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -S -o %t.s
// RUN: %clang -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -x assembler %t.s -o %t.2.co
// RUN: %rows %t.2.co | cmp - %t.rows
// RUN: %FileCheck %s < %t.rows
#include "device.h"

KERNEL void plain() { point("quote \" backslash \\ newline \n utf8 \xc3\xa9"); }
// CHECK: {{^}}K:_Z5plainv
// CHECK-NEXT: P:1:quote " backslash \ newline %0A utf8 é
// CHECK-NEXT: <NUL>
