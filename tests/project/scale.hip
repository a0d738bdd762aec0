// The kernel of the project, with markers.
#include <hip/hip_runtime.h>

#include "markers.hpp"
#include "scale.h"

__global__ void scale_kernel(float *values, float factor, unsigned count) {
  sqtt_marker_enter("scale");
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= factor;
  sqtt_marker_exit("scale");
}

void scale(float *values, float factor, unsigned count) {
  scale_kernel<<<(count + 255) / 256, 256>>>(values, factor, count);
}
