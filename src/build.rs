//! One choice for the linker; everything else is chosen at run time or checked by types.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // A reader process is started for every file, and what it starts with is putting right the half a million
    // addresses of this program's tables. Packed, they are read from one hundredth of the space. Debian has had the
    // loader for it since version 12 (glibc 2.36).
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
