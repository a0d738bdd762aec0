// A named marker with data is an error until data markers are there: dropping it silently would lose a record.
// RUN: for level in 0 2; do not %hip --offload-arch=gfx1100 -O$level -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s; done
#include "device.h"

KERNEL void plain() { __sqtt_named_marker_data("p", 5); }
// CHECK: error: {{.*}}sqtt: {{.*}}not supported yet
