// named scopes, points, fusion, duplicate names across kinds
#include "sqtt_case.h"
KERNEL void k01(float* out, const float* in, u32 n) {
  u32 i = bid() * 256 + tid();
  if (i >= n) { mk_point("oob"); return; }
  mk_enter("load");
  float v = in[i];
  mk_exit("load"); mk_enter("math");
  v = v * v + 2.0f;
  mk_enter("inner"); v = v / (v + 3.0f); mk_exit("inner");
  mk_exit("math");
  mk_point("load");            // same text as a scope, different kind
  mk_enter("load");
  out[i] = v;
  mk_exit("load");
}
