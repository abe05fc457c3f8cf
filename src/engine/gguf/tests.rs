use proptest::prelude::*;

use super::*;

/// Bytes of a small file with every value type and three tensors.
fn sample() -> Vec<u8> {
    let q4: Vec<u8> = (0..36).collect();
    let f32s: Vec<u8> = [1.5_f32, -2.0, 0.25].iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut writer = Writer::new();
    writer
        .set("general.architecture", Value::Str("llama".into()))
        .set("a.u8", Value::U8(200))
        .set("a.i8", Value::I8(-3))
        .set("a.u16", Value::U16(60_000))
        .set("a.i16", Value::I16(-30_000))
        .set("a.u32", Value::U32(4_000_000_000))
        .set("a.i32", Value::I32(-5))
        .set("a.f32", Value::F32(0.5))
        .set("a.bool", Value::Bool(true))
        .set("a.u64", Value::U64(1 << 40))
        .set("a.i64", Value::I64(-1))
        .set("a.f64", Value::F64(0.25))
        .set("t.tokens", Value::Array(Array::Str(vec!["a".into(), "ü".into(), String::new()])))
        .set("t.scores", Value::Array(Array::F32(vec![0.0, -1.0, -2.5])))
        .set("t.types", Value::Array(Array::I32(vec![1, 1, 6])))
        .set("t.map", Value::Array(Array::U8(vec![1, 2, 3])))
        .set(
            "t.nested",
            Value::Array(Array::Array(vec![Array::U16(vec![7]), Array::Bool(vec![true, false])])),
        )
        .tensor("w", &[32, 2], TensorKind::Q4_0, &q4)
        .tensor("b", &[3], TensorKind::F32, &f32s);
    let mut out = Vec::new();
    writer.write(&mut out).unwrap();
    out
}

#[test]
fn reads_back_what_was_written() {
    let bytes = sample();
    let gguf = Gguf::parse(&bytes).unwrap();
    assert_eq!((gguf.version(), gguf.alignment()), (3, 32));
    assert_eq!(gguf.architecture().unwrap(), "llama");
    assert_eq!(gguf.u32("a.u8").unwrap(), 200);
    assert_eq!(gguf.u32("a.u16").unwrap(), 60_000);
    assert_eq!(gguf.u32("a.u32").unwrap(), 4_000_000_000);
    assert_eq!(gguf.u64("a.u64").unwrap(), 1 << 40);
    assert_eq!(gguf.f32("a.f32").unwrap(), 0.5);
    assert_eq!(gguf.f32("a.f64").unwrap(), 0.25);
    assert!(gguf.bool("a.bool").unwrap());
    assert_eq!(gguf.get("a.i16"), Some(&Value::I16(-30_000)));
    assert_eq!(gguf.strings("t.tokens").unwrap(), ["a", "ü", ""]);
    assert_eq!(gguf.f32s("t.scores").unwrap(), [0.0, -1.0, -2.5]);
    assert_eq!(gguf.i32s("t.types").unwrap(), [1, 1, 6]);
    assert_eq!(gguf.bytes("t.map").unwrap(), [1, 2, 3]);
    let nested = Array::Array(vec![Array::U16(vec![7]), Array::Bool(vec![true, false])]);
    assert_eq!(gguf.arr("t.nested").unwrap(), &nested);

    let w = gguf.tensor("w").unwrap();
    assert_eq!((w.dims.as_slice(), w.kind, w.elements()), ([32, 2].as_slice(), TensorKind::Q4_0, 64));
    assert_eq!(w.bytes(&bytes), (0..36).collect::<Vec<u8>>());
    let b = gguf.tensor("b").unwrap();
    assert_eq!(b.range.start % 32, 0);
    assert_eq!(b.bytes(&bytes)[..4], 1.5_f32.to_le_bytes());
}

