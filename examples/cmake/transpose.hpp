// What the library of this example offers to the host.

#ifndef SQTT_EXAMPLES_TRANSPOSE_HPP
#define SQTT_EXAMPLES_TRANSPOSE_HPP

// The transpose of a square matrix by rows on the device, `size` a multiple of 16.
void transpose(const float *input, float *output, unsigned size);

#endif
