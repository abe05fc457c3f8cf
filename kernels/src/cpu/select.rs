//! Picking from a row of logits.

/// The index of the largest value, the first of equals; `None` for an empty row or one without numbers.
pub fn argmax(x: &[f32]) -> Option<usize> {
    let mut lanes = [f32::NEG_INFINITY; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for c in chunks {
        for (m, &v) in lanes.iter_mut().zip(c) {
            *m = if v > *m { v } else { *m };
        }
    }
    let top = lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |m, &v| if v > m { v } else { m });
    x.iter().position(|&v| v == top)
}

/// The `k` largest values with their indices, largest first, the lower index first among equals. Values that are
/// not numbers are left out.
pub fn top_k(x: &[f32], k: usize) -> Vec<(usize, f32)> {
    let order = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if k == 0 {
        return Vec::new();
    }
    let mut best: Vec<(usize, f32)> = Vec::with_capacity(k.min(x.len()).saturating_mul(2));
    let mut floor = f32::NEG_INFINITY;
    for (i, &v) in x.iter().enumerate() {
        if v < floor || v.is_nan() {
            continue;
        }
        best.push((i, v));
        if best.len() >= k.saturating_mul(2) {
            // Keep the better half; whatever is below its worst can be skipped from now on.
            best.select_nth_unstable_by(k - 1, order);
            best.truncate(k);
            floor = best[k - 1].1;
        }
    }
    best.sort_unstable_by(order);
    best.truncate(k);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argmax_takes_the_first_of_equals() {
        let mut x = vec![0.0f32; 50];
        x[37] = 3.0;
        x[44] = 3.0;
        assert_eq!(argmax(&x), Some(37));
        x[49] = f32::NAN;
        assert_eq!(argmax(&x), Some(37));
        assert_eq!(argmax(&[]), None);
        assert_eq!(argmax(&[f32::NAN]), None);
    }

    #[test]
    fn top_k_equals_a_full_sort() {
        let mut state = 7u32;
        let x: Vec<f32> = (0..1000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 20) as f32 / 64.0
            })
            .collect();
        let mut all: Vec<(usize, f32)> = x.iter().copied().enumerate().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for k in [0, 1, 5, 40, 999, 1000, 2000] {
            assert_eq!(top_k(&x, k), all[..k.min(1000)], "k = {k}");
        }
    }
}
