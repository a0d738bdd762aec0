// The device API where programs written for AMD's plugin look for it; see ../../markers.hpp.

#include "../../markers.hpp"
