//! What was erased, so that it stays erased: finding a person's names in texts, and the list of erasures.
//!
//! The list holds no name, path or login, only sums under a secret key, by which the next night and a restored backup
//! know again what must not come back. It lies in `DATA/keys/erased.json`, which is kept apart from backups of the
//! data, and once more, without its key, in `DATA/erased.json`. An erasure that only one of the two has is not yet
//! carried out in this folder: the data, or the keys, are of a backup. Who edits both files can let what was erased
//! come back; the log has every erasure.

mod document;
mod names;
mod words;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use names::{MARK, Match, Name, Names};

/// What one erasure covers, as sums under the list's key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Erasure {
    /// Identifier, as in `erasure-3f2a91`.
    pub id: String,
    /// When it was decided, RFC 3339.
    pub at: String,
    /// Names that are taken out of every text.
    pub names: Vec<Name>,
    /// Documents that are not read: source and path.
    pub documents: BTreeSet<String>,
    /// Documents that are not read wherever they lie: SHA-256 of their bytes.
    pub contents: BTreeSet<String>,
    /// Records and elements that are not taken over: source, path and number or GlobalId.
    pub items: BTreeSet<String>,
    /// Login of the person's account.
    pub account: Option<String>,
    /// Pseudonym of the account in the log, as it stands there.
    pub pseudonym: Option<String>,
}

/// What a person chose to erase, in clear.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Names to take out of every text.
    pub names: Names,
    /// Whole documents: source, path, SHA-256 of the bytes.
    pub documents: Vec<(String, String, String)>,
    /// Records and elements: source, path, number or GlobalId.
    pub items: Vec<(String, String, String)>,
    /// Login of the person's account, and its pseudonym in the log.
    pub account: Option<(String, String)>,
}

/// Why the list cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    /// A file cannot be read or written.
    #[error("the list of erasures {path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what this program wrote.
    #[error("the list of erasures {path} is damaged ({what}); put back the copy that belongs to it")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The key is gone.
    #[error("{0} is missing, without which nobody can tell what was erased; put back the folder `keys`")]
    NoKey(PathBuf),
}

/// The file with the key.
#[derive(Debug, Serialize, Deserialize)]
struct Keyed {
    key: String,
    erasures: Vec<Erasure>,
}

/// The copy that goes with the data.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Copy {
    erasures: Vec<Erasure>,
}

/// The list of a data folder.
#[derive(Debug, Clone)]
pub struct Erasures {
    data: PathBuf,
    key: [u8; 32],
    all: Vec<Erasure>,
    /// Identifiers of those that are carried out here.
    done: BTreeSet<String>,
}

impl Erasures {
    /// Reads the list. Without one it is empty.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or only the copy without its key is there.
    pub fn open(data: &Path) -> Result<Self, ErasureError> {
        let kept: Option<Keyed> = read(&keyed(data))?;
        let copy: Option<Copy> = read(&copy(data))?;
        let (key, kept) = match kept {
            Some(file) => (key_of(data, &file.key)?, file.erasures),
            None if copy.as_ref().is_some_and(|c| !c.erasures.is_empty()) => {
                return Err(ErasureError::NoKey(keyed(data)));
            }
            None => (rand::random(), Vec::new()),
        };
        let copied = copy.unwrap_or_default().erasures;
        let ids = |list: &[Erasure]| -> BTreeSet<String> { list.iter().map(|e| e.id.clone()).collect() };
        let done = ids(&kept).intersection(&ids(&copied)).cloned().collect();
        let mut all = kept;
        for one in copied {
            if all.iter().all(|known| known.id != one.id) {
                all.push(one);
            }
        }
        Ok(Erasures { data: data.to_owned(), key, all, done })
    }

    /// A choice as the list would note it.
    pub fn drafted(&self, choice: &Choice, at: &str) -> Erasure {
        let sum = |parts: &[&str]| words::sum(&self.key, &parts.join("\0"));
        let mut one = Erasure {
            at: at.to_owned(),
            names: choice.names.hidden(self.key),
            documents: choice.documents.iter().map(|(s, p, _)| sum(&["document", s, p])).collect(),
            contents: choice.documents.iter().map(|(_, _, bytes)| sum(&["bytes", bytes])).collect(),
            items: choice.items.iter().map(|(s, p, i)| sum(&["item", s, p, i])).collect(),
            account: choice.account.as_ref().map(|(login, _)| sum(&["account", login])),
            pseudonym: choice.account.as_ref().map(|(_, pid)| pid.clone()),
            ..Erasure::default()
        };
        let mut id = sum(&[at, &serde_json::to_string(&one).unwrap_or_default()]);
        id.truncate(6);
        one.id = format!("erasure-{id}");
        one
    }

