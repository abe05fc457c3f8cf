//! Documents whose file is not where it was: deleted, or moved.

use std::collections::{HashMap, HashSet};

use crate::catalog::{DocumentId, FileState};

/// Documents whose file is gone, until one of them turns up under another path.
#[derive(Default)]
pub(super) struct Gone(HashMap<String, Vec<(String, FileState)>>);

impl Gone {
    pub(super) fn new(gone: Vec<(String, FileState)>) -> Self {
        let mut by_hash: HashMap<String, Vec<_>> = HashMap::new();
        for (path, state) in gone {
            by_hash.entry(state.sha256.clone()).or_default().push((path, state));
        }
        Gone(by_hash)
    }

    /// The hashes of these documents' bytes.
    pub(super) fn hashes(&self) -> HashSet<String> {
        self.0.keys().cloned().collect()
    }

    /// The document that moved to `path`: of several with the same bytes, one of the same name.
    pub(super) fn take(&mut self, sha256: &str, path: &str) -> Option<(String, FileState)> {
        let found = self.0.get_mut(sha256)?;
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let at = found.iter().position(|(old, _)| name(old) == name(path)).unwrap_or(0);
        (at < found.len()).then(|| found.remove(at))
    }

    pub(super) fn rest(self) -> Vec<DocumentId> {
        let mut rest: Vec<DocumentId> =
            self.0.into_values().flatten().map(|(_, state)| state.document).collect();
        rest.sort_unstable();
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalog::{FileStamp, ProjectId},
        scope::AclId,
    };

    fn state(id: i64, sha256: &str) -> FileState {
        FileState {
            document: DocumentId(id),
            stamp: FileStamp::default(),
            sha256: sha256.to_owned(),
            version: String::new(),
            embedder: None,
            project: ProjectId(1),
            acl: AclId(1),
            ocr: None,
        }
    }

    #[test]
    fn of_several_copies_the_one_of_the_same_name_has_moved() {
        let mut gone = Gone::new(vec![
            ("a/x.pdf".into(), state(1, "aa")),
            ("a/y.pdf".into(), state(2, "aa")),
            ("a/z.pdf".into(), state(3, "bb")),
        ]);
        assert_eq!(gone.take("aa", "b/y.pdf").unwrap().1.document, DocumentId(2));
        assert_eq!(gone.take("aa", "b/w.pdf").unwrap().1.document, DocumentId(1));
        assert_eq!(gone.take("aa", "b/v.pdf"), None, "a third copy is a new document");
        assert_eq!(gone.take("cc", "b/z.pdf"), None);
        assert_eq!(gone.rest(), [DocumentId(3)]);
    }
}
