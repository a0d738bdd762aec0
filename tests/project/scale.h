#pragma once

void scale(float *values, float factor, unsigned count);
