// Products of few activation rows with quantised weights: one workgroup computes 4 output rows.
//
// Weights lie in groups of 4 rows; a pair is two neighbouring units, so 64 columns. A thread takes every so-many-th pair of
// a group, all of whose loads are of 16 bytes and neighbours of those of the next thread: codes [group][row][half of
// pair][pair]. A wave's sums are put together by a fixed tree and the waves' in their order, so a result depends on the
// number of threads, which the shape alone decides, and not on how many activation rows are computed together.
//
// A format has `Row`, a unit of a row with its codes and scale; `load`, which makes one; and `step`, which adds the product of
// one and a unit of activations.
#pragma once

#include "activations.h"

constexpr u32 ROWS = 4;
constexpr u32 MOST_THREADS = 256;

// Groups and pairs of a matrix, and the place of one.
struct Shape {
    u32 groups, pairs;
};

// 16 bytes at number `at` of line `line` of a plane, which starts at byte `plane` and has `length` × 16 bytes in a line.
// Everything but `at` is the same in a workgroup, so that the address is a common one and a small offset.
DEVICE Words4 load16(const u8 *w, u64 plane, u64 line, u32 length, u32 at) {
    const u8 *start = w + plane + line * length * 16;
    return *reinterpret_cast<const Words4 *>(start + at * 16);
}

// Codes of four bits: 16 bytes for a unit of a row.
DEVICE Words4 load_codes4(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
    return load16(w, 0, u64(group) * 8 + r * 2 + u, s.pairs, pair);
}
DEVICE u64 bytes_codes4(Shape s) { return u64(s.groups) * s.pairs * 128; }

// The 32 codes of a unit: the low halves of its bytes, then the high ones.
DEVICE void unpack4(const Words4 &words, u32 (&q)[8]) {
    UNROLL for (u32 i = 0; i < 4; ++i) {
        q[i] = words.v[i] & 0x0f0f0f0fu;
        q[4 + i] = words.v[i] >> 4 & 0x0f0f0f0fu;
    }
}

// A row's unit: its codes, its scale, and its minimum where there is one.
struct Scaled {
    u32 q[8];
    float d;
};
struct Shifted {
    u32 q[8];
    float d, min;
};

// The fifth bits of a unit of all rows, a word for each: bit 8b + i belongs to byte b of word i.
DEVICE Words4 load_fifth(const u8 *w, Shape s, u64 plane, u32 group, u32 pair, u32 u) {
    return load16(w, plane, u64(group) * 2 + u, s.pairs, pair);
}
DEVICE u64 bytes_fifth(Shape s) { return u64(s.groups) * s.pairs * 32; }

DEVICE void add_fifth(u32 bits, u32 (&q)[8]) {
    UNROLL for (u32 i = 0; i < 8; ++i) q[i] |= (i < 4 ? bits << (4 - i) : bits >> (i - 4)) & 0x10101010u;
}

// `start` plus the products of the words `from` to `to` with the whole codes of the activations.
template <u32 PARTS, u32 FROM = 0, u32 TO = 8>
DEVICE i32 dots(const u32 (&q)[8], const Unit<PARTS> &x, i32 start) {
    i32 sum = start;
    if constexpr (PARTS == 2) {
        i32 high = 0;
        UNROLL for (u32 i = FROM; i < TO; ++i) {
            high = dot4(q[i], x.quads[0][i], high);
            sum = dot4(q[i], x.quads[1][i], sum);
        }
        return sum + high * 256;
    } else {
        UNROLL for (u32 i = FROM; i < TO; ++i) sum = dot4(q[i], x.quads[0][i], sum);
        return sum;
    }
}

// Number `at` of halves, two in each word.
DEVICE float half_of(const Words4 &words, u32 at) { return half_to_float(u16(words.v[at / 2] >> (at % 2 * 16))); }

