// What the two units of this example share.

#ifndef SQTT_EXAMPLES_BLUR_HPP
#define SQTT_EXAMPLES_BLUR_HPP

// The mean of each of `count` elements and its neighbours on the device, `count` a multiple of 256.
void blur(const float *input, float *output, unsigned count);

#endif
