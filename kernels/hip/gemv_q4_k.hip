// Few activation rows by Q4_K: 256 codes of four bits, six-bit scales and minima for each 32.
//
// Planes: codes; heads.

#include "gemv_k.h"

struct Q4_K {
    using Row = Shifted;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 head = load_head(w, s, bytes_codes4(s), group, r, pair);
        Row out;
        unpack4(codes, out.q);
        scale_row(head, pair, u, out);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        return step_k(row, x, sum);
    }
};

GEMVS(Q4_K, q4_k)
