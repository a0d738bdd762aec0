// The program of the rdc example: its kernel calls into the library, and the scopes of both nest in the trace.

#include <cmath>
#include <cstdio>

#include "../check.hpp"
#include "series.hpp"

#include "markers.hpp"

__global__ void limits(float *output, unsigned terms) {
  SQTT_SCOPE("limits");
  const float x = static_cast<float>(threadIdx.x) / 512.0f;
  output[threadIdx.x] = geometric(x, terms);
}

int main() {
  if (!has_device()) return 0;

  float output[256];
  float *device_output;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_output), sizeof(output)));
  limits<<<1, 256>>>(device_output, 40);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(output, device_output, sizeof(output), hipMemcpyDeviceToHost));
  CHECK(hipFree(device_output));
  for (unsigned i = 0; i < 256; i++) {
    if (std::fabs(output[i] - 1.0f / (1.0f - static_cast<float>(i) / 512.0f)) > 1e-4f) {
      std::printf("rdc: output[%u] is %g\n", i, static_cast<double>(output[i]));
      return 1;
    }
  }
  std::printf("rdc: 256 limits are right\n");
  return 0;
}
