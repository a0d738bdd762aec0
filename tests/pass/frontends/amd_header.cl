// The header in AMD's newer spelling gives the same markers in C, in OpenCL C, and in C++, where it is markers.hpp.
// RUN: for level in 0 2; do for language in c cl c++; do \
// RUN:   SQTT_SCOPE_CU=-1 %clang -x $language --target=amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -O$level -I%headers \
// RUN:     -Wall -Wextra -Wpedantic -Werror -DAMD_SQTT_MARKER_ENABLE=1 -fpass-plugin=%plugin -c %s -o %t.o; \
// RUN:   %rows %t.o | %FileCheck %s --check-prefix=ROWS --match-full-lines; \
// RUN:   %disassemble %t.o | %FileCheck %s --implicit-check-not=s_ttracedata; \
// RUN: done; done
// Off it leaves nothing behind.
// RUN: for language in c cl c++; do for off in -DAMD_SQTT_MARKER_ENABLE=0 -USQTT_ENABLED; do \
// RUN:   %clang -x $language --target=amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -O0 -I%headers -Wall -Wextra -Werror $off \
// RUN:     -fpass-plugin=%plugin -c %s -o %t.o; \
// RUN:   %disassemble %t.o | %FileCheck %s --check-prefix=OFF --implicit-check-not=s_ttracedata; \
// RUN: done; done
#include <amd_sqtt_marker/sqtt_marker.h>

void use(unsigned id);
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x8
// CHECK: s_ttracedata_imm 0xc
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata{{ }}
// CHECK: s_ttracedata_imm 0x1
// OFF: use
void use(unsigned id) {
  sqtt_marker_enter("scope");
  sqtt_marker_point("point");
  sqtt_marker_data("data", id);
  sqtt_marker_point_id(7);
  sqtt_marker_enter_id(9);
  sqtt_marker_exit_id(9);
  sqtt_marker_exit("scope");
}
//      ROWS: U:1:scope
// ROWS-NEXT: P:2:point
// ROWS-NEXT: P:3:data
// ROWS-NEXT: R:3:extra_payload_count=1
