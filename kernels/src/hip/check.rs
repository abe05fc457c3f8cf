//! The entry points of the loader against those that `hip-sys` took from ROCm's headers (HIP 5.4).
//!
//! The comparison is made by the compiler: each function is given the type under which it is looked up.

use hip_sys::hiprt;

use super::{DeviceGetName, GetDeviceCount, NO_DEVICE, RuntimeGetVersion};

#[test]
fn error_numbers_are_those_of_the_headers() {
    assert_eq!(NO_DEVICE, hiprt::hipError_t_hipErrorNoDevice);
}

#[test]
fn signatures_are_those_of_the_headers() {
    let _: RuntimeGetVersion = hiprt::hipRuntimeGetVersion;
    let _: GetDeviceCount = hiprt::hipGetDeviceCount;
    let _: DeviceGetName = hiprt::hipDeviceGetName;
}
