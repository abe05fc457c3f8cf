// Few activation rows by Q4_1: 32 codes of four bits, a half-precision scale and minimum.
//
// Planes: codes; scales and minima [group][half of pair][pair], one of each for each row.

#include "gemv.h"

struct Q4_1 {
    using Row = Shifted;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 scales = load16(w, bytes_codes4(s), u64(group) * 2 + u, s.pairs, pair);
        Row out;
        unpack4(codes, out.q);
        out.d = half_of(scales, r * 2);
        out.min = half_of(scales, r * 2 + 1);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        sum = fma(float(dots(row.q, x, 0)), row.d * x.info.d, sum);
        return fma(row.min, x.info.sum, sum);
    }
};

GEMVS(Q4_1, q4_1)
