// How activations lie on the card after `quantise.hip`.
//
// A unit is 32 neighbouring values of a row; rows have an even number of units, the last one of zeros where it is missing.
// `codes`: [row][unit] of 32 signed bytes, or of 64 where values have two parts: the high ones, then the low ones; value =
// d × (256 × high + low). `infos`: [row][unit], one `Info`.
#pragma once

#include "common.h"

struct alignas(16) Info {
    // Scale.
    float d;
    // Blocks of 32: d × sum of the codes. Blocks of 256: the sum of the codes.
    float sum;
    // Sums of the first and the last 16 codes.
    i32 halves[2];
};
static_assert(sizeof(Info) == 16, "one load");

// The codes of a unit, four in a word.
template <u32 PARTS> struct Unit {
    u32 quads[PARTS][8];
    Info info;
};

// Unit number `unit` of the row that starts at unit `start`, which is the same in a workgroup.
template <u32 PARTS> DEVICE Unit<PARTS> load_unit(const u8 *codes, const Info *infos, u64 start, u32 unit) {
    Unit<PARTS> out;
    const u8 *from = codes + start * (32 * PARTS) + unit * (32 * PARTS);
    UNROLL for (u32 p = 0; p < PARTS; ++p) {
        UNROLL for (u32 i = 0; i < 2; ++i) {
            const Words4 words = reinterpret_cast<const Words4 *>(from)[p * 2 + i];
            UNROLL for (u32 j = 0; j < 4; ++j) out.quads[p][i * 4 + j] = words.v[j];
        }
    }
    out.info = (infos + start)[unit];
    return out;
}
