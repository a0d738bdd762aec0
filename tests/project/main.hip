// The program of the project that the tests of build systems build: host code that uses the library.
#include <cstdio>

#include <hip/hip_runtime.h>

#include "scale.h"

extern "C" int version();

__global__ void fill(float *values) { values[threadIdx.x] = 1.0f; }

int main() {
  std::printf("project %d\n", version());
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || count == 0) return 0;
  float *values;
  if (hipMalloc(reinterpret_cast<void **>(&values), 256 * sizeof(float)) != hipSuccess) return 1;
  fill<<<1, 256>>>(values);
  scale(values, 2.0f, 256);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
