// Something of everything that the pass marks: functions kept and inlined, scopes, data, numbers, barriers, memory of every kind.
#pragma once
#include "device.h"

static DEVICE u32 step(u32 a, u32 b) { return a * 1103515245 + (b ^ (a >> 16)); }
NOINLINE u32 sum(volatile u32 *p, u32 n) {
  u32 local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (u32 i = 0; i < n; ++i)
    local[p[i] & 7] += step(p[i], i);
  return local[n & 7];
}
KERNEL void everything(volatile u32 *p, u32 n, float *f) {
  SHARED u32 tile[256];
  u32 scratch[16];
  enter("outer");
  tile[lane()] = p[lane()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  for (u32 i = 0; i < 16; ++i)
    scratch[(i * n) & 15] = tile[(lane() + i) & 255];
  leave("outer");
  enter("inner");
  if (lane() & 1) {
    number(400);
    point("odd");
    p[lane()] = sum(p, scratch[lane() & 15]);
  } else {
    p[lane() + 1] = step(scratch[n & 15], n);
  }
  number(p[n]);
  leave("inner");
  __hip_atomic_fetch_add(&tile[n & 255], 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_add((u32 *)p, 5, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  p[5] = __builtin_amdgcn_ds_bpermute((lane() + 1) * 4, tile[lane()]);
#ifndef NO_DATA
  __sqtt_named_marker_data("value", (u32)f[lane()]);
#endif
  f[lane()] = 1;
}
