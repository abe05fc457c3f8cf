// Few activation rows by Q5_K: 256 codes of five bits, six-bit scales and minima for each 32.
//
// Planes: codes; fifth bits; heads.

#include "gemv_k.h"

struct Q5_K {
    using Row = Shifted;

    static DEVICE_MEMBER Row load(const u8 *w, Shape s, u32 group, u32 r, u32 u, u32 pair) {
        const u64 fifth_at = bytes_codes4(s), heads_at = fifth_at + bytes_fifth(s);
        const Words4 codes = load_codes4(w, s, group, r, u, pair);
        const Words4 fifth = load_fifth(w, s, fifth_at, group, pair, u);
        const Words4 head = load_head(w, s, heads_at, group, r, pair);
        Row out;
        unpack4(codes, out.q);
        add_fifth(fifth.v[r], out.q);
        scale_row(head, pair, u, out);
        return out;
    }

    template <u32 PARTS> static DEVICE_MEMBER float step(const Row &row, const Unit<PARTS> &x, float sum) {
        return step_k(row, x, sum);
    }
};

GEMVS(Q5_K, q5_k)
