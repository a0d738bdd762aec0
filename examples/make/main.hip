// The host side of the make example.

#include <cmath>
#include <cstdio>
#include <vector>

#include "../check.hpp"
#include "blur.hpp"

int main() {
  if (!has_device()) return 0;

  const unsigned count = 1u << 16;
  std::vector<float> input(count), output(count);
  for (unsigned i = 0; i < count; i++) input[i] = static_cast<float>(i % 3);
  float *device_input, *device_output;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_input), count * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_output), count * sizeof(float)));
  CHECK(hipMemcpy(device_input, input.data(), count * sizeof(float), hipMemcpyHostToDevice));
  blur(device_input, device_output, count);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(output.data(), device_output, count * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipFree(device_input));
  CHECK(hipFree(device_output));
  for (unsigned i = 1; i + 1 < count; i++) {
    if (std::fabs(output[i] - 1.0f) > 1e-4f) {
      std::printf("make: output[%u] is %g, not 1\n", i, static_cast<double>(output[i]));
      return 1;
    }
  }
  std::printf("make: %u means are right\n", count - 2);
  return 0;
}
