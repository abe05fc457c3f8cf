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

/// A proof, and what it is to show.
#[derive(Clone)]
struct Claim {
    proof: Vec<Hash>,
    /// Leaf and position, or root and size of the smaller tree.
    part: (Hash, u64),
    /// Root and size of the tree.
    whole: (Hash, u64),
}

/// The ways of spoiling a claim that the public suites for Merkle proofs try, by their names there.
fn spoil(good: &Claim) -> Vec<(String, Claim)> {
    let mut out: Vec<(String, Claim)> = Vec::new();
    let mut with = |name: &str, change: &dyn Fn(&mut Claim)| {
        let mut claim = good.clone();
        change(&mut claim);
        out.push((name.to_owned(), claim));
    };
    let garbage = [0x5a; 32];
    let ends = [("garbage", garbage), ("root1", good.part.0), ("root2", good.whole.0)];
    for (name, hash) in ends.into_iter().chain(good.proof.first().map(|h| ("proof[0]", *h))) {
        with(&format!("preceding {name}"), &|c| c.proof.insert(0, hash));
        with(&format!("trailing {name}"), &|c| c.proof.push(hash));
    }
    for i in 0..good.proof.len() {
        with(&format!("modified proof[{i}] bit 4"), &|c| c.proof[i][0] ^= 1 << 4);
        with(&format!("proof[{i}] left out"), &|c| {
            c.proof.remove(i);
        });
        if i > 0 && good.proof[i] != good.proof[i - 1] {
            with(&format!("proof[{i}] before its neighbour"), &|c| c.proof.swap(i, i - 1));
        }
    }
    if !good.proof.is_empty() {
        with("empty proof", &|c| c.proof.clear());
        with("truncated proof", &|c| c.proof.truncate(c.proof.len() - 1));
    }
    with("wrong root1 or leaf", &|c| c.part.0 = flipped(&c.part.0));
    with("wrong root2", &|c| c.whole.0 = flipped(&c.whole.0));
    if good.part.0 != good.whole.0 {
        with("swapped roots", &|c| std::mem::swap(&mut c.part.0, &mut c.whole.0));
    }
    with("size1 or index + 1", &|c| c.part.1 += 1);
    with("size1 or index - 1", &|c| c.part.1 = c.part.1.wrapping_sub(1));
    with("size1 or index ^ 2", &|c| c.part.1 ^= 2);
    with("size2 * 2", &|c| c.whole.1 *= 2);
    with("size2 / 2", &|c| c.whole.1 /= 2);
    with("size2 of nothing", &|c| c.whole.1 = 0);
    out
}

fn includes(c: &Claim) -> bool {
    check_inclusion(&c.proof, c.whole.1, &c.whole.0, c.part.1, &c.part.0)
}

fn grew(c: &Claim) -> bool {
    check_consistency(&c.proof, (c.part.1, &c.part.0), (c.whole.1, &c.whole.0))
}

fn claims(cases: &Cases) -> (Vec<Claim>, Vec<Claim>) {
    let leaves = cases.leaf_hashes();
    let inclusion = cases.inclusion.iter().map(|c| Claim {
        proof: hashes(&c.proof),
        part: (leaves[c.seq as usize], c.seq),
        whole: (cases.root(c.size), c.size),
    });
    let consistency = cases.consistency.iter().map(|c| Claim {
        proof: hashes(&c.proof),
        part: (cases.root(c.old), c.old),
        whole: (cases.root(c.new), c.new),
    });
    (inclusion.collect(), consistency.collect())
}

/// Spoils a good claim in every way; returns how many there were.
fn refused(good: &Claim, check: fn(&Claim) -> bool) -> usize {
    assert!(check(good));
    let spoiled = spoil(good);
    for (name, claim) in &spoiled {
        assert!(!check(claim), "{name}: {} of {}", good.part.1, good.whole.1);
    }
    spoiled.len()
}

#[test]
fn spoiled_proofs_are_refused() {
    let mut tried = 0;
    for cases in [vectors().short, vectors().long] {
        let (inclusion, consistency) = claims(&cases);
        tried += inclusion.iter().map(|good| refused(good, includes)).sum::<usize>();
        tried += consistency.iter().map(|good| refused(good, grew)).sum::<usize>();
    }
    assert!(tried >= 518, "{tried}");
}

/// A program of somebody else's (the crate `ct-merkle`) makes the same roots and proofs, and takes ours.
#[test]
fn a_second_implementation_agrees() {
    use ct_merkle::mem_backed_tree::MemoryBackedTree;
    use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
    type Other = MemoryBackedTree<sha2::Sha256, Vec<u8>>;

    let cases = vectors().long;
    let leaves: Vec<Vec<u8>> = cases.leaves.iter().map(|l| hex::decode(l).unwrap()).collect();
    let root = |size: usize| RootHash::<sha2::Sha256>::new(cases.root(size as u64).into(), size as u64);
    for size in [1, 2, 3, 7, 8, 255, 256, 257, 300, 511, 512, 513, 600] {
        let mut other = Other::new();
        leaves.iter().take(size).for_each(|leaf| other.push(leaf.clone()));
        assert!(other.root() == root(size), "root of {size}");
        let (storage, edge) = cases.stored(size as u64);
        let reader = Hashes { storage: &storage, edge: &edge, cache: Default::default(), size: size as u64 };
        let bytes = |list: Vec<tlog_tiles::Hash>| list.into_iter().flat_map(|h| h.0).collect::<Vec<u8>>();
        for seq in [0, size / 3, size / 2, size - 1] {
            let ours = bytes(tlog_tiles::prove_record(size as u64, seq as u64, &reader).unwrap());
            assert_eq!(ours, other.prove_inclusion(seq).as_bytes(), "{seq} of {size}");
            let proof = InclusionProof::<sha2::Sha256>::try_from_bytes(ours).unwrap();
            assert!(root(size).verify_inclusion(&leaves[seq], seq as u64, &proof).is_ok());
        }
        for old in [1, size / 3, size / 2, size - 1] {
            if old == 0 || old == size {
                continue;
            }
            let ours = bytes(tlog_tiles::prove_tree(size as u64, old as u64, &reader).unwrap());
            assert_eq!(ours, other.prove_consistency(size - old).as_bytes(), "{old} to {size}");
            let proof = ConsistencyProof::<sha2::Sha256>::try_from_bytes(ours).unwrap();
            assert!(root(size).verify_consistency(&root(old), &proof).is_ok());
        }
    }
}

fn flipped(hash: &Hash) -> Hash {
    let mut out = *hash;
    out[7] ^= 1;
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
