//! The loader against a library that the test compiles: same names, same calling convention, known answers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::hip::{HipError, HipLibrary, probe_at};

const WORKING: &str = r#"
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(v: *mut i32) -> u32 { unsafe { *v = 60443484 }; 0 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(n: *mut i32) -> u32 { unsafe { *n = 2 }; 0 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(name: *mut u8, len: i32, device: i32) -> u32 {
    let text: &[u8] = if device == 0 { b"First card" } else { &[b'x'; 300] };
    let n = text.len().min(len as usize - 1);
    unsafe { core::ptr::copy_nonoverlapping(text.as_ptr(), name, n); *name.add(n) = 0; }
    0
}
"#;

const WITHOUT_DEVICE: &str = r#"
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(v: *mut i32) -> u32 { unsafe { *v = 70000001 }; 0 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(_: *mut i32) -> u32 { 100 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(_: *mut u8, _: i32, _: i32) -> u32 { 1 }
"#;

const BROKEN: &str = r#"
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(_: *mut i32) -> u32 { 3 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(_: *mut i32) -> u32 { 3 }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(_: *mut u8, _: i32, _: i32) -> u32 { 3 }
"#;

/// Compiles a library; the folder goes with the value.
struct Compiled(PathBuf);

impl Compiled {
    fn new(name: &str, source: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("kernels-hip-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let this = Self(dir);
        std::fs::write(this.0.join("hip.rs"), source).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"]);
        let out = rustc.arg(this.path()).arg(this.0.join("hip.rs")).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        this
    }

    fn path(&self) -> PathBuf {
        self.0.join("libfake.so")
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn probe_path(path: &Path) -> Result<HipLibrary, HipError> {
    probe_at(&["libabsent-hip.so.9".into(), path.into()])
}

#[test]
fn asks_for_version_and_devices() {
    let library = Compiled::new("working", WORKING);
    let found = probe_path(&library.path()).unwrap();
    assert_eq!(found.version, "6.4.43484");
    assert_eq!(found.library, library.path().to_string_lossy());
    // The buffer of 256 bytes is never filled to its end: 255 are offered, one of them for the final 0.
    assert_eq!(found.devices, ["First card".to_string(), "x".repeat(254)]);
}

#[test]
fn no_device_is_no_error() {
    let library = Compiled::new("none", WITHOUT_DEVICE);
    let found = probe_path(&library.path()).unwrap();
    assert_eq!((found.version.as_str(), found.devices.len()), ("7.0.1", 0));
}

#[test]
fn says_why_not() {
    let library = Compiled::new("broken", BROKEN);
    let error = probe_path(&library.path()).unwrap_err();
    assert!(error.to_string().contains("hipRuntimeGetVersion"), "{error}");
    assert!(error.to_string().ends_with("failed with HIP error 3"), "{error}");
    let empty = Compiled::new("empty", "");
    let error = probe_path(&empty.path()).unwrap_err();
    assert!(matches!(error, HipError::NoFunction { function: "hipRuntimeGetVersion", .. }), "{error}");
    let error = probe_at(&["libabsent-hip.so.9".into()]).unwrap_err();
    assert_eq!(error.to_string(), "no HIP library is installed (tried libabsent-hip.so.9)");
    std::fs::write(empty.path(), "no library").unwrap();
    let error = probe_path(&empty.path()).unwrap_err();
    assert!(error.to_string().contains("libfake.so: "), "a file that is no library has its reason: {error}");
}
