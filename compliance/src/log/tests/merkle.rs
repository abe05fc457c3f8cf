//! Roots and proofs against a recursive computation of RFC 6962 (`testdata/merkle_vectors.py`).

use serde::Deserialize;

use super::super::hash::{Frontier, Hash, leaf_hash};
use super::super::note::{NoteSigner, Verifier};
use super::super::tiles::{Edge, Hashes, WIDTH, index_path, parse_index};
use super::super::{check_consistency, check_inclusion};
use crate::storage::{MemoryStorage, PowerSwitch, Storage};

#[derive(Deserialize)]
struct Vectors {
    short: Cases,
    long: Cases,
}

#[derive(Deserialize)]
struct Cases {
    leaves: Vec<String>,
    roots: Vec<Root>,
    inclusion: Vec<Inclusion>,
    consistency: Vec<Consistency>,
}

#[derive(Deserialize)]
struct Root {
    size: u64,
    root: String,
}

#[derive(Deserialize)]
struct Inclusion {
    size: u64,
    seq: u64,
    proof: Vec<String>,
}

#[derive(Deserialize)]
struct Consistency {
    old: u64,
    new: u64,
    proof: Vec<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../testdata/merkle_vectors.json")).unwrap()
}

fn hash(digits: &str) -> Hash {
    hex::decode(digits).unwrap().try_into().unwrap()
}

fn hashes(list: &[String]) -> Vec<Hash> {
    list.iter().map(|h| hash(h)).collect()
}

impl Cases {
    fn leaf_hashes(&self) -> Vec<Hash> {
        self.leaves.iter().map(|l| leaf_hash(&hex::decode(l).unwrap())).collect()
    }

    fn root(&self, size: u64) -> Hash {
        let mut frontier = Frontier::default();
        self.leaf_hashes().into_iter().take(size as usize).for_each(|h| frontier.push(h));
        frontier.root()
    }

    /// The tree as the log stores it.
    fn stored(&self, size: u64) -> (MemoryStorage, Edge) {
        let storage = MemoryStorage::new(PowerSwitch::default());
        let mut edge = Edge::default();
        for (i, h) in self.leaf_hashes().into_iter().take(size as usize).enumerate() {
            edge.push(h);
            if (i + 1) % WIDTH == 0 {
                for (path, bytes) in edge.close((i / WIDTH) as u64) {
                    storage.replace(&path, &bytes).unwrap();
                }
            }
        }
        (storage, edge)
    }
}

#[test]
fn known_roots() {
    // The root over the eight leaves of the Certificate Transparency test suites.
    let known = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328";
    assert_eq!(vectors().short.root(8), hash(known));
    for cases in [vectors().short, vectors().long] {
        for case in &cases.roots {
            assert_eq!(cases.root(case.size), hash(&case.root), "size {}", case.size);
            let (storage, edge) = cases.stored(case.size);
            assert_eq!(edge.frontier().root(), hash(&case.root), "from the edge, size {}", case.size);
            let read = Edge::load(&storage, case.size / 256).unwrap();
            assert_eq!(read.levels().skip(1).collect::<Vec<_>>(), edge.levels().skip(1).collect::<Vec<_>>());
        }
    }
}

#[test]
fn proofs_are_those_of_the_standard() {
    for cases in [vectors().short, vectors().long] {
        for case in &cases.inclusion {
            let (storage, edge) = cases.stored(case.size);
            let reader =
                Hashes { storage: &storage, edge: &edge, cache: Default::default(), size: case.size };
            let made = tlog_tiles::prove_record(case.size, case.seq, &reader).unwrap();
            let made: Vec<Hash> = made.into_iter().map(|h| h.0).collect();
            assert_eq!(made, hashes(&case.proof), "{} in {}", case.seq, case.size);
        }
        for case in &cases.consistency {
            let (storage, edge) = cases.stored(case.new);
            let reader = Hashes { storage: &storage, edge: &edge, cache: Default::default(), size: case.new };
            let made = tlog_tiles::prove_tree(case.new, case.old, &reader).unwrap();
            let made: Vec<Hash> = made.into_iter().map(|h| h.0).collect();
            assert_eq!(made, hashes(&case.proof), "{} to {}", case.old, case.new);
        }
    }
}

