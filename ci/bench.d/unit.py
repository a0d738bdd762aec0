"""The source that ci/bench compiles: device functions and kernels as programs have them, made up from a seed.

Not a program that computes anything of use. It includes no HIP header, so the share of the plugin is not hidden behind
the parsing of one. Every text is the same on every machine and in every run.
"""

PRELUDE = """\
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define NOINLINE __device__ __attribute__((noinline))
#define INLINE static inline __device__
#include "markers.hpp"
typedef unsigned int u32;
INLINE u32 lane() { return __builtin_amdgcn_workitem_id_x(); }
INLINE u32 group() { return __builtin_amdgcn_workgroup_id_x(); }
INLINE void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
"""

# What a function does: @ is its number, $A and $B are numbers of its own, $CALL calls an earlier function.
BODIES = (
    # A strided sum over global memory.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  sqtt_marker_enter("sum @");
  float s = {A}.0f;
  for (u32 i = lane(); i < n; i += 64) {
    float v = p[i];
    s = __builtin_fmaf(v, q[(i + {B}) & 1023], s);
  }
  sqtt_marker_exit("sum @");
  return {CALL} + s;
}
""",
    # A tree reduction through LDS, with barriers.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  __shared__ float tile@[256];
  sqtt_marker_enter("reduce @");
  tile@[lane()] = p[(lane() * {B} + n) & 4095];
  sync();
  for (u32 step = 128; step > 0; step >>= 1) {
    if (lane() < step) tile@[lane()] += tile@[lane() + step];
    sync();
  }
  sqtt_marker_exit("reduce @");
  return tile@[0] * {A}.0f + {CALL};
}
""",
    # Arithmetic that is worth inlining.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  float x = p[lane() + {A}] * 0.5f;
  float y = x * x - {B}.0f;
  return y / (x + 1.5f) + __builtin_sqrtf(y * y + x);
}
""",
    # Lanes that part, with stores of their own.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  float v = p[lane()];
  if (v > {A}.0f) {
    sqtt_marker_point("high @");
    q[lane() + n] = v * {B}.0f;
    v = {CALL};
  } else if (v < -{A}.0f) {
    q[lane() + n + 64] = v - {B}.0f;
  }
  switch ((n + {B}) & 7) {
  case 0: v += p[n + 1]; break;
  case 1: v *= 3.0f; break;
  case 3: v -= q[n + 5]; break;
  case 6: v = v * v + 2.0f; break;
  default: v += 1.0f;
  }
  return v;
}
""",
    # A blocked product: nested loops over LDS tiles, between barriers.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  __shared__ float left@[16 * 16], right@[16 * 16];
  u32 row = lane() >> 4, column = lane() & 15;
  float s = 0.0f;
  for (u32 block = 0; block < n; block += 16) {
    sqtt_marker_enter("tile @");
    left@[lane() & 255] = p[row * n + block + column];
    right@[lane() & 255] = q[(block + row) * n + column + {A}];
    sync();
    for (u32 k = 0; k < 16; ++k) s += left@[(row & 15) * 16 + k] * right@[k * 16 + column];
    sync();
    sqtt_marker_exit("tile @");
  }
  return s + {B}.0f;
}
""",
    # A histogram: integer work and atomics.
    """\
{QUALIFIER} float f@(const float *p, float *q, u32 n) {
  u32 h = lane() * 2654435761u + {A}u;
  for (u32 i = 0; i < {B}; ++i) {
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    if ((h & 31) == 7) __atomic_fetch_add((u32 *)q + (h & 1023), 1u, __ATOMIC_RELAXED);
  }
  return (float)h + {CALL};
}
""",
)

KERNEL = """\
__global__ void k@(const float *p, float *q, u32 n) {
  sqtt_marker_enter("kernel @");
  float s = p[group() * 256 + lane()];
  for (u32 i = 0; i < n; ++i) s += {CALLS};
  sqtt_marker_data("rounds @", n);
  q[group() * 256 + lane()] = s;
  sqtt_marker_exit("kernel @");
}
"""


class Numbers:
    """A generator of pseudo-random numbers that is the same in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def call(number):
    return f"f{number}(p, q, n)"


def mixed(functions, kernels=6, seed=1):
    """A unit of that many functions, of which some are kernels."""
    numbers = Numbers(seed)
    text = [PRELUDE]
    devices = functions - kernels
    for index in range(devices):
        body = BODIES[numbers.below(len(BODIES))]
        # Calls go to a few functions in front, so that chains stay short and code does not explode by inlining.
        callee = call(index - 1 - numbers.below(min(index, 4))) if index and numbers.below(3) else "0.25f"
        qualifier = "NOINLINE" if numbers.below(2) else "INLINE"
        for key, value in (("QUALIFIER", qualifier), ("A", 1 + numbers.below(60)), ("B", 3 + numbers.below(90)),
                           ("CALL", callee)):
            body = body.replace(f"{{{key}}}", str(value))
        text.append(body.replace("@", str(index)))
    # Every function is reachable.
    for index in range(kernels):
        calls = " + ".join(call(number) for number in range(index, devices, kernels))
        text.append(KERNEL.replace("{CALLS}", calls).replace("@", str(index)))
    return "".join(text)


def wide(functions, markers):
    """Many functions with many names: what grows with the number of functions, names and exits."""
    text = [PRELUDE]
    each = markers // functions // 2
    for index in range(functions):
        scopes = "".join(
            f'  sqtt_marker_enter("s{index}.{scope}");\n  v += p[(lane() + {scope + 1}) & n] * v;\n'
            f'  sqtt_marker_exit("s{index}.{scope}");\n  q[lane() + {scope}] = v;\n' for scope in range(each))
        text.append(f"NOINLINE float f{index}(const float *p, float *q, u32 n) {{\n  float v = p[n];\n{scopes}"
                    "  return v;\n}\n")
    calls = "".join(f"  s += {call(index)};\n" for index in range(functions))
    text.append(f"__global__ void k(const float *p, float *q, u32 n) {{\n  float s = 0;\n{calls}  q[lane()] = s;\n}}\n")
    return "".join(text)


def long(markers):
    """One kernel with all names: what grows with the length of a function."""
    return wide(1, markers)


def kernels(bodies):
    """A kernel for each name, of nothing but its statements, for counting instructions."""
    # A store that stays, and that nothing waits for.
    text = [PRELUDE, "#define store(place, value) __hip_atomic_store(place, value, __ATOMIC_RELAXED, "
            "__HIP_MEMORY_SCOPE_WAVEFRONT)\n"]
    for name, statements in bodies.items():
        lines = "".join(f"  {line}\n" for line in statements)
        text.append("__global__ void " + name + "(u32 __attribute__((address_space(1))) *q) {\n"
                    "  __shared__ u32 lds[256];\n" + lines + "  q[lane() + 64] = lds[lane() + 1];\n}\n")
    return "".join(text)
