// Few activation rows by Q4_0: 32 codes of four bits minus 8, a half-precision scale.
//
// Planes: codes; scales [group][pair], the two of row 0 first.

#include "gemv.h"

struct Q4_0 {
    using Row = Scaled;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 scales = load16(w, bytes_codes4(s), group, s.pairs, pair);
        Row out;
        unpack4(codes, out.q);
        out.d = half_of(scales, r * 2 + u);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        return fma(float(dots(row.q, x, -8 * (x.info.halves[0] + x.info.halves[1]))), row.d * x.info.d, sum);
    }
};

GEMVS(Q4_0, q4_0)
