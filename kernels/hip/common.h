// What every kernel is written with: each facility of the card once for the card (`device.h`) and once for the
// processor (`host.h`), where one fiber plays one GPU thread. A kernel includes this file alone.
//
// Waves have 32 threads on all cards that are meant here. Kernels have no multiplication followed by an addition that
// the compiler may fuse: `-ffp-contract=off` is given, and `fma` is written where one rounding is meant.
#pragma once

using u8 = unsigned char;
using i8 = signed char;
using u16 = unsigned short;
using u32 = unsigned int;
using i32 = int;
using u64 = unsigned long long;

static_assert(sizeof(u32) == 4 && sizeof(u64) == 8 && sizeof(float) == 4, "the sizes that buffers are laid out by");

constexpr u32 WAVE = 32;

// What one load or store of 16 bytes moves.
struct alignas(16) Words4 {
    u32 v[4];
};
struct alignas(16) Floats4 {
    float v[4];
};
struct alignas(8) Words2 {
    u32 v[2];
};

#if defined(__AMDGCN__)
#include "device.h"
#else
#include "host.h"
#endif

DEVICE u32 lane() { return thread_x() % WAVE; }
DEVICE u32 wave() { return thread_x() / WAVE; }

DEVICE u32 smaller(u32 a, u32 b) { return a < b ? a : b; }
// `b` where either is not a number, as on the processor.
DEVICE float larger(float a, float b) { return a > b ? a : b; }

DEVICE float bits_to_float(u32 bits) { return __builtin_bit_cast(float, bits); }
DEVICE u32 float_to_bits(float x) { return __builtin_bit_cast(u32, x); }
DEVICE float brain_to_float(u16 bits) { return bits_to_float(u32(bits) << 16); }

// The sum, or the largest, over the threads of a wave whose numbers differ in the bits below `SPAN`, a power of two:
// a fixed tree, the same value in each of them. Every thread of the wave has to come here.
template <u32 SPAN, class T> DEVICE T sum_over(T x) {
    if constexpr (SPAN > 1) x = x + shuffle_xor<1>(x);
    if constexpr (SPAN > 2) x = x + shuffle_xor<2>(x);
    if constexpr (SPAN > 4) x = x + shuffle_xor<4>(x);
    if constexpr (SPAN > 8) x = x + shuffle_xor<8>(x);
    if constexpr (SPAN > 16) x = x + shuffle_xor<16>(x);
    return x;
}

template <u32 SPAN> DEVICE float largest_over(float x) {
    if constexpr (SPAN > 1) x = larger(x, shuffle_xor<1>(x));
    if constexpr (SPAN > 2) x = larger(x, shuffle_xor<2>(x));
    if constexpr (SPAN > 4) x = larger(x, shuffle_xor<4>(x));
    if constexpr (SPAN > 8) x = larger(x, shuffle_xor<8>(x));
    if constexpr (SPAN > 16) x = larger(x, shuffle_xor<16>(x));
    return x;
}

template <u32 SPAN> DEVICE u32 smallest_over(u32 x) {
    if constexpr (SPAN > 1) x = smaller(x, shuffle_xor<1>(x));
    if constexpr (SPAN > 2) x = smaller(x, shuffle_xor<2>(x));
    if constexpr (SPAN > 4) x = smaller(x, shuffle_xor<4>(x));
    if constexpr (SPAN > 8) x = smaller(x, shuffle_xor<8>(x));
    if constexpr (SPAN > 16) x = smaller(x, shuffle_xor<16>(x));
    return x;
}
