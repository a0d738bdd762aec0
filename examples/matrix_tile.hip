// A 16 by 16 tile of a matrix product in one wave, with the matrix instructions of the GPU: MFMA on CDNA, WMMA on RDNA 3
// and 4, plain arithmetic elsewhere. Scopes around loads and multiplications, and the depth reached as a payload.
//
//   sqtt-hipcc --offload-arch=gfx942 --offload-arch=gfx1201 examples/matrix_tile.hip -o matrix_tile

#include <cmath>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#include "check.hpp"
#include "markers.hpp"

constexpr unsigned SIZE = 16;

template <class Element, unsigned COUNT> using Vector = Element __attribute__((ext_vector_type(COUNT)));

// What differs between GPUs: how many of the products one step adds (DEPTH), which elements of A and B a lane holds
// (column k of A and row k of B, from first_k on), and which rows of C it holds. Its column of B and C, and its row of A,
// is lane % 16 everywhere.
#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)

constexpr unsigned DEPTH = 4, HELD = 4;
using Operand = float;
__device__ unsigned row_of_c(unsigned lane, unsigned held) { return 4 * (lane / 16) + held; }
__device__ Operand load(const float *line, unsigned stride, unsigned lane) { return line[stride * (lane / 16)]; }
__device__ Vector<float, HELD> multiply(Operand a, Operand b, Vector<float, HELD> c) {
  return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}

#elif defined(__gfx1200__) || defined(__gfx1201__)

constexpr unsigned DEPTH = 16, HELD = 8;
using Operand = Vector<_Float16, 8>;
__device__ unsigned row_of_c(unsigned lane, unsigned held) { return 8 * (lane / 16) + held; }
__device__ Operand load(const float *line, unsigned stride, unsigned lane) {
  Operand operand;
  for (unsigned i = 0; i < 8; i++) operand[i] = static_cast<_Float16>(line[stride * (8 * (lane / 16) + i)]);
  return operand;
}
__device__ Vector<float, HELD> multiply(Operand a, Operand b, Vector<float, HELD> c) {
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
}

#elif defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || defined(__gfx1103__) ||                  \
    defined(__gfx1150__) || defined(__gfx1151__) || defined(__gfx1152__) || defined(__gfx1153__)

constexpr unsigned DEPTH = 16, HELD = 8;
using Operand = Vector<_Float16, 16>;
__device__ unsigned row_of_c(unsigned lane, unsigned held) { return 2 * held + lane / 16; }
__device__ Operand load(const float *line, unsigned stride, unsigned) {
  Operand operand;
  for (unsigned i = 0; i < 16; i++) operand[i] = static_cast<_Float16>(line[stride * i]);
  return operand;
}
__device__ Vector<float, HELD> multiply(Operand a, Operand b, Vector<float, HELD> c) {
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
}

#else

// Each lane of the first 16 computes a column: no lane holds what another one needs.
constexpr unsigned DEPTH = 1, HELD = 16;
using Operand = float;
__device__ unsigned row_of_c(unsigned, unsigned held) { return held; }
__device__ Operand load(const float *line, unsigned, unsigned) { return line[0]; }
__device__ Vector<float, HELD> multiply(Operand a, Operand b, Vector<float, HELD> c) {
  for (unsigned row = 0; row < HELD; row++) c[row] += __shfl(a, static_cast<int>(row)) * b;
  return c;
}

#endif

// C = A * B: A is 16 by `depth`, B `depth` by 16, all by rows. One wave, and a `depth` that 16 divides.
__global__ void matrix_tile(const float *a, const float *b, float *c, unsigned depth) {
  SQTT_SCOPE("tile");
  const unsigned lane = threadIdx.x;
  const unsigned line = lane % SIZE;
  Vector<float, HELD> sum = {};
  for (unsigned k = 0; k < depth; k += DEPTH) {
    sqtt_marker_enter("load");
    const Operand left = load(a + line * depth + k, 1, lane);
    const Operand right = load(b + k * SIZE + line, SIZE, lane);
    sqtt_marker_exit("load");
    sqtt_marker_enter("multiply");
    sum = multiply(left, right, sum);
    sqtt_marker_exit("multiply");
    sqtt_marker_data("depth", k);
  }
  SQTT_SCOPE("store");
  for (unsigned held = 0; held < HELD; held++) c[row_of_c(lane, held) * SIZE + line] = sum[held];
}

int main() {
  if (!has_device()) return 0;

  const unsigned depth = 64;
  std::vector<float> a(SIZE * depth), b(depth * SIZE), c(SIZE * SIZE);
  // Small whole numbers are exact in 16 bits, too.
  for (unsigned i = 0; i < a.size(); i++) a[i] = static_cast<float>(i % 5) - 2.0f;
  for (unsigned i = 0; i < b.size(); i++) b[i] = static_cast<float>(i % 7) - 3.0f;
  float *device_a, *device_b, *device_c;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_a), a.size() * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_b), b.size() * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_c), c.size() * sizeof(float)));
  CHECK(hipMemcpy(device_a, a.data(), a.size() * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemcpy(device_b, b.data(), b.size() * sizeof(float), hipMemcpyHostToDevice));

  int lanes = 0;
  CHECK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  matrix_tile<<<1, static_cast<unsigned>(lanes)>>>(device_a, device_b, device_c, depth);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(c.data(), device_c, c.size() * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipFree(device_a));
  CHECK(hipFree(device_b));
  CHECK(hipFree(device_c));

  for (unsigned row = 0; row < SIZE; row++) {
    for (unsigned column = 0; column < SIZE; column++) {
      float expected = 0.0f;
      for (unsigned k = 0; k < depth; k++) expected += a[row * depth + k] * b[k * SIZE + column];
      if (std::fabs(c[row * SIZE + column] - expected) > 1e-3f) {
        std::printf("matrix_tile: c[%u][%u] is %g, not %g\n", row, column,
                    static_cast<double>(c[row * SIZE + column]), static_cast<double>(expected));
        return 1;
      }
    }
  }
  std::printf("matrix_tile: the product is right\n");
  return 0;
}
