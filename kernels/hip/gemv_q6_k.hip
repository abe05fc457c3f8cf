// Few activation rows by Q6_K: 256 codes of six bits minus 32, a signed byte as scale for each 16.
//
// Planes: codes; fifth and sixth bits [group][row][pair], bits 2i and 2i + 1 of byte b of a unit's word h for byte b of its
// codes' word 4h + i; scales [group][pair] of two bytes for a unit, those of row 0 first; d [group][block] of 8 bytes, a half
// for each row.

#include "gemv.h"

struct Q6_K {
    // Its codes, and the scales of their halves.
    struct Row {
        u32 q[8];
        float low, high;
    };

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const u64 high_at = bytes_codes4(s), cell = u64(s.groups) * s.pairs * 16;
        const u64 scales_at = high_at + cell * ROWS, d_at = scales_at + cell + u64(group) * (s.pairs / 4) * 8;
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 high = load16(w, high_at, u64(group) * ROWS + r, s.pairs, pair);
        const Words4 all_scales = load16(w, scales_at, group, s.pairs, pair);
        const Words2 all_d = reinterpret_cast<const Words2 *>(w + d_at)[pair / 4];
        Row out;
        unpack4(codes, out.q);
        UNROLL for (u32 i = 0; i < 8; ++i) {
            const u32 bits = high.v[u * 2 + i / 4];
            out.q[i] |= (i % 4 < 2 ? bits << (4 - i % 4 * 2) : bits >> (i % 4 * 2 - 4)) & 0x30303030u;
        }
        const u32 scales = all_scales.v[r] >> (u * 16);
        const float d = half_to_float(u16(all_d.v[r / 2] >> (r % 2 * 16)));
        out.low = d * float(i8(scales & 255));
        out.high = d * float(i8(scales >> 8 & 255));
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        const i32 low = dots<PARTS, 0, 4>(row.q, x, -32 * x.info.halves[0]);
        const i32 high = dots<PARTS, 4, 8>(row.q, x, -32 * x.info.halves[1]);
        return fma(float(high), row.high * x.info.d, fma(float(low), row.low * x.info.d, sum));
    }
};

GEMVS(Q6_K, q6_k)
