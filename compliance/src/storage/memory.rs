//! [`Storage`] in memory, for tests: it forgets what was not synced when the power is cut.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Storage, StorageError};

/// When the power fails. One switch may serve several storages, so that "the third step" is counted over
/// all of them.
#[derive(Debug, Default, Clone)]
pub struct PowerSwitch {
    state: Arc<Mutex<Switch>>,
}

#[derive(Debug, Default)]
struct Switch {
    /// Steps done since the start.
    steps: u64,
    /// The step at which the power fails; it is done in part or not at all.
    cut_at: Option<u64>,
    /// True once the power has failed.
    off: bool,
    /// The step at which one operation fails while the power stays on.
    fail_at: Option<u64>,
    /// The step from which on every operation fails.
    full_from: Option<u64>,
    /// State of a small generator (splitmix64) that decides what survives.
    random: u64,
}

/// What a step may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// All of it.
    Done,
    /// The power fails now, or the operation fails; `u64` decides how much of it happens.
    Broken(u64),
}

impl PowerSwitch {
    /// Cuts the power at the step with the given number (counted from 1 over all storages of the switch);
    /// `seed` decides what of the unsynced bytes survives.
    pub fn cut_at(&self, step: u64, seed: u64) {
        let mut s = self.lock();
        s.cut_at = Some(step);
        s.random = seed;
    }

    /// Lets one step fail as a full disk would, with the power on.
    pub fn fail_at(&self, step: u64, seed: u64) {
        let mut s = self.lock();
        s.fail_at = Some(step);
        s.random = seed;
    }

    /// Lets every step from this one on fail, with the power on, until [`PowerSwitch::make_room`].
    pub fn full_from(&self, step: u64) {
        self.lock().full_from = Some(step);
    }

    /// Ends [`PowerSwitch::full_from`].
    pub fn make_room(&self) {
        self.lock().full_from = None;
    }

    /// Steps done so far.
    pub fn steps(&self) -> u64 {
        self.lock().steps
    }

    /// True once the power has failed.
    pub fn is_off(&self) -> bool {
        self.lock().off
    }

    fn lock(&self) -> MutexGuard<'_, Switch> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self) -> Result<Step, io::Error> {
        let mut s = self.lock();
        if s.off {
            return Err(io::Error::other("the power is off"));
        }
        s.steps += 1;
        if s.cut_at == Some(s.steps) {
            s.off = true;
        } else if s.fail_at != Some(s.steps) && s.full_from.is_none_or(|from| s.steps < from) {
            return Ok(Step::Done);
        }
        Ok(Step::Broken(draw(&mut s.random)))
    }

    fn draw(&self) -> u64 {
        draw(&mut self.lock().random)
    }
}

fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Files in memory. Appended bytes count as unsynced until [`Storage::sync`].
#[derive(Debug, Default)]
pub struct MemoryStorage {
    files: Mutex<BTreeMap<String, Content>>,
    power: PowerSwitch,
}

#[derive(Debug, Default, Clone)]
struct Content {
    bytes: Vec<u8>,
    /// Length that is durable; beyond it anything may happen.
    synced: usize,
    /// False while the name itself is not durable.
    named: bool,
}

impl MemoryStorage {
    /// An empty storage on `power`.
    pub fn new(power: PowerSwitch) -> Self {
        Self { files: Mutex::default(), power }
    }

    /// What is found after the power came back: synced bytes, and of the rest a prefix, zeros or nothing.
    pub fn after_restart(&self, power: PowerSwitch) -> Self {
        let mut kept = BTreeMap::new();
        for (path, content) in self.lock().iter() {
            if !content.named && self.power.draw().is_multiple_of(2) {
                continue;
            }
            let mut bytes = content.bytes[..content.synced].to_vec();
            let rest = &content.bytes[content.synced..];
            if !rest.is_empty() {
                let keep = (self.power.draw() % (rest.len() as u64 + 1)) as usize;
                match self.power.draw() % 3 {
                    0 => bytes.extend_from_slice(&rest[..keep]),
                    1 => {
                        bytes.extend_from_slice(&rest[..keep]);
                        bytes.resize(content.bytes.len(), 0);
                    }
                    _ => {}
                }
            }
            let synced = bytes.len();
            kept.insert(path.clone(), Content { bytes, synced, named: true });
        }
        Self { files: Mutex::new(kept), power }
    }

    /// Changes the bytes of one file behind the log's back, as an attacker would. Returns false if there is
    /// no such file.
    pub fn tamper(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut files = self.lock();
        let Some(content) = files.get_mut(path) else { return false };
        change(&mut content.bytes);
        content.synced = content.bytes.len();
        true
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Content>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self, action: &'static str, path: &str) -> Result<Step, StorageError> {
        self.power.step().map_err(|source| StorageError { action, path: path.into(), source })
    }
}

/// The error of a step that was broken off.
fn broken(action: &'static str, path: &str) -> StorageError {
    StorageError { action, path: path.into(), source: io::Error::other("no space left (simulated)") }
}

impl Storage for MemoryStorage {
    fn append(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let step = self.step("append to", path)?;
        let mut files = self.lock();
        let content = files.entry(path.to_owned()).or_default();
        match step {
            Step::Done => content.bytes.extend_from_slice(bytes),
            Step::Broken(r) => {
                let some = (r % (bytes.len() as u64 + 1)) as usize;
                content.bytes.extend_from_slice(&bytes[..some]);
                return Err(broken("append to", path));
            }
        }
        Ok(())
    }

    fn sync(&self, path: &str) -> Result<(), StorageError> {
        let step = self.step("sync", path)?;
        let mut files = self.lock();
        let missing =
            || StorageError { action: "sync", path: path.into(), source: io::ErrorKind::NotFound.into() };
        let content = files.get_mut(path).ok_or_else(missing)?;
        match step {
            // A failed sync may have done its work: the error only says that nobody knows.
            Step::Broken(r) if r % 2 == 0 => return Err(broken("sync", path)),
            _ => {
                content.synced = content.bytes.len();
                content.named = true;
            }
        }
        if step == Step::Done { Ok(()) } else { Err(broken("sync", path)) }
    }

    fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let step = self.step("replace", path)?;
        let done = !matches!(step, Step::Broken(r) if r % 2 == 0);
        if done {
            let new = Content { bytes: bytes.to_vec(), synced: bytes.len(), named: true };
            self.lock().insert(path.to_owned(), new);
        }
        if step == Step::Done { Ok(()) } else { Err(broken("replace", path)) }
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StorageError> {
        Ok(self.lock().get(path).map(|c| c.bytes.clone()))
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, StorageError> {
        let inside =
            |p: &&String| folder.is_empty() || p.strip_prefix(folder).is_some_and(|r| r.starts_with('/'));
        Ok(self.lock().keys().filter(inside).cloned().collect())
    }

    fn remove(&self, path: &str) -> Result<(), StorageError> {
        let step = self.step("remove", path)?;
        let done = !matches!(step, Step::Broken(r) if r % 2 == 0);
        if done {
            self.lock().remove(path);
        }
        if step == Step::Done { Ok(()) } else { Err(broken("remove", path)) }
    }
}
