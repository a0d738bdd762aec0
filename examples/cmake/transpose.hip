// The library of the CMake example: a transpose through LDS, with a scope for each direction.

#include "transpose.hpp"

#include <hip/hip_runtime.h>

#include "markers.hpp"

constexpr unsigned TILE = 16;

__global__ void transpose_tile(const float *input, float *output, unsigned size) {
  __shared__ float tile[TILE][TILE + 1];
  const unsigned left = blockIdx.x * TILE;
  const unsigned top = blockIdx.y * TILE;
  {
    SQTT_SCOPE("read");
    tile[threadIdx.y][threadIdx.x] = input[(top + threadIdx.y) * size + left + threadIdx.x];
  }
  __syncthreads();
  SQTT_SCOPE("write");
  output[(left + threadIdx.y) * size + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float *input, float *output, unsigned size) {
  transpose_tile<<<dim3(size / TILE, size / TILE), dim3(TILE, TILE)>>>(input, output, size);
}
