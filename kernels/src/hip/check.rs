//! The entry points of the loader against those that `hip-sys` took from ROCm's headers (HIP 5.4).
//!
//! The comparison is made by the compiler: each function is given the type under which it is looked up.

use std::ffi::c_uint;

use hip_sys::hiprt::{self, hipError_t};

use super::{DeviceGetName, GetDeviceCount, NO_DEVICE, RuntimeGetVersion};

#[test]
fn error_numbers_are_those_of_the_headers() {
    assert_eq!(size_of::<hipError_t>(), size_of::<c_uint>());
    assert_eq!(NO_DEVICE, hipError_t::hipErrorNoDevice as c_uint);
}

#[test]
fn signatures_are_those_of_the_headers() {
    let _: RuntimeGetVersion<hipError_t> = hiprt::hipRuntimeGetVersion;
    let _: GetDeviceCount<hipError_t> = hiprt::hipGetDeviceCount;
    let _: DeviceGetName<hipError_t> = hiprt::hipDeviceGetName;
}