    /// Notes an erasure, durably and before anything is done about it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, erasure: Erasure) -> Result<(), ErasureError> {
        self.all.push(erasure);
        self.save_keyed()
    }

    /// Erasures that this data folder does not yet bear out.
    pub fn pending(&self) -> Vec<&Erasure> {
        self.all.iter().filter(|one| !self.done.contains(&one.id)).collect()
    }

    /// Notes that all pending ones are carried out here.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn carried_out(&mut self) -> Result<(), ErasureError> {
        self.save_keyed()?;
        save(&copy(&self.data), &Copy { erasures: self.all.clone() })?;
        self.done = self.all.iter().map(|one| one.id.clone()).collect();
        Ok(())
    }

    /// What all of them cover.
    pub fn rules(&self) -> Rules {
        self.rules_of(&self.all)
    }

    /// What these cover.
    pub fn rules_of<'a>(&self, some: impl IntoIterator<Item = &'a Erasure>) -> Rules {
        let mut rules = Rules { key: self.key, ..Rules::default() };
        let mut names = Vec::new();
        for one in some {
            names.extend(one.names.iter().cloned());
            rules.documents.extend(one.documents.iter().cloned());
            rules.contents.extend(one.contents.iter().cloned());
            rules.items.extend(one.items.iter().cloned());
            rules.accounts.extend(one.account.clone());
        }
        rules.names = Names::of_hidden(names, self.key);
        rules
    }

    fn save_keyed(&self) -> Result<(), ErasureError> {
        save(&keyed(&self.data), &Keyed { key: hex::encode(self.key), erasures: self.all.clone() })
    }
}

/// What must not be in this data folder.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    key: [u8; 32],
    /// Names that no text may hold.
    pub names: Names,
    documents: BTreeSet<String>,
    contents: BTreeSet<String>,
    items: BTreeSet<String>,
    accounts: BTreeSet<String>,
}

impl Rules {
    /// True where nothing was erased.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
            && self.documents.is_empty()
            && self.items.is_empty()
            && self.accounts.is_empty()
    }

    /// True where the document at this path is not to be read.
    pub fn covers_path(&self, source: &str, path: &str) -> bool {
        !self.documents.is_empty() && self.documents.contains(&self.sum(&["document", source, path]))
    }

    /// True where a document of these bytes (SHA-256, hexadecimal) is not to be read.
    pub fn covers_bytes(&self, sha256: &str) -> bool {
        !self.contents.is_empty() && self.contents.contains(&self.sum(&["bytes", sha256]))
    }

    /// True where a record or element is not to be taken over.
    pub fn covers_item(&self, source: &str, path: &str, item: &str) -> bool {
        !self.items.is_empty() && self.items.contains(&self.sum(&["item", source, path, item]))
    }

    /// True for the login of a person who was erased.
    pub fn covers_account(&self, login: &str) -> bool {
        !self.accounts.is_empty() && self.accounts.contains(&self.sum(&["account", login]))
    }

    fn sum(&self, parts: &[&str]) -> String {
        words::sum(&self.key, &parts.join("\0"))
    }
}

fn keyed(data: &Path) -> PathBuf {
    data.join("keys/erased.json")
}

fn copy(data: &Path) -> PathBuf {
    data.join("erased.json")
}

fn key_of(data: &Path, text: &str) -> Result<[u8; 32], ErasureError> {
    let wrong = || ErasureError::Damaged { path: keyed(data), what: "its key is none".to_owned() };
    hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, ErasureError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ErasureError::Io { path: path.to_owned(), source }),
    };
    let damaged = |e: serde_json::Error| ErasureError::Damaged { path: path.to_owned(), what: e.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(damaged)
}

/// Whole or not at all, and durable.
fn save(path: &Path, value: &impl Serialize) -> Result<(), ErasureError> {
    let failed = |source| ErasureError::Io { path: path.to_owned(), source };
    let bytes = serde_json::to_vec_pretty(value).map_err(|e| failed(e.into()))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

#[cfg(test)]
mod tests;