/// Every way of spoiling a proof that the public suites try: a flipped bit, a hash too few or too many, hashes
/// swapped, another root, leaf, position or size.
#[test]
fn spoiled_proofs_are_refused() {
    let cases = vectors().short;
    let leaves = cases.leaf_hashes();
    for case in &cases.inclusion {
        let (proof, root, leaf) = (hashes(&case.proof), cases.root(case.size), leaves[case.seq as usize]);
        let check =
            |p: &[Hash], size, root: &Hash, seq, leaf: &Hash| check_inclusion(p, size, root, seq, leaf);
        assert!(check(&proof, case.size, &root, case.seq, &leaf));
        for spoiled in spoil(&proof) {
            assert!(!check(&spoiled, case.size, &root, case.seq, &leaf));
        }
        assert!(!check(&proof, case.size, &flipped(&root), case.seq, &leaf));
        assert!(!check(&proof, case.size, &root, case.seq, &flipped(&leaf)));
        assert!(!check(&proof, case.size, &root, case.size, &leaf));
        assert!(!check(&proof, 0, &root, case.seq, &leaf));
        assert!(case.size == 1 || !check(&proof, case.size, &root, case.seq ^ 1, &leaf));
    }
    for case in &cases.consistency {
        let (proof, old, new) = (hashes(&case.proof), cases.root(case.old), cases.root(case.new));
        assert!(check_consistency(&proof, (case.old, &old), (case.new, &new)));
        for spoiled in spoil(&proof) {
            assert!(!check_consistency(&spoiled, (case.old, &old), (case.new, &new)));
        }
        assert!(!check_consistency(&proof, (case.old, &flipped(&old)), (case.new, &new)));
        assert!(!check_consistency(&proof, (case.old, &old), (case.new, &flipped(&new))));
        assert!(!check_consistency(&proof, (case.new + 1, &old), (case.new, &new)));
        assert!(!check_consistency(&proof, (0, &old), (case.new, &new)));
    }
}

fn flipped(hash: &Hash) -> Hash {
    let mut out = *hash;
    out[7] ^= 1;
    out
}

fn spoil(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut out = vec![[proof, &[[0; 32]]].concat()];
    for i in 0..proof.len() {
        let mut one = proof.to_vec();
        one[i] = flipped(&one[i]);
        out.push(one);
        let mut one = proof.to_vec();
        one.remove(i);
        out.push(one);
        if i > 0 && proof[i] != proof[i - 1] {
            let mut one = proof.to_vec();
            one.swap(i, i - 1);
            out.push(one);
        }
    }
    out
}

#[test]
fn tile_numbers_are_spelled_as_in_the_specification() {
    // Examples of the tlog-tiles specification.
    for (n, path) in [(0, "000"), (5, "005"), (1234, "x001/234"), (1_234_067, "x001/x234/067")] {
        assert_eq!(index_path(n), path);
        assert_eq!(parse_index(path), Some(n));
    }
    for bad in ["", "5", "x001", "001/234", "x001/x234", "-01", "+01", "x000/005"] {
        assert_eq!(parse_index(bad), None, "{bad}");
    }
}

/// Key, note and signature were made with Python's `cryptography` from the seed 00 01 … 1f.
#[test]
fn checkpoint_is_the_one_another_program_signs() {
    let seed: [u8; 32] = std::array::from_fn(|i| i as u8);
    let signer = NoteSigner::new("example/log".into(), &seed);
    let vkey = include_str!("../../../testdata/checkpoint.vkey");
    let note = include_bytes!("../../../testdata/checkpoint.note");
    assert_eq!(signer.verifier().to_vkey(), vkey.trim_end());
    assert_eq!(signer.note(8, &vectors().short.root(8)), note);
    let verifier = Verifier::from_vkey(vkey).unwrap();
    assert_eq!(verifier.open(note), Ok((8, vectors().short.root(8))));
    for i in 0..note.len() {
        let mut spoiled = note.to_vec();
        spoiled[i] ^= 1;
        assert!(verifier.open(&spoiled).is_err(), "byte {i}");
    }
}
