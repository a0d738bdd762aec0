// What the library of the project offers.
#pragma once

void scale(float *values, float factor, unsigned count);
