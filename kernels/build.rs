//! Nothing yet but the folder that the tests of the kernels compile into.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
