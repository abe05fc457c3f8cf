//! How the numbers of a tensor are stored.

/// The storage type of a tensor: its number in the file, its name, and the size of one block.
///
/// The reader knows the layout sizes of every type that a GGUF file can name today, so that it can place the
/// tensors; which of them can be computed with is for the engine to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(non_camel_case_types, missing_docs)] // the format's own names, as users know them
pub enum TensorKind {
    F32,
    F16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q8_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    Q8_K,
    IQ2_XXS,
    IQ2_XS,
    IQ3_XXS,
    IQ1_S,
    IQ4_NL,
    IQ3_S,
    IQ2_S,
    IQ4_XS,
    I8,
    I16,
    I32,
    I64,
    F64,
    IQ1_M,
    BF16,
    TQ1_0,
    TQ2_0,
    MXFP4,
    NVFP4,
}

/// (kind, number in the file, name, elements per block, bytes per block)
const KINDS: &[(TensorKind, u32, &str, usize, usize)] = {
    use TensorKind::*;
    &[
        (F32, 0, "F32", 1, 4),
        (F16, 1, "F16", 1, 2),
        (Q4_0, 2, "Q4_0", 32, 18),
        (Q4_1, 3, "Q4_1", 32, 20),
        (Q5_0, 6, "Q5_0", 32, 22),
        (Q5_1, 7, "Q5_1", 32, 24),
        (Q8_0, 8, "Q8_0", 32, 34),
        (Q8_1, 9, "Q8_1", 32, 36),
        (Q2_K, 10, "Q2_K", 256, 84),
        (Q3_K, 11, "Q3_K", 256, 110),
        (Q4_K, 12, "Q4_K", 256, 144),
        (Q5_K, 13, "Q5_K", 256, 176),
        (Q6_K, 14, "Q6_K", 256, 210),
        (Q8_K, 15, "Q8_K", 256, 292),
        (IQ2_XXS, 16, "IQ2_XXS", 256, 66),
        (IQ2_XS, 17, "IQ2_XS", 256, 74),
        (IQ3_XXS, 18, "IQ3_XXS", 256, 98),
        (IQ1_S, 19, "IQ1_S", 256, 50),
        (IQ4_NL, 20, "IQ4_NL", 32, 18),
        (IQ3_S, 21, "IQ3_S", 256, 110),
        (IQ2_S, 22, "IQ2_S", 256, 82),
        (IQ4_XS, 23, "IQ4_XS", 256, 136),
        (I8, 24, "I8", 1, 1),
        (I16, 25, "I16", 1, 2),
        (I32, 26, "I32", 1, 4),
        (I64, 27, "I64", 1, 8),
        (F64, 28, "F64", 1, 8),
        (IQ1_M, 29, "IQ1_M", 256, 56),
        (BF16, 30, "BF16", 1, 2),
        (TQ1_0, 34, "TQ1_0", 256, 54),
        (TQ2_0, 35, "TQ2_0", 256, 66),
        (MXFP4, 39, "MXFP4", 32, 17),
        (NVFP4, 40, "NVFP4", 64, 36),
    ]
};

impl TensorKind {
    /// The kind with this number in the file.
    pub fn from_id(id: u32) -> Option<Self> {
        KINDS.iter().find(|row| row.1 == id).map(|row| row.0)
    }

    fn row(self) -> (u32, &'static str, usize, usize) {
        // Every variant has a row (a test counts them); the fallback is never reached.
        KINDS.iter().find(|row| row.0 == self).map_or((0, "F32", 1, 4), |row| (row.1, row.2, row.3, row.4))
    }

    /// Its number in the file.
    pub fn id(self) -> u32 {
        self.row().0
    }

    /// Its name, as in `Q4_K`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Elements in one block; a row is a whole number of blocks.
    pub fn block_elements(self) -> usize {
        self.row().2
    }

    /// Bytes of `elements` elements, if that is a whole number of blocks and fits.
    pub fn bytes_for(self, elements: usize) -> Option<usize> {
        let (_, _, per_block, bytes) = self.row();
        if !elements.is_multiple_of(per_block) {
            return None;
        }
        (elements / per_block).checked_mul(bytes)
    }
}

impl std::fmt::Display for TensorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_row() {
        for &(kind, id, name, per_block, bytes) in KINDS {
            assert_eq!(TensorKind::from_id(id), Some(kind));
            assert_eq!((kind.id(), kind.name()), (id, name));
            assert_eq!(format!("{kind:?}"), name);
            assert_eq!(kind.bytes_for(per_block * 3), Some(bytes * 3));
        }
        assert_eq!(TensorKind::from_id(4), None); // a removed type
        assert_eq!(KINDS.len(), TensorKind::NVFP4 as usize + 1);
    }

    #[test]
    fn partial_blocks_and_overflow_have_no_size() {
        assert_eq!(TensorKind::Q4_0.bytes_for(33), None);
        assert_eq!(TensorKind::F64.bytes_for(usize::MAX), None);
    }
}
