// Few activation rows by F16 weights.

#include "gemv_floats.h"

GEMV_FLOATS(false, f16, 1)
GEMV_FLOATS(false, f16, 2)
GEMV_FLOATS(false, f16, 4)
GEMV_FLOATS(false, f16, 8)
