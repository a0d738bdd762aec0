// llvm: 19
// flags: --offload-arch=gfx1100 -O0 -mwavefrontsize64 -g
// setting: SQTT_INSTRUMENT_BARRIERS=1
// setting: SQTT_SCOPE_CU=-1
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

static DEVICE __attribute__((always_inline)) inline u32 helper0(u32 *p, const u32 *q, u32 acc, u32 n, u32 m) {
  __attribute__((shared)) static u32 tile[64];
  sqtt_marker_enter("");
  acc ^= tile[(LANE * 5 + 1) & 63];
  sqtt_marker_exit("");
  sqtt_marker_enter(1008u);
  if (UNIFORM(q[2]) & 1) {
    sqtt_marker_exit(1008u);
    return acc;
  }
  sqtt_marker_point("");
  sqtt_marker_exit(1008u);
  return acc;
}

extern "C" __attribute__((global)) void kernel(u32 *p, const u32 *q, u32 n, u32 m) {
  u32 acc = n;
  if (n >> 0 & 1) {
  } else {
    sqtt_marker_enter(1006u);
    p[LANE + 64 * 4] = acc + 4;
    sqtt_marker_exit(1006u);
    acc += helper0(p, q, acc + 5, n, m);
  }
  sqtt_marker_enter("load");
  sqtt_marker_exit("load");
}
