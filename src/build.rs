//! What has to be known when the program is built: one choice for the linker, and the licences of the libraries.
//! Everything else is chosen at run time or checked by types.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    // A reader process is started for every file, and what it starts with is putting right the half a million
    // addresses of this program's tables. Packed, they are read from one hundredth of the space. Debian has had the
    // loader for it since version 12 (glibc 2.36).
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    let list = licences().unwrap_or_else(|why| {
        println!("cargo::warning=the bill of materials will name no licences: {why}");
        String::new()
    });
    if let Err(e) = std::fs::write(Path::new(&out).join("licences.txt"), list) {
        println!("cargo::error=the list of licences cannot be written: {e}");
    }
}

/// One line for each package that the build knows: name, version and licence as its manifest states it. All of the
/// lock file where their manifests are at hand, else those of this platform.
fn licences() -> Result<String, String> {
    let target = std::env::var("TARGET").unwrap_or_default();
    let metadata = metadata(&[]).or_else(|_| metadata(&["--filter-platform", &target]))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let mut lines: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let text = |key: &str| package[key].as_str().map(str::trim).filter(|text| !text.is_empty());
            let licence = match (text("license"), text("license_file")) {
                (Some(licence), _) => licence.to_owned(),
                (None, Some(file)) => format!("see {file} in the package"),
                (None, None) => return None,
            };
            Some(format!("{} {} {licence}\n", text("name")?, text("version")?))
        })
        .collect();
    lines.sort();
    Ok(lines.concat())
}

/// What cargo knows of the packages, without asking anybody.
fn metadata(more: &[&str]) -> Result<serde_json::Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let fixed = ["metadata", "--format-version", "1", "--offline", "--locked"];
    let output = Command::new(cargo).args(fixed).args(more).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(text.lines().next().unwrap_or("cargo metadata failed").to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
}
