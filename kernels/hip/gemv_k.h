// What the formats with blocks of 256 weights, scales and minima share.
#pragma once

#include "gemv.h"

// The heads of a group's blocks: d and dmin in half precision, then eight scales and eight minima of six bits in 12 bytes, as
// the file has them. Plane [group][row][block].
DEVICE Words4 load_head(const u8 *w, Shape s, u64 plane, u32 group, u32 r, u32 pair) {
    return load16(w, plane, u64(group) * ROWS + r, s.pairs / 4, pair / 4);
}

// Scale and minimum of one half of a pair. Those of a block's first four units lie in the low bits of the first eight bytes,
// whose two high bits complete the others. Selected by a mask: a branch would part the threads of a wave.
DEVICE void scale_row(const Words4 &head, u32 pair, u32 u, Shifted &row) {
    const u32 later = 0u - (pair >> 1 & 1), by = pair % 2 * 16 + u * 8;
    const u32 a = head.v[1], b = head.v[2], c = head.v[3];
    const u32 scales = (a & 0x3f3f3f3fu & ~later) | (((c & 0x0f0f0f0fu) | (a >> 2 & 0x30303030u)) & later);
    const u32 mins = (b & 0x3f3f3f3fu & ~later) | (((c >> 4 & 0x0f0f0f0fu) | (b >> 2 & 0x30303030u)) & later);
    row.d = half_of(head, 0) * float(scales >> by & 255);
    row.min = half_of(head, 1) * float(mins >> by & 255);
}

template <u32 PARTS> DEVICE float step_k(const Shifted &row, const Unit<PARTS> &x, float sum) {
    sum = fma(float(dots(row.q, x, 0)), row.d * x.info.d, sum);
    return fma(x.info.sum, row.min * -x.info.d, sum);
}
