// Few activation rows by BF16 weights.

#include "gemv_floats.h"

GEMV_FLOATS(true, bf16, 1)
GEMV_FLOATS(true, bf16, 2)
GEMV_FLOATS(true, bf16, 4)
GEMV_FLOATS(true, bf16, 8)
