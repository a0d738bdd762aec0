// The sum of sin(x) over a vector: each block reduces its part in LDS, then adds it to the total. Nested scopes, a point
// with a payload, and two device functions, one of them inlined, that function instrumentation picks up.
//
//   sqtt-hipcc --sqtt-functions=10 --offload-arch=gfx942 examples/reduction.hip -o reduction

#include <cmath>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#include "check.hpp"
#include "markers.hpp"

constexpr unsigned BLOCK = 256;

// The sum of `value` over the block, in lane 0. Kept a function of its own, as a library's would be.
__device__ __attribute__((noinline)) float block_sum(float *scratch, float value) {
  const unsigned lane = threadIdx.x;
  scratch[lane] = value;
  __syncthreads();
  for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
    sqtt_marker_enter("step");
    sqtt_marker_data("stride", stride);
    if (lane < stride) scratch[lane] += scratch[lane + stride];
    __syncthreads();
    sqtt_marker_exit("step");
  }
  return scratch[0];
}

// sin(x) by the first terms of its series. Inlined into the kernel; its scope is there all the same.
__device__ float sine(float x) {
  float term = x;
  float sum = x;
  for (unsigned i = 1; i < 8; i++) {
    term *= -x * x / static_cast<float>(2 * i * (2 * i + 1));
    sum += term;
  }
  return sum;
}

__global__ void reduction(const float *input, float *total, unsigned count) {
  __shared__ float scratch[BLOCK];
  sqtt_marker_enter("reduction");
  float sum = 0.0f;
  sqtt_marker_enter("gather");
  for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK) sum += sine(input[i]);
  sqtt_marker_exit("gather");
  sum = block_sum(scratch, sum);
  sqtt_marker_point("reduced");
  if (threadIdx.x == 0) atomicAdd(total, sum);
  sqtt_marker_exit("reduction");
}

int main() {
  if (!has_device()) return 0;

  const unsigned count = 1u << 20;
  const std::vector<float> input(count, 1.0f);
  float *device_input, *device_total;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_input), count * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_total), sizeof(float)));
  CHECK(hipMemcpy(device_input, input.data(), count * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemset(device_total, 0, sizeof(float)));

  reduction<<<64, BLOCK>>>(device_input, device_total, count);
  CHECK(hipGetLastError());
  float total = 0.0f;
  CHECK(hipMemcpy(&total, device_total, sizeof(float), hipMemcpyDeviceToHost));

  CHECK(hipFree(device_input));
  CHECK(hipFree(device_total));
  const double expected = count * std::sin(1.0);
  std::printf("reduction: the total is %g, expected %g\n", static_cast<double>(total), expected);
  return std::fabs(total - expected) < 1e-3 * expected ? 0 : 1;
}
