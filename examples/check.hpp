// What the host side of the examples shares.

#ifndef SQTT_EXAMPLES_CHECK_HPP
#define SQTT_EXAMPLES_CHECK_HPP

#include <cstdio>
#include <cstdlib>

#include <hip/hip_runtime.h>

// Stops the program where a call of the HIP runtime fails.
#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(hipError_t error, const char *call, const char *file, int line) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, hipGetErrorString(error));
  std::exit(1);
}

// Whether there is a GPU; says so where there is none.
inline bool has_device() {
  int count = 0;
  if (hipGetDeviceCount(&count) == hipSuccess && count > 0) return true;
  std::puts("no device: compiled, and nothing to run it on");
  return false;
}

#endif