// Puts the threads' sums together and writes those of the rows that there are, on top of `add` where there is one.
template <u32 COLUMNS>
DEVICE void finish(const float (&sums)[COLUMNS][ROWS], const float *add, float *out, u32 n_out, u32 group, u32 first,
                   u32 here, u32 n_threads) {
    SHARED(float, shared, (MOST_THREADS / WAVE) * COLUMNS * ROWS);
    const u32 waves = n_threads / WAVE;
    UNROLL for (u32 c = 0; c < COLUMNS; ++c) {
        UNROLL for (u32 r = 0; r < ROWS; ++r) {
            const float sum = sum_over<WAVE>(sums[c][r]);
            if (lane() == 0) shared[wave() * (COLUMNS * ROWS) + c * ROWS + r] = sum;
        }
    }
    sync();
    const u32 at = thread_x(), row = group * ROWS + at % ROWS;
    if (at >= here * ROWS || row >= n_out) return;
    float sum = shared[at];
    for (u32 i = 1; i < waves; ++i) sum = sum + shared[i * (COLUMNS * ROWS) + at];
    const u64 place = u64(first + at / ROWS) * n_out + row;
    out[place] = add ? add[place] + sum : sum;
}

// `out[c][row]` = `add[c][row]`, where there is one, plus the sum over the columns, for the `n` ≤ COLUMNS activation rows
// from COLUMNS × block_y on.
template <class Format, u32 COLUMNS, u32 PARTS>
DEVICE void gemv(const u8 *w, const u8 *codes, const Info *infos, const float *add, float *out, u32 n_out, u32 n_pairs,
                 u32 n_columns, u32 n_threads) {
    const Shape shape{(n_out + ROWS - 1) / ROWS, n_pairs};
    const u32 group = block_x(), first = block_y() * COLUMNS;
    const u32 here = smaller(n_columns - first, COLUMNS);
    // Rows whose codes are unpacked at a time: all, unless the sums take the registers.
    constexpr u32 AT_ONCE = COLUMNS >= 8 ? ROWS / 2 : ROWS;
    float sums[COLUMNS][ROWS];
    UNROLL for (u32 c = 0; c < COLUMNS; ++c) {
        UNROLL for (u32 r = 0; r < ROWS; ++r) sums[c][r] = 0.0f;
    }
    NO_UNROLL for (u32 pair = thread_x(); pair < n_pairs; pair += n_threads) {
        UNROLL for (u32 u = 0; u < 2; ++u) {
            UNROLL for (u32 r = 0; r < ROWS; r += AT_ONCE) {
                if constexpr (COLUMNS > 1) keep_order();
                typename Format::Row rows[AT_ONCE];
                UNROLL for (u32 i = 0; i < AT_ONCE; ++i) rows[i] = Format::load(w, shape, group, r + i, u, pair);
                UNROLL for (u32 c = 0; c < COLUMNS; ++c) {
                    if constexpr (COLUMNS > 1) keep_order();
                    // Beyond the last activation row that one is computed again; its sums are not written.
                    const u64 row = first + smaller(c, here - 1);
                    const auto x = load_unit<PARTS>(codes, infos, row * (2 * n_pairs), 2 * pair + u);
                    UNROLL for (u32 i = 0; i < AT_ONCE; ++i) sums[c][r + i] = Format::step(rows[i], x, sums[c][r + i]);
                }
            }
        }
    }
    finish(sums, add, out, n_out, group, first, here, n_threads);
}

#define GEMV(format, name, columns, parts, suffix)                                                                   \
    KERNEL(gemv_##name##_##columns##_##suffix, 256,                                                                  \
           (const u8 *w, const u8 *codes, const Info *infos, const float *add, float *out, u32 n_out, u32 n_pairs,   \
            u32 n_columns, u32 n_threads),                                                                           \
           (gemv<format, columns, parts>(w, codes, infos, add, out, n_out, n_pairs, n_columns, n_threads)))

// The kernels of a format: for 1, 2, 4 and 8 activation rows at a time, of one part and of two.
#define GEMVS(format, name)                                                                                          \
    GEMV(format, name, 1, 1, one)                                                                                    \
    GEMV(format, name, 2, 1, one)                                                                                    \
    GEMV(format, name, 4, 1, one)                                                                                    \
    GEMV(format, name, 8, 1, one)                                                                                    \
    GEMV(format, name, 1, 2, two)                                                                                    \
    GEMV(format, name, 2, 2, two)                                                                                    \
    GEMV(format, name, 4, 2, two)                                                                                    \
    GEMV(format, name, 8, 2, two)
