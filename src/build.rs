//! One choice for the linker; everything else is chosen at run time or checked by types.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // A reader process is started for every file, and what it starts with is putting right the half a million
    // addresses of this program's tables. Packed, they are read from one hundredth of the space. Debian has had the
    // loader for it since version 12 (glibc 2.36).
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
