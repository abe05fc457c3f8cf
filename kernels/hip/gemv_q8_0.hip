// Few activation rows by Q8_0: 32 signed bytes, a half-precision scale.
//
// Planes: codes [group][row][half of pair][half of unit][pair]; scales [group][pair], the two of row 0 first.

#include "gemv.h"

struct Q8_0 {
    using Row = Scaled;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const Words4 scales = load16(w, u64(s.groups) * s.pairs * 256, group, s.pairs, pair);
        Row out;
        UNROLL for (u32 i = 0; i < 2; ++i) {
            const Words4 codes = load16(w, 0, (u64(group) * 8 + r * 2 + u) * 2 + i, s.pairs, pair);
            UNROLL for (u32 j = 0; j < 4; ++j) out.q[i * 4 + j] = codes.v[j];
        }
        out.d = half_of(scales, r * 2 + u);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        return fma(float(dots(row.q, x, 0)), row.d * x.info.d, sum);
    }
};

GEMVS(Q8_0, q8_0)
