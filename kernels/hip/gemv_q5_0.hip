// Few activation rows by Q5_0: 32 codes of five bits minus 16, a half-precision scale.
//
// Planes: codes; fifth bits; scales [group][pair], the two of row 0 first.

#include "gemv.h"

struct Q5_0 {
    using Row = Scaled;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const u64 fifth_at = bytes_codes4(s), scales_at = fifth_at + bytes_fifth(s);
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 fifth = load_fifth(w, s, fifth_at, group, pair, u);
        const Words4 scales = load16(w, scales_at, group, s.pairs, pair);
        Row out;
        unpack4(codes, out.q);
        add_fifth(fifth.v[r], out.q);
        out.d = half_of(scales, r * 2 + u);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        return fma(float(dots(row.q, x, -16 * (x.info.halves[0] + x.info.halves[1]))), row.d * x.info.d, sum);
    }
};

GEMVS(Q5_0, q5_0)
