// The kernel of the make example. Not a marker in it: functions and barriers are marked by the settings in sqtt.toml.

#include "blur.hpp"

#include <hip/hip_runtime.h>

constexpr unsigned BLOCK = 256;

// The element, or the last one there is on that side.
__device__ __attribute__((noinline)) float nearest(const float *input, int index, int count) {
  if (index < 0) return input[0] * 1.0f;
  return index < count ? input[index] : input[count - 1];
}

__device__ void fetch(const float *input, float *tile, unsigned first, unsigned count) {
  const int index = static_cast<int>(first + threadIdx.x);
  tile[threadIdx.x + 1] = nearest(input, index, static_cast<int>(count));
  if (threadIdx.x == 0) tile[0] = nearest(input, index - 1, static_cast<int>(count));
  if (threadIdx.x == BLOCK - 1) tile[BLOCK + 1] = nearest(input, index + 1, static_cast<int>(count));
}

__global__ void blur_tile(const float *input, float *output, unsigned count) {
  __shared__ float tile[BLOCK + 2];
  fetch(input, tile, blockIdx.x * BLOCK, count);
  __syncthreads();
  const unsigned at = threadIdx.x;
  output[blockIdx.x * BLOCK + at] = (tile[at] + tile[at + 1] + tile[at + 2]) / 3.0f;
}

void blur(const float *input, float *output, unsigned count) {
  blur_tile<<<count / BLOCK, BLOCK>>>(input, output, count);
}
