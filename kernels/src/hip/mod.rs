//! AMD's HIP run-time library, found while the program runs.
//!
//! Linking the library would stop the program on machines without it, so it is opened by name and its functions
//! are looked up one by one. Today only questions are asked: which version, which devices. Nothing is computed
//! there yet.
//!
//! # Calling convention
//! HIP's functions are `extern "C"`, return a `hipError_t` (an `unsigned int`, 0 for success) and write results
//! through pointers that the caller owns. The signatures below are those of `hip_runtime_api.h`; the feature
//! `hip-sys-check` compares them with the crate `hip-sys` where ROCm's headers are installed.

use std::ffi::{CStr, OsStr, OsString, c_char, c_int, c_uint};

use libloading::Library;

/// `hipError_t hipRuntimeGetVersion(int *version)`
type RuntimeGetVersion<E = c_uint> = unsafe extern "C" fn(*mut c_int) -> E;
/// `hipError_t hipGetDeviceCount(int *count)`
type GetDeviceCount<E = c_uint> = unsafe extern "C" fn(*mut c_int) -> E;
/// `hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device)`
type DeviceGetName<E = c_uint> = unsafe extern "C" fn(*mut c_char, c_int, c_int) -> E;

/// `hipErrorNoDevice`: the library works and sees no device.
const NO_DEVICE: c_uint = 100;
/// More devices than any machine has; a larger answer is not believed.
const MAX_DEVICES: c_int = 64;

/// Names under which the library is installed, best first.
#[cfg(not(windows))]
const CANDIDATES: &[&str] = &[
    "libamdhip64.so.7",
    "libamdhip64.so.6",
    "libamdhip64.so.5",
    "libamdhip64.so",
    "/opt/rocm/lib/libamdhip64.so",
];
/// Names under which the driver installs the library, best first.
#[cfg(windows)]
const CANDIDATES: &[&str] = &["amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll"];

/// A HIP library that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HipLibrary {
    /// The name or path that it was opened by.
    pub library: String,
    /// Its version, such as `6.4.43484`.
    pub version: String,
    /// Names of its devices; empty where it sees none.
    pub devices: Vec<String>,
}

/// Why HIP cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HipError {
    /// No candidate could be opened.
    #[error("no HIP library is installed (tried {})", tried.join("; "))]
    NotFound {
        /// Each candidate, with the loader's reason where it exists but cannot be opened.
        tried: Vec<String>,
    },
    /// The library lacks a function.
    #[error("{library} has no function {function}: it is damaged or no HIP library")]
    NoFunction {
        /// The library.
        library: String,
        /// The function.
        function: &'static str,
    },
    /// A call returned an error.
    #[error("{function} of {library} failed with HIP error {code}")]
    Call {
        /// The library.
        library: String,
        /// The function.
        function: &'static str,
        /// HIP's error number.
        code: u32,
    },
}

/// Looks for the library under its usual names and asks it for version and devices.
///
/// # Errors
/// [`HipError`] with the reason; on a machine without AMD's driver that is `NotFound`.
pub fn probe() -> Result<HipLibrary, HipError> {
    let names: Vec<OsString> = CANDIDATES.iter().map(OsString::from).collect();
    probe_at(&names)
}

/// As [`probe`], with candidates to try in order: names for the system's search, or paths.
///
/// Opening a library runs its start-up code, so candidates must come from the administrator, never from input.
///
/// # Errors
/// As [`probe`].
pub fn probe_at(candidates: &[OsString]) -> Result<HipLibrary, HipError> {
    let mut tried = Vec::new();
    for name in candidates {
        match open(name) {
            Ok(library) => return ask(&library, &name.to_string_lossy()),
            Err(e) => tried.push(reason(name, &e)),
        }
    }
    Err(HipError::NotFound { tried })
}

/// The candidate, and why it cannot be opened unless it simply is not there.
fn reason(name: &OsStr, error: &libloading::Error) -> String {
    let name = name.to_string_lossy();
    let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    if cause.contains("No such file") { name.into_owned() } else { format!("{name}: {cause}") }
}

fn open(name: &OsStr) -> Result<Library, libloading::Error> {
    // SAFETY: opening runs the library's initialisers. The candidates are AMD's own file names or what the
    // administrator named; running that library's code is what the caller asks for.
    unsafe { Library::new(name) }
}

fn ask(hip: &Library, library: &str) -> Result<HipLibrary, HipError> {
    let missing = |function| move |_| HipError::NoFunction { library: library.to_string(), function };
    // SAFETY: the type is the signature of this function in `hip_runtime_api.h`, unchanged since HIP 1; the symbol
    // does not outlive `hip`.
    let version = unsafe { hip.get::<RuntimeGetVersion>(b"hipRuntimeGetVersion\0") };
    let version = version.map_err(missing("hipRuntimeGetVersion"))?;
    // SAFETY: as above.
    let count = unsafe { hip.get::<GetDeviceCount>(b"hipGetDeviceCount\0") };
    let count = count.map_err(missing("hipGetDeviceCount"))?;
    // SAFETY: as above.
    let name = unsafe { hip.get::<DeviceGetName>(b"hipDeviceGetName\0") };
    let name = name.map_err(missing("hipDeviceGetName"))?;

    let check = |function, code| match code {
        0 => Ok(()),
        code => Err(HipError::Call { library: library.to_string(), function, code }),
    };
    let mut number: c_int = 0;
    // SAFETY: the function writes one int through the pointer, which is to a live local.
    check("hipRuntimeGetVersion", unsafe { version(&raw mut number) })?;
    let mut devices: c_int = 0;
    // SAFETY: as above.
    let code = unsafe { count(&raw mut devices) };
    if code == NO_DEVICE {
        devices = 0;
    } else {
        check("hipGetDeviceCount", code)?;
    }
    let mut names = Vec::new();
    for device in 0..devices.clamp(0, MAX_DEVICES) {
        let mut text = [0u8; 256];
        // SAFETY: the function writes at most `len` bytes with a final 0 into the buffer; one byte less is offered
        // than there is, so that the buffer ends with a 0 in any case.
        let code = unsafe { name(text.as_mut_ptr().cast(), text.len() as c_int - 1, device) };
        check("hipDeviceGetName", code)?;
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default();
        names.push(text.to_string_lossy().into_owned());
    }
    Ok(HipLibrary { library: library.to_string(), version: version_text(number), devices: names })
}

/// HIP numbers a version as major × 10,000,000 + minor × 100,000 + patch.
fn version_text(number: c_int) -> String {
    format!("{}.{}.{}", number / 10_000_000, number / 100_000 % 100, number % 100_000)
}

#[cfg(all(test, feature = "hip-sys-check"))]
mod check;
mod layout;
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub use layout::CardMatrix;
