// llvm: 22
// flags: --offload-arch=gfx942 -O0 -gline-tables-only
// setting: SQTT_TRACE_ADDRESSES=lds
// setting: SQTT_SCOPE_CU=1
// setting: SQTT_SCOPE_WAVE=6
// setting: SQTT_SCOPE_SIMD=6
// setting: SQTT_SCOPE_WG=6
// setting: SQTT_MEM_BARRIER=asm
// setting: SQTT_M0_NOP=5
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
  {
    Scoped scope1("store");
  }
  sqtt_marker_enter("tile");
  sqtt_marker_enter(1003u);
  sqtt_marker_exit(1003u);
  sqtt_marker_exit("tile");
  return acc;
}

extern "C" __attribute__((global)) void kernel(u32 *p, const u32 *q, u32 n, u32 m) {
  u32 acc = n;
  {
    Scoped scope2("x@y");
    acc += helper0(p, q, acc + 3, n, m);
    acc += q[LANE * 3 + 4];
  }
}
