// Every kernel, in one translation unit: a code object for a card, or the list of kernels on the processor.

#include "gemv_bf16.hip"
#include "gemv_f16.hip"
#include "gemv_q4_0.hip"
#include "gemv_q4_1.hip"
#include "gemv_q4_k.hip"
#include "gemv_q5_0.hip"
#include "gemv_q5_k.hip"
#include "gemv_q6_k.hip"
#include "gemv_q8_0.hip"
#include "quantise.hip"
