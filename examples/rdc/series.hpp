// What the library of this example offers to kernels.

#ifndef SQTT_EXAMPLES_SERIES_HPP
#define SQTT_EXAMPLES_SERIES_HPP

#include <hip/hip_runtime.h>

// 1 + x + x^2 + ... to the given number of terms. Defined in the library: a kernel's unit sees no more than this.
__device__ float geometric(float x, unsigned terms);

#endif
