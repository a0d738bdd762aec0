// A window that leaves no id bit or does not fit the low word is an error of the compile, not a crash, where headers are packed.
// RUN: for layout in '30 0' '31 1' '32 0' '40 0' '12 21' '1 32' '4 99'; do for level in 0 2; do set -- $layout; rm -f %t.co; status=0; \
// RUN:   SQTT_SHADER_CLOCK_BITS=$1 SQTT_SHADER_CLOCK_SHIFT=$2 \
// RUN:   %hip --offload-arch=gfx1201 -O$level -fpass-plugin=%plugin %s -o %t.co 2>%t.err || status=$?; \
// RUN:   test $status = 1 || { echo "$layout: $status"; exit 1; }; test ! -e %t.co; \
// RUN:   %FileCheck %s --implicit-check-not=PLEASE --implicit-check-not=Stack --implicit-check-not=fatal < %t.err; done; done
// What cannot be read is warned about and packs nothing.
// RUN: for bits in -1 0x4 x 4x; do SQTT_SHADER_CLOCK_BITS=$bits %hip --offload-arch=gfx1201 -O2 -fpass-plugin=%plugin %s -o %t.co 2>%t.err; \
// RUN:   grep -F "SQTT: warning: invalid value for SQTT_SHADER_CLOCK_BITS='$bits', using default" %t.err; \
// RUN:   %rows %t.co | %FileCheck %s --check-prefix=NONE; done
#include "device.h"

KERNEL void caller() { point("a"); }
// CHECK: error: sqtt: {{.*}}{{SQTT_SHADER_CLOCK_BITS|shader clock window}}
// NONE: {{^}}K:
