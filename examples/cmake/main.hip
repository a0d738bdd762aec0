// The host side of the CMake example.

#include <cstdio>
#include <vector>

#include "../check.hpp"
#include "transpose.hpp"

int main() {
  if (!has_device()) return 0;

  const unsigned size = 256;
  const size_t bytes = size * size * sizeof(float);
  std::vector<float> input(size * size), output(size * size);
  for (unsigned i = 0; i < input.size(); i++) input[i] = static_cast<float>(i);
  float *device_input, *device_output;
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_input), bytes));
  CHECK(hipMalloc(reinterpret_cast<void **>(&device_output), bytes));
  CHECK(hipMemcpy(device_input, input.data(), bytes, hipMemcpyHostToDevice));
  transpose(device_input, device_output, size);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(output.data(), device_output, bytes, hipMemcpyDeviceToHost));
  CHECK(hipFree(device_input));
  CHECK(hipFree(device_output));
  for (unsigned row = 0; row < size; row++) {
    for (unsigned column = 0; column < size; column++) {
      if (output[column * size + row] != input[row * size + column]) {
        std::printf("cmake: row %u, column %u is wrong\n", row, column);
        return 1;
      }
    }
  }
  std::printf("cmake: the transpose is right\n");
  return 0;
}
