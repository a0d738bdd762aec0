// llvm: 19
// flags: --offload-arch=gfx1200 -O3 -mwavefrontsize64
// setting: SQTT_INSTRUMENT_FUNCTIONS=5
// setting: SQTT_INSTRUMENT_BARRIERS=1
// setting: SQTT_INSTRUMENT_MEMORY=2:5
// setting: SQTT_SCOPE_CU=-1
// setting: SQTT_MEM_BARRIER=asm
// balance: balanced
// reason: balanced

#include "markers.hpp"

typedef unsigned u32;
#define DEVICE __attribute__((device))
#define LANE __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define UNIFORM(value) ((u32)__builtin_amdgcn_readfirstlane((int)(value)))
#define BARRIER() \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier(); \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

struct Scoped {
  DEVICE inline explicit Scoped(const char *name) { sqtt_marker_enter(name); }
  DEVICE inline ~Scoped() { sqtt_marker_exit("scoped"); }
};

static DEVICE u32 helper1(u32 *p, const u32 *q, u32 acc, u32 n, u32 m) {
  __attribute__((shared)) static u32 tile[64];
  asm volatile("" : : "v"(tile) : "memory");
  __hip_atomic_fetch_add(&p[1], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (u32 i2 = 0, count2 = 2; i2 < count2; ++i2) {
    {
      Scoped scope3("load");
      sqtt_marker_data("50%25", LANE);
      acc += q[LANE * 3 + 4];
      acc ^= tile[(LANE * 5 + 5) & 63];
    }
  }
  return acc;
}

static DEVICE u32 helper0(u32 *p, const u32 *q, u32 acc, u32 n, u32 m) {
  __attribute__((shared)) static u32 tile[64];
  asm volatile("" : : "v"(tile) : "memory");
  for (u32 i6 = 0, count6 = 1; i6 < count6; ++i6) {
    BARRIER();
    sqtt_marker_data("tile", acc);
    acc += helper1(p, q, acc + 7, n, m);
  }
  if (UNIFORM(q[8]) & 1) {
    BARRIER();
    {
      Scoped scope9("x@y");
      __hip_atomic_fetch_add(&p[10], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
    if (q[LANE + 64 * 11] & 1) {
      __hip_atomic_fetch_add(&tile[12], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
      acc += q[LANE * 3 + 13];
    } else {
      __hip_atomic_fetch_add(&tile[14], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    }
  } else {
    acc += helper1(p, q, acc + 15, n, m);
    sqtt_marker_data("store", n);
  }
  sqtt_marker_enter("load");
  if (n >> 0 & 1) {
    __hip_atomic_fetch_add(&tile[17], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    sqtt_marker_exit("load");
    return acc;
  }
  sqtt_marker_exit("load");
  return acc;
}

extern "C" __attribute__((global)) void kernel(u32 *p, const u32 *q, u32 n, u32 m) {
  u32 acc = n;
  __attribute__((shared)) static u32 tile[64];
  asm volatile("" : : "v"(tile) : "memory");
  u32 own[8] = {n, m, 3, 4, 5, 6, 7, 8};
  sqtt_marker_enter("a b");
  sqtt_marker_exit("a b");
  for (u32 i18 = 0, count18 = ((n ^ q[18]) & 3); i18 < count18; ++i18) {
    sqtt_marker_data("", n);
  }
  sqtt_marker_enter("");
  sqtt_marker_enter("a b");
  own[(acc + 19) & 7] += acc;
  acc = acc * 1664525u + (acc >> 21) + 20;
  acc += q[LANE * 3 + 21];
  sqtt_marker_exit("a b");
  if (n >> 1 & 1) {
    p[LANE + 64 * 23] = acc + 23;
    sqtt_marker_point("tile");
  } else {
    sqtt_marker_data("sum", n);
  }
  sqtt_marker_enter("sum");
  sqtt_marker_point("50%25");
  sqtt_marker_data("tile", acc);
  sqtt_marker_point("load");
  if (GROUP >> 0 & 1) {
    sqtt_marker_point("a b");
    BARRIER();
    sqtt_marker_point("load");
    sqtt_marker_exit("sum");
  } else {
    ((volatile u32 *)p)[n + 25] = acc;
    sqtt_marker_point("x@y");
    sqtt_marker_exit("sum");
  }
  sqtt_marker_exit("");
  sqtt_marker_enter("store");
  sqtt_marker_enter(1007u);
  own[(acc + 26) & 7] += acc;
  acc += helper0(p, q, acc + 27, n, m);
  p[LANE + 64 * 28] = acc + 28;
  sqtt_marker_exit(1007u);
  sqtt_marker_enter("store");
  acc = acc * 1664525u + (acc >> 30) + 29;
  p[LANE + 64 * 30] = acc + 30;
  sqtt_marker_exit("store");
  for (u32 i31 = 0, count31 = (q[LANE + 64 * 31] & 3); i31 < count31; ++i31) {
    tile[(LANE + 32) & 63] = acc;
    sqtt_marker_point("a b");
    tile[(LANE + 33) & 63] = acc;
  }
  if (LANE >> 0 & 1) {
    sqtt_marker_enter("tile");
    acc += helper1(p, q, acc + 35, n, m);
    sqtt_marker_data("load", LANE);
    sqtt_marker_data("a b", LANE);
    sqtt_marker_exit("tile");
    sqtt_marker_exit("store");
  } else {
    own[(acc + 36) & 7] += acc;
    sqtt_marker_exit("store");
  }
  sqtt_marker_enter(1004u);
  for (u32 i37 = 0, count37 = ((n ^ q[37]) & 3); i37 < count37; ++i37) {
    sqtt_marker_data("50%25", n);
    sqtt_marker_point("tile");
    own[(acc + 38) & 7] += acc;
  }
  sqtt_marker_point("store");
  sqtt_marker_data("tile", LANE);
  sqtt_marker_exit(1004u);
  if (n >> 2 & 1) {
    acc += helper1(p, q, acc + 40, n, m);
    return;
  } else {
    sqtt_marker_enter("x@y");
    sqtt_marker_exit("x@y");
  }
}
