//! The reader of model files: what it accepts lies within the file, costs no more memory than the file backs, and is
//! the same once written again.
#![no_main]

// The reader needs nothing of the product, whose libraries would take an hour to build with the fuzzer's instruments.
#[allow(dead_code, unused_imports)]
#[path = "../../../src/engine/gguf/mod.rs"]
mod gguf;

use gguf::{Gguf, Writer};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = match Gguf::parse(bytes) {
        Ok(file) => file,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut writer = Writer::new();
    for (key, value) in file.metadata() {
        let _ = (file.u64(key), file.f32(key), file.bool(key), file.arr(key), value.type_name());
        // The writer has an alignment of its own.
        if key != "general.alignment" {
            writer.set(key.clone(), value.clone());
        }
    }
    for tensor in file.tensors() {
        let data = tensor.bytes(bytes);
        assert_eq!(tensor.kind.bytes_for(tensor.elements()), Some(data.len()), "{}", tensor.name);
        assert!(tensor.range.start.is_multiple_of(file.alignment()), "{}", tensor.name);
        writer.tensor(tensor.name.clone(), &tensor.dims, tensor.kind, data);
    }
    let mut again = Vec::new();
    writer.write(&mut again).expect("what was read can be written");
    let read = Gguf::parse(&again).expect("and read again");
    for (key, value) in file.metadata().iter().filter(|(key, _)| *key != "general.alignment") {
        // By their words: a number that is none equals nothing.
        assert_eq!(format!("{:?}", read.metadata().get(key)), format!("{:?}", Some(value)));
    }
    for tensor in file.tensors() {
        let other = read.tensor(&tensor.name).expect("every tensor");
        assert_eq!((&other.dims, other.kind), (&tensor.dims, tensor.kind));
        assert_eq!(other.bytes(&again), tensor.bytes(bytes));
    }
});
