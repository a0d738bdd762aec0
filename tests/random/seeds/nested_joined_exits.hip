// llvm: 22
// flags: --offload-arch=gfx906 -O2
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

extern "C" __attribute__((global)) void kernel(u32 *p, const u32 *q, u32 n, u32 m) {
  u32 acc = n;
  if (LANE >> 0 & 1) {
  } else {
    sqtt_marker_enter("load");
    if (LANE >> 1 & 1) {
      sqtt_marker_exit("load");
    } else {
      sqtt_marker_exit("load");
    }
  }
}
