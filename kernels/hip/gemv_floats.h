// Products of few activation rows with weights in half precision or bfloat16; activations as they are.
//
// Rows in groups of 4, columns in chunks of 8, filled up with zeros: [group][row][chunk] of 16 bytes. A thread takes every
// so-many-th chunk, of each of which it adds the columns in their order.
#pragma once

#include "gemv.h"

template <bool BRAIN> DEVICE float weight(const Words4 &words, u32 i) {
    const u16 bits = u16(words.v[i / 2] >> (i % 2 * 16));
    return BRAIN ? brain_to_float(bits) : half_to_float(bits);
}

// `x` is (n_columns, 8 × n_chunks).
template <bool BRAIN, u32 COLUMNS>
DEVICE void gemv_floats(const u8 *w, const float *x, const float *add, float *out, u32 n_out, u32 n_chunks,
                        u32 n_columns, u32 n_threads) {
    const u32 group = block_x(), first = block_y() * COLUMNS;
    const u32 here = smaller(n_columns - first, COLUMNS);
    float sums[COLUMNS][ROWS];
    UNROLL for (u32 c = 0; c < COLUMNS; ++c) {
        UNROLL for (u32 r = 0; r < ROWS; ++r) sums[c][r] = 0.0f;
    }
    NO_UNROLL for (u32 chunk = thread_x(); chunk < n_chunks; chunk += n_threads) {
        Words4 words[ROWS];
        UNROLL for (u32 r = 0; r < ROWS; ++r) words[r] = load16(w, 0, u64(group) * ROWS + r, n_chunks, chunk);
        UNROLL for (u32 c = 0; c < COLUMNS; ++c) {
            if constexpr (COLUMNS > 1) keep_order();
            const float *row = x + u64(first + smaller(c, here - 1)) * n_chunks * 8;
            const Floats4 *from = reinterpret_cast<const Floats4 *>(row + chunk * 8);
            const Floats4 parts[2] = {from[0], from[1]};
            UNROLL for (u32 i = 0; i < 8; ++i) {
                UNROLL for (u32 r = 0; r < ROWS; ++r) {
                    sums[c][r] = fma(weight<BRAIN>(words[r], i), parts[i / 4].v[i % 4], sums[c][r]);
                }
            }
        }
    }
    finish(sums, add, out, n_out, group, first, here, n_threads);
}

#define GEMV_FLOATS(brain, name, columns)                                                                            \
    KERNEL(gemv_##name##_##columns, 256,                                                                             \
           (const u8 *w, const float *x, const float *add, float *out, u32 n_out, u32 n_chunks, u32 n_columns,       \
            u32 n_threads),                                                                                          \
           (gemv_floats<brain, columns>(w, x, add, out, n_out, n_chunks, n_columns, n_threads)))
