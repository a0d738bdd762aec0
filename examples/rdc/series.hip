// The library of the rdc example: a device function with scopes of its own, in a unit of its own.

#include "series.hpp"

#include "markers.hpp"

__device__ float geometric(float x, unsigned terms) {
  SQTT_SCOPE("geometric");
  float power = 1.0f;
  float sum = 0.0f;
  for (unsigned i = 0; i < terms; i++) {
    sum += power;
    power *= x;
  }
  return sum;
}
