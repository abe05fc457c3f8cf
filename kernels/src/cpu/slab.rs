//! Memory for weights: contiguous, in huge pages where the system has them.
//!
//! A processor keeps the addresses of some thousand pages at hand. With pages of 4 KiB a model of a few hundred MiB does
//! not fit in, and every page of weights waits for its address first: more than a tenth of the speed of writing. So weights lie
//! side by side in regions for which huge pages are asked.

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use memmap2::{MmapMut, MmapRaw};

use crate::KernelError;

/// Bytes that are taken from the system at once. What is not used of them is never touched, and takes no memory.
const REGION: usize = 64 << 20;
/// Every slab begins at a cache line.
const ALIGN: usize = 64;

/// The region that slabs are cut from, and how much of it is given away. It lives as long as one of its slabs.
static OPEN: Mutex<(Weak<MmapRaw>, usize)> = Mutex::new((Weak::new(), 0));

/// Types of which any bytes are a value.
///
/// # Safety
/// That has to be true, and the type needs no more alignment than [`ALIGN`] and has nothing to drop.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: a line is 64 bytes, aligned to them.
unsafe impl Plain for super::simd::Line {}
// SAFETY: arrays of plain numbers.
unsafe impl<const N: usize> Plain for [u8; N] {}
// SAFETY: as before.
unsafe impl<const N: usize> Plain for [u16; N] {}
// SAFETY: as before.
unsafe impl<const N: usize> Plain for [f32; N] {}

/// Values that are appended once and then only read.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    /// Keeps the memory; `None` where there is none.
    _region: Option<Arc<MmapRaw>>,
    start: NonNull<T>,
    len: usize,
    room: usize,
}

// SAFETY: a slab owns its part of the region, as a vector owns its memory.
unsafe impl<T: Send> Send for Slab<T> {}
// SAFETY: as before.
unsafe impl<T: Sync> Sync for Slab<T> {}

impl<T: Plain> Slab<T> {
    /// Room for `room` values.
    ///
    /// # Errors
    /// The system has no more memory.
    pub(crate) fn with_room(room: usize) -> Result<Self, KernelError> {
        const { assert!(align_of::<T>() <= ALIGN) };
        let none = Self { _region: None, start: NonNull::dangling(), len: 0, room: 0 };
        let bytes = room.saturating_mul(size_of::<T>());
        if bytes == 0 {
            return Ok(none);
        }
        let (region, offset) = cut(bytes.next_multiple_of(ALIGN))?;
        // SAFETY: `cut` gives a part of at least so many bytes inside of the region, and never gives it twice; the
        // region begins at a page, so the offset decides about the alignment.
        let start = unsafe { NonNull::new_unchecked(region.as_mut_ptr().add(offset)) }.cast();
        Ok(Self { _region: Some(region), start, room, ..none })
    }

    /// Appends a value. Panics past the room that was asked for.
    pub(crate) fn push(&mut self, value: T) {
        assert!(self.len < self.room, "a slab of {} values is full", self.room);
        // SAFETY: inside of the part that belongs to this slab alone.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
    }
}

impl<T> Deref for Slab<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` values were written, and nothing changes them while they are borrowed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

/// A part of `bytes` bytes: its region, and where it begins there.
fn cut(bytes: usize) -> Result<(Arc<MmapRaw>, usize), KernelError> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(region) = open.0.upgrade().filter(|r| r.len() - open.1 >= bytes) {
        let offset = open.1;
        open.1 += bytes;
        return Ok((region, offset));
    }
    let map = MmapMut::map_anon(bytes.max(REGION)).map_err(|_| KernelError::Memory { bytes })?;
    let region = Arc::new(MmapRaw::from(map));
    // A system without huge pages says so here, and works all the same.
    #[cfg(target_os = "linux")]
    let _ = region.advise(memmap2::Advice::HugePage);
    *open = (Arc::downgrade(&region), bytes);
    Ok((region, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slabs_do_not_meet_and_keep_their_memory() {
        let mut slabs: Vec<Slab<[u16; 16]>> = (0..50).map(|_| Slab::with_room(3001).unwrap()).collect();
        for i in 0..3001 {
            for (n, slab) in slabs.iter_mut().enumerate() {
                slab.push([(n * 3001 + i) as u16; 16]);
            }
        }
        slabs.truncate(25);
        slabs.remove(3);
        for (at, slab) in slabs.iter().enumerate() {
            let n = if at < 3 { at } else { at + 1 };
            assert!(slab.iter().enumerate().all(|(i, v)| *v == [(n * 3001 + i) as u16; 16]));
            assert_eq!(slab.as_ptr() as usize % ALIGN, 0);
        }
        let large: Slab<[u8; 16]> = Slab::with_room(REGION / 8).unwrap();
        assert!(large.is_empty());
    }

    #[test]
    #[should_panic(expected = "full")]
    fn more_than_the_room_is_refused() {
        let mut slab = Slab::with_room(1).unwrap();
        slab.push([0u8; 16]);
        slab.push([0u8; 16]);
    }

    #[test]
    fn more_than_the_machine_has_is_an_error() {
        let refused = Slab::<[u8; 16]>::with_room(usize::MAX / 1024).unwrap_err();
        assert!(matches!(refused, KernelError::Memory { .. }), "{refused}");
    }
}
