//! What the C library's allocator keeps for itself.

use std::ffi::c_int;

/// Blocks from this size on come from the system one by one and go back when they are freed; and so does what is free
/// at a pool's end beyond it.
const TIGHT_BYTES: c_int = 128 << 10;
/// The same, as glibc ends up with by itself once it has seen a block as large as it counts for.
const LOOSE_BYTES: c_int = 32 << 20;

/// While one exists, freed large blocks go back to the system at once.
///
/// By itself, glibc raises the bound to the size of the largest block ever freed. That is quick for searches, which
/// take the same blocks again and again. A long run that now and then needs blocks of a few MiB, on changing threads,
/// then keeps a multiple of the memory that it uses, in gaps between other blocks.
#[derive(Debug)]
pub struct TightMemory(());

impl TightMemory {
    /// Begins. Without effect where the C library has no such setting.
    pub fn begin() -> Self {
        set(TIGHT_BYTES);
        limit_pools();
        TightMemory(())
    }

    /// Gives what is free in the middle of the pools back as well: small blocks of a batch that lay between others.
    /// Some milliseconds.
    pub fn give_back() {
        trim();
    }
}

impl Drop for TightMemory {
    fn drop(&mut self) {
        set(LOOSE_BYTES);
    }
}

#[cfg(target_env = "gnu")]
fn set(bytes: c_int) {
    for which in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: `mallopt` takes two plain numbers and may be called at any time; the allocator locks itself.
        unsafe { libc::mallopt(which, bytes) };
    }
}

/// A pool for each core. By itself, glibc makes eight times as many, and each keeps what its threads once needed.
#[cfg(target_env = "gnu")]
fn limit_pools() {
    let cores = std::thread::available_parallelism().map_or(2, |n| n.get().max(2));
    // SAFETY: as in `set`.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, c_int::try_from(cores).unwrap_or(c_int::MAX)) };
}

#[cfg(target_env = "gnu")]
fn trim() {
    // SAFETY: `malloc_trim` takes a plain number and may be called at any time; the allocator locks itself.
    unsafe { libc::malloc_trim(0) };
}

/// Bytes that the program has asked the C library for and not given back, in all threads; `None` where it does not
/// count them. What the library keeps for itself between blocks is not among them.
#[cfg(target_env = "gnu")]
pub fn heap_bytes() -> Option<usize> {
    // SAFETY: `mallinfo2` takes nothing and may be called at any time; the allocator locks itself.
    let info = unsafe { libc::mallinfo2() };
    // In the pools, and in blocks that came from the system one by one.
    Some(info.uordblks + info.hblkhd)
}

/// See above.
#[cfg(not(target_env = "gnu"))]
pub fn heap_bytes() -> Option<usize> {
    None
}

#[cfg(not(target_env = "gnu"))]
fn set(_: c_int) {}

#[cfg(not(target_env = "gnu"))]
fn trim() {}

#[cfg(not(target_env = "gnu"))]
fn limit_pools() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_env = "gnu")]
    fn blocks_are_counted_until_they_are_freed() {
        // Far beyond what other tests of this process take at the same time.
        const LARGE: usize = 256 << 20;
        let before = heap_bytes().unwrap();
        let block = vec![0u8; LARGE];
        let with = heap_bytes().unwrap();
        assert!(with.abs_diff(before + LARGE) < LARGE / 8, "{before} {with}");
        drop(block);
        assert!(heap_bytes().unwrap() < with - LARGE / 2);
    }
}