#[test]
fn a_hand_made_version_2_file_is_read() {
    // Written byte by byte after the format's description, not with the writer above.
    let mut bytes = b"GGUF\x02\0\0\0".to_vec();
    bytes.extend(1_u64.to_le_bytes()); // tensors
    bytes.extend(2_u64.to_le_bytes()); // keys
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(b"k");
    bytes.extend(4_u32.to_le_bytes()); // u32
    bytes.extend(9_u32.to_le_bytes());
    bytes.extend(17_u64.to_le_bytes());
    bytes.extend(b"general.alignment");
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(64_u32.to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(b"x");
    bytes.extend(1_u32.to_le_bytes()); // one dimension
    bytes.extend(2_u64.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes()); // F16
    bytes.extend(64_u64.to_le_bytes()); // offset
    bytes.resize(bytes.len().next_multiple_of(64) + 64, 0);
    bytes.extend([0x00, 0x3c, 0x00, 0xc0]);
    let gguf = Gguf::parse(&bytes).unwrap();
    assert_eq!((gguf.version(), gguf.u32("k").unwrap()), (2, 9));
    assert_eq!(gguf.tensor("x").unwrap().bytes(&bytes), [0x00, 0x3c, 0x00, 0xc0]);
}

#[test]
fn asking_for_the_wrong_thing_names_the_key() {
    let gguf = Gguf::parse(&sample()).unwrap();
    assert_eq!(gguf.str("no.such").unwrap_err().to_string(), "the GGUF metadata has no key no.such");
    assert_eq!(gguf.str("a.u8").unwrap_err().to_string(), "the GGUF key a.u8 has type u8, expected string");
    assert_eq!(gguf.u32("a.i32").unwrap_err().to_string(), "the GGUF key a.i32 is -5, which is not a u32");
    assert_eq!(
        gguf.strings("t.scores").unwrap_err().to_string(),
        "the GGUF key t.scores has type array of f32, expected array of string"
    );
    assert_eq!(gguf.opt_u32("no.such").unwrap(), None);
    assert!(gguf.tensor("nope").is_err());
}

/// Replaces the first occurrence of `from`; both have one length.
fn swap(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
    let mut out = bytes.to_vec();
    out[at..at + to.len()].copy_from_slice(to);
    out
}

#[test]
fn hostile_files_are_refused_with_the_reason() {
    let good = sample();
    let message = |bytes: &[u8]| Gguf::parse(bytes).unwrap_err().to_string();

    assert!(message(b"").contains("not a GGUF file"));
    assert!(message(b"GGML....").contains("not a GGUF file"));
    assert!(message(&swap(&good, b"GGUF\x03\0\0\0", b"GGUF\0\0\0\x03")).contains("big-endian"));
    assert!(message(&swap(&good, b"GGUF\x03\0\0\0", b"GGUF\x01\0\0\0")).contains("version 1"));

    // Counts far beyond the file.
    let mut bytes = good.clone();
    bytes[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(message(&bytes).contains("tensor count"));
    let mut bytes = good.clone();
    bytes[16..24].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    assert!(message(&bytes).contains("key count"));

    // A string, an array and a nested array that claim more than there is.
    let key = b"t.tokens\x09\0\0\0\x08\0\0\0\x03\0\0\0\0\0\0\0";
    let huge = b"t.tokens\x09\0\0\0\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f";
    assert!(message(&swap(&good, key, huge)).contains("key t.tokens"));
    let nested = b"t.nested\x09\0\0\0\x09\0\0\0\x02";
    let wrong = b"t.nested\x09\0\0\0\x63\0\0\0\x02";
    assert!(message(&swap(&good, nested, wrong)).contains("unknown element type 99"));

    // Not UTF-8, twice the same key.
    assert!(message(&swap(&good, "ü".as_bytes(), &[0xff, 0xff])).contains("element 1 of key t.tokens"));
    assert!(message(&swap(&good, b"a.u16", b"a.i16")).contains("key a.i16"));
    assert!(message(&good[..good.len() - 32]).contains("data of tensor b"));
}

/// The sample's tensor entry for `w` with other dimensions, type and offset.
fn with_entry(dims: [u64; 2], kind: u32, offset: u64) -> Vec<u8> {
    let entry = |dims: [u64; 2], kind: u32, offset: u64| {
        let mut bytes = b"w\x02\0\0\0".to_vec();
        bytes.extend(dims.iter().flat_map(|d| d.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes
    };
    swap(&sample(), &entry([32, 2], 2, 0), &entry(dims, kind, offset))
}

#[test]
fn impossible_tensors_are_refused() {
    let message = |dims, kind, offset| Gguf::parse(&with_entry(dims, kind, offset)).unwrap_err().to_string();
    assert!(message([u64::MAX, u64::MAX], 0, 0).contains("impossible shape"));
    assert!(message([1 << 62, 2], 0, 0).contains("impossible shape"));
    assert!(message([0, 2], 0, 0).contains("impossible shape"));
    assert!(message([33, 2], 2, 0).contains("blocks of 32"));
    assert!(message([32, 2], 4, 0).contains("unknown tensor type 4"));
    assert!(message([32, 2], 2, 5).contains("alignment"));
    assert!(message([32, 2], 2, u64::MAX - 31).contains("data of tensor w"));
    assert!(message([32, 200], 2, 0).contains("data of tensor w"));
}

#[test]
fn deep_nesting_is_refused() {
    let mut deep = Array::U8(vec![1]);
    for _ in 0..40 {
        deep = Array::Array(vec![deep]);
    }
    let mut writer = Writer::new();
    writer.set("deep", Value::Array(deep));
    let mut out = Vec::new();
    writer.write(&mut out).unwrap();
    assert!(Gguf::parse(&out).unwrap_err().to_string().contains("nested deeper"));
}

#[test]
fn the_writer_refuses_what_cannot_be_read() {
    let mut twice = Writer::new();
    twice.set("k", Value::U8(1)).set("k", Value::U8(2));
    assert!(twice.write(&mut Vec::new()).unwrap_err().to_string().contains("key k"));
    let mut short = Writer::new();
    short.tensor("t", &[32], TensorKind::Q4_0, &[0; 17]);
    assert!(short.write(&mut Vec::new()).unwrap_err().to_string().contains("tensor t"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is done to the bytes, parsing ends, and every range it gives lies inside the file.
    #[test]
    fn mutations_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
        shorten in any::<bool>(),
    ) {
        let mut bytes = sample();
        for (at, value) in edits {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if shorten {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(gguf) = Gguf::parse(&bytes) {
            for tensor in gguf.tensors() {
                prop_assert!(tensor.range.end <= bytes.len());
                prop_assert_eq!(tensor.bytes(&bytes).len(), tensor.range.len());
            }
        }
    }
}
