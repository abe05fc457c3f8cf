// Activations (n_rows, n_in) into blocks of 32 or 256 codes, with the roundings of the processor's kernels bit for bit.
//
// Grid: x over 1024 values of a row (4 waves), y over rows. A thread has 8 values, so 4 threads have a unit and a wave has
// a block of 256. Rows are at least a multiple of 32 long; units beyond a row's end get zeros.

#include "activations.h"

// The largest code of two parts: each of them fits a signed byte.
constexpr float TOP_CODE = 127 * 256 + 127;

struct Scale {
    float d, inverse;
};

// Of a block so near to zero that 1 / scale is no finite number, all codes are 0.
DEVICE float finite(float inverse) { return magnitude(inverse) <= 0x1.fffffep127f ? inverse : 0.0f; }

// The scale of a block from its largest magnitude.
template <bool WIDE, u32 PARTS> DEVICE Scale block_scale(const float (&x)[8], float top) {
    if constexpr (PARTS == 2) {
        return {top / TOP_CODE, top > 0.0f ? finite(TOP_CODE / top) : 0.0f};
    } else if constexpr (!WIDE) {
        return {half_to_float(float_to_half(top / 127.0f)), top > 0.0f ? finite(127.0f / top) : 0.0f};
    } else {
        // The first value of the largest magnitude becomes -127, whatever its sign.
        u32 first = 256;
        UNROLL for (u32 i = 0; i < 8; ++i) {
            if (magnitude(x[i]) == top) first = smaller(first, lane() * 8 + i);
        }
        first = smallest_over<32>(first);
        float mine = 0.0f;
        UNROLL for (u32 i = 0; i < 8; ++i) {
            if (i == first % 8) mine = x[i];
        }
        const float peak = shuffle(mine, first / 8);
        const float inverse = top > 0.0f ? finite(-127.0f / peak) : 0.0f;
        return {inverse != 0.0f ? 1.0f / inverse : 0.0f, inverse};
    }
}

DEVICE u32 pack(const i32 (&codes)[8], u32 from) {
    u32 word = 0;
    UNROLL for (u32 i = 0; i < 4; ++i) word |= (u32(codes[from + i]) & 255) << (8 * i);
    return word;
}

template <bool WIDE, u32 PARTS>
DEVICE void quantise(const float *x, u8 *codes, Info *infos, u32 n_in, u32 n_units) {
    const u32 at = block_x() * 1024 + thread_x() * 8, row = block_y();
    float v[8];
    const bool inside = at < n_in;
    if (inside) {
        const Floats4 *from = reinterpret_cast<const Floats4 *>(x + u64(row) * n_in + at);
        const Floats4 a = from[0], b = from[1];
        UNROLL for (u32 i = 0; i < 4; ++i) v[i] = a.v[i], v[4 + i] = b.v[i];
    } else {
        UNROLL for (u32 i = 0; i < 8; ++i) v[i] = 0.0f;
    }
    float top = magnitude(v[0]);
    UNROLL for (u32 i = 1; i < 8; ++i) top = larger(magnitude(v[i]), top);
    top = largest_over<(WIDE ? 32 : 4)>(top);
    const Scale scale = block_scale<WIDE, PARTS>(v, top);

    i32 high[8], low[8], sum = 0;
    UNROLL for (u32 i = 0; i < 8; ++i) {
        const i32 code = i32(nearest(v[i] * scale.inverse));
        if constexpr (PARTS == 2) {
            // The low part is at least -127; a code that would need -128 is one larger.
            high[i] = (code + 128) >> 8;
            const i32 rest = code - high[i] * 256;
            low[i] = rest < -127 ? -127 : rest;
            sum += high[i] * 256 + low[i];
        } else {
            high[i] = code;
            sum += code;
        }
    }
    // Two threads have 16 values, four have a unit.
    const i32 half = sum_over<2>(sum);
    const i32 other = shuffle_xor<2>(half);
    const u32 unit = at / 32, part = lane() % 4;
    if (unit >= n_units) return;
    const u64 place = u64(row) * n_units + unit;
    Words2 *to = reinterpret_cast<Words2 *>(codes + place * (32 * PARTS));
    to[part] = Words2{{pack(high, 0), pack(high, 4)}};
    if constexpr (PARTS == 2) to[4 + part] = Words2{{pack(low, 0), pack(low, 4)}};
    if (part == 0) {
        const float total = float(half + other);
        float s = total;
        if constexpr (!WIDE) {
            s = scale.d * total;
            // As the 8-bit blocks of files have it; the scale of the sum is the one before its own rounding.
            if constexpr (PARTS == 1) s = half_to_float(float_to_half(top / 127.0f * total));
        }
        infos[place] = Info{scale.d, s, {half, other}};
    }
}

KERNEL(quantise_32_one, 128, (const float *x, u8 *codes, Info *infos, u32 n_in, u32 n_units),
       (quantise<false, 1>(x, codes, infos, n_in, n_units)))
KERNEL(quantise_32_two, 128, (const float *x, u8 *codes, Info *infos, u32 n_in, u32 n_units),
       (quantise<false, 2>(x, codes, infos, n_in, n_units)))
KERNEL(quantise_256_one, 128, (const float *x, u8 *codes, Info *infos, u32 n_in, u32 n_units),
       (quantise<true, 1>(x, codes, infos, n_in, n_units)))
KERNEL(quantise_256_two, 128, (const float *x, u8 *codes, Info *infos, u32 n_in, u32 n_units),
       (quantise<true, 2>(x, codes, infos, n_in, n_units)))
