//! The allocator of every program that uses this crate: jemalloc, set up to give memory back.
//!
//! A night takes blocks of all sizes on changing threads for hours. glibc's allocator keeps what lies between blocks that
//! are still in use, so that the memory of a run grew while what it used did not; jemalloc packs blocks by size and
//! returns pages that nothing has used for a second, from a thread of its own.

use std::ffi::c_char;

use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// Two pools are enough for the few threads that allocate much; by itself, jemalloc makes four for each core. `retain`
/// would keep address space, of which a reader has a bounded amount. Without the last setting, blocks of 8 MiB and more,
/// such as the logits of sixteen answers, would go back to the system each time.
const SETTINGS: &std::ffi::CStr =
    c"background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:2,retain:false,oversize_threshold:0";

/// Where jemalloc looks for its settings when the program starts.
// SAFETY: jemalloc declares this name as a weak `const char *`, which it expects the program to define; the pointer is to
// a constant that ends in 0, and nobody writes to either.
#[unsafe(export_name = "malloc_conf")]
static CONFIGURATION: Option<&c_char> = Some(unsafe { &*SETTINGS.as_ptr() });

#[cfg(test)]
mod tests {
    use tikv_jemalloc_ctl::{arenas, background_thread};

    #[test]
    fn its_settings_are_read() {
        assert!(background_thread::read().unwrap());
        // Two, and one that jemalloc keeps for blocks of many pages.
        assert!(arenas::narenas::read().unwrap() <= 3);
    }
}
