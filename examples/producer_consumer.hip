// Waves with different jobs: the first wave of a block fetches tiles into LDS while the others work on the tile before.
// Nested scopes that differ from wave to wave, closed by SQTT_SCOPE, and a scope for the time that waves wait.
//
//   sqtt-hipcc --sqtt-barriers --offload-arch=gfx942 examples/producer_consumer.hip -o producer_consumer

#include <cmath>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#include "check.hpp"
#include "markers.hpp"

constexpr unsigned BLOCK = 256;
constexpr unsigned TILE = 1024;

// Copies a tile; `lane` of the one wave that does so.
__device__ void produce(const float *input, float *tile, unsigned lane) {
  SQTT_SCOPE("produce");
  for (unsigned i = lane; i < TILE; i += warpSize) tile[i] = input[i];
}

// The mean of each element and its neighbour; `lane` of all that consume, and how many those are.
__device__ void consume(const float *tile, float *output, unsigned lane, unsigned lanes) {
  SQTT_SCOPE("consume");
  for (unsigned i = lane; i < TILE; i += lanes) {
    float mean;
    {
      SQTT_SCOPE("mean");
      mean = 0.5f * (tile[i] + tile[(i + 1) % TILE]);
    }
    SQTT_SCOPE("store");
    output[i] = mean;
  }
}

__global__ __launch_bounds__(BLOCK) void producer_consumer(const float *input, float *output, unsigned tiles) {
  __shared__ float buffer[2][TILE];
  // The same in all lanes of a wave. That the compiler knows keeps the branch one that the whole wave takes or not.
  const unsigned wave = __builtin_amdgcn_readfirstlane(threadIdx.x / warpSize);
  SQTT_SCOPE("pipeline");
  for (unsigned step = 0; step <= tiles; step++) {
    if (wave == 0) {
      if (step < tiles) produce(input + step * TILE, buffer[step % 2], threadIdx.x);
    } else if (step > 0) {
      const unsigned last = step - 1;
      consume(buffer[last % 2], output + last * TILE, threadIdx.x - warpSize, BLOCK - warpSize);
    }
    sqtt_marker_enter("wait");
    __syncthreads();
    sqtt_marker_exit("wait");
  }
}

int main() {
  if (!has_device()) return 0;

  const unsigned tiles = 64;
  const unsigned count = tiles * TILE;
  std::vector<float> input(count), output(count);
  for (unsigned i = 0; i < count; i++) input[i] = static_cast<float>(i % TILE);
  float *device_input, *device_output;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_input), count * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_output), count * sizeof(float)));
  CHECK(hipMemcpy(device_input, input.data(), count * sizeof(float), hipMemcpyHostToDevice));

  producer_consumer<<<1, BLOCK>>>(device_input, device_output, tiles);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(output.data(), device_output, count * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipFree(device_input));
  CHECK(hipFree(device_output));

  for (unsigned i = 0; i < count; i++) {
    const float expected = i % TILE + 1 == TILE ? 0.5f * (TILE - 1) : static_cast<float>(i % TILE) + 0.5f;
    if (std::fabs(output[i] - expected) > 1e-3f) {
      std::printf("producer_consumer: output[%u] is %g, not %g\n", i, static_cast<double>(output[i]),
                  static_cast<double>(expected));
      return 1;
    }
  }
  std::printf("producer_consumer: %u means are right\n", count);
  return 0;
}
