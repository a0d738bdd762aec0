// Control bytes, outer blanks, '@' and what looks like an escape are percent-encoded in names: no name can break the map.
// RUN: SQTT_SCOPE_CU=-1 SQTT_INSTRUMENT_FUNCTIONS=1 %hip --offload-arch=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --match-full-lines --strict-whitespace
#include "device.h"

NOINLINE u32 odd(volatile u32 *p) __asm__("odd@name\n");
NOINLINE u32 odd(volatile u32 *p) { return p[0] * p[1] + p[2]; }

KERNEL void names(volatile u32 *p) {
  point("two\nlines"); p[0] = 0;
  point("cr\r tab\t del\x7f"); p[0] = 0;
  point(" blanks around "); p[0] = 0;
  point("in the middle"); p[0] = 0;
  point("a@b.c:1"); p[0] = 0;
  point("100% of %41 and %4x"); p[0] = 0;
  point("ends here\0not here"); p[0] = 0;
  point("utf8-\xc3\xa9"); p[0] = 0;
  point("q\"uote \\ slash"); p[0] = odd(p);
}
//      CHECK:F:1:odd%40name%0A
// CHECK-NEXT:K:_Z5namesPVj
// CHECK-NEXT:P:2:two%0Alines
// CHECK-NEXT:P:3:cr%0D tab%09 del%7F
// CHECK-NEXT:P:4:%20blanks around%20
// CHECK-NEXT:P:5:in the middle
// CHECK-NEXT:P:6:a%40b.c:1
// CHECK-NEXT:P:7:100% of %2541 and %4x
// CHECK-NEXT:P:8:ends here
// CHECK-NEXT:P:9:utf8-é
// CHECK-NEXT:P:10:q"uote \ slash
// CHECK-NEXT:<NUL>
