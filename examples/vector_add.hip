// c = a + b, with two named scopes and a point in the kernel.
//
//   sqtt-hipcc --offload-arch=gfx942 examples/vector_add.hip -o vector_add

#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#include "check.hpp"
#include "markers.hpp"

__global__ void vector_add(const float *a, const float *b, float *c, unsigned count) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  // A scope belongs to the wave: all of its lanes enter and leave together, and the branch is inside.
  sqtt_marker_enter("load");
  float x = 0.0f;
  float y = 0.0f;
  if (index < count) {
    x = a[index];
    y = b[index];
  }
  sqtt_marker_exit("load");
  sqtt_marker_point("loaded");
  sqtt_marker_enter("store");
  if (index < count) c[index] = x + y;
  sqtt_marker_exit("store");
}

int main() {
  if (!has_device()) return 0;

  const unsigned count = 1u << 20;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count, 1.0f), b(count, 2.0f), c(count);
  float *device_a, *device_b, *device_c;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_a), bytes));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_b), bytes));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_c), bytes));
  CHECK(hipMemcpy(device_a, a.data(), bytes, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(device_b, b.data(), bytes, hipMemcpyHostToDevice));

  vector_add<<<count / 256, 256>>>(device_a, device_b, device_c, count);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(c.data(), device_c, bytes, hipMemcpyDeviceToHost));

  CHECK(hipFree(device_a));
  CHECK(hipFree(device_b));
  CHECK(hipFree(device_c));
  for (unsigned i = 0; i < count; i++) {
    if (c[i] != 3.0f) {
      std::printf("vector_add: c[%u] is %g, not 3\n", i, static_cast<double>(c[i]));
      return 1;
    }
  }
  std::printf("vector_add: %u sums are right\n", count);
  return 0;
}
