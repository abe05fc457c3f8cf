//! Slows down guessing, per name and per address.
//!
//! An attempt is counted before its password is hashed, so that many at once gain nothing. A name
//! waits at most a minute: nobody can lock a colleague out for long. An address waits up to a quarter
//! of an hour. Kept in memory and bounded; a restart forgets it.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use sha2::{Digest, Sha256};

/// Attempts without a wait.
const FREE_PER_NAME: u32 = 5;
const FREE_PER_ADDRESS: u32 = 20;
/// Longest waits, seconds.
const WAIT_NAME: u64 = 60;
const WAIT_ADDRESS: u64 = 900;
/// A name or address without attempts for this long is forgotten, seconds.
const MEMORY: i64 = 1_800;
/// Most names and addresses remembered.
const ENTRIES: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key([u8; 16]);

#[derive(Debug, Clone, Copy)]
struct Slot {
    attempts: u32,
    last: i64,
}

/// Counts attempts. Times are seconds since 1970 and come from the caller.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    slots: Mutex<HashMap<Key, Slot>>,
}

impl Throttle {
    /// Counts one attempt, or refuses it with the seconds to wait.
    pub(super) fn attempt(&self, name: &str, address: Option<IpAddr>, now: i64) -> Result<(), u64> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = keys(name, address);
        let wait = keys
            .iter()
            .filter_map(|(key, free, most)| slots.get(key).map(|slot| slot.wait(*free, *most, now)))
            .max()
            .unwrap_or(0);
        if wait > 0 {
            return Err(wait);
        }
        make_room(&mut slots, now);
        for (key, ..) in keys {
            let slot = slots.entry(key).or_insert(Slot { attempts: 0, last: now });
            if now - slot.last > MEMORY {
                slot.attempts = 0;
            }
            slot.attempts = slot.attempts.saturating_add(1);
            slot.last = now;
        }
        Ok(())
    }

    /// Takes back the last attempt: the password was right.
    pub(super) fn succeeded(&self, name: &str, address: Option<IpAddr>) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.remove(&name_key(name));
        if let Some(slot) = address.and_then(|a| slots.get_mut(&address_key(a))) {
            slot.attempts = slot.attempts.saturating_sub(1);
        }
    }
}

impl Slot {
    fn wait(&self, free: u32, most: u64, now: i64) -> u64 {
        if self.attempts < free || now - self.last > MEMORY {
            return 0;
        }
        let wait = 2_u64.saturating_pow((self.attempts - free + 1).min(20)).min(most);
        let passed = u64::try_from(now.saturating_sub(self.last)).unwrap_or(0);
        wait.saturating_sub(passed)
    }
}

fn keys(name: &str, address: Option<IpAddr>) -> Vec<(Key, u32, u64)> {
    let mut keys = vec![(name_key(name), FREE_PER_NAME, WAIT_NAME)];
    keys.extend(address.map(|a| (address_key(a), FREE_PER_ADDRESS, WAIT_ADDRESS)));
    keys
}

fn name_key(name: &str) -> Key {
    key(b"name", name.as_bytes())
}

/// One household of IPv6 addresses counts as one.
fn address_key(address: IpAddr) -> Key {
    match address.to_canonical() {
        IpAddr::V4(v4) => key(b"v4", &v4.octets()),
        IpAddr::V6(v6) => key(b"v6", &v6.octets()[..8]),
    }
}

fn key(sort: &[u8], value: &[u8]) -> Key {
    let digest = Sha256::new().chain_update(sort).chain_update([0]).chain_update(value).finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    Key(short)
}

fn make_room(slots: &mut HashMap<Key, Slot>, now: i64) {
    if slots.len() < ENTRIES {
        return;
    }
    slots.retain(|_, slot| now - slot.last <= MEMORY);
    if slots.len() >= ENTRIES {
        // Everything is recent: the half with the fewest attempts goes, guessers stay.
        let mut attempts: Vec<u32> = slots.values().map(|s| s.attempts).collect();
        attempts.sort_unstable();
        let median = attempts[attempts.len() / 2];
        slots.retain(|_, slot| slot.attempts > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn five_attempts_are_free_then_waits_double_up_to_a_minute() {
        let throttle = Throttle::default();
        let mut now = 1_000_000;
        for _ in 0..5 {
            assert_eq!(throttle.attempt("meier", None, now), Ok(()));
        }
        for expected in [2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(throttle.attempt("meier", None, now), Err(expected));
            now += i64::try_from(expected).unwrap();
            assert_eq!(throttle.attempt("meier", None, now), Ok(()));
        }
        assert_eq!(throttle.attempt("keller", None, now), Ok(()), "another name is free");
        now += MEMORY + 1;
        assert_eq!(throttle.attempt("meier", None, now), Ok(()));
        assert_eq!(throttle.attempt("meier", None, now), Ok(()), "forgotten after half an hour");
    }

    #[test]
    fn an_address_is_slowed_whatever_the_names() {
        let throttle = Throttle::default();
        for n in 0..20 {
            assert_eq!(throttle.attempt(&format!("name{n}"), ip("2001:db8::1"), 0), Ok(()));
        }
        assert!(throttle.attempt("other", ip("2001:db8::2"), 0).is_err(), "same /64");
        assert_eq!(throttle.attempt("other", ip("2001:db8:0:1::2"), 0), Ok(()));
        assert_eq!(throttle.attempt("another", ip("192.0.2.7"), 0), Ok(()));
    }

    #[test]
    fn success_clears_the_name() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            throttle.attempt("meier", ip("192.0.2.7"), 0).unwrap();
        }
        throttle.succeeded("meier", ip("192.0.2.7"));
        assert_eq!(throttle.attempt("meier", ip("192.0.2.7"), 0), Ok(()));
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        for n in 0..(2 * ENTRIES) {
            let _ = throttle.attempt(&format!("n{n}"), None, 0);
        }
        assert!(throttle.slots.lock().unwrap().len() <= ENTRIES);
    }
}
