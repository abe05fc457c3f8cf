//! What a run has to do in one source: the walk against what the catalog knows.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use ingest::RecordMapping;

use super::{
    joined::JoinedTables,
    rights::{Rights, RightsByPath},
    scan::Scan,
};
use crate::catalog::{DocumentId, FileStamp, FileState, RejectedFile, Rejection};

/// What the catalog knows of a source.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) states: HashMap<String, FileState>,
    pub(super) rejections: HashMap<String, Rejection>,
    /// Documents inside a document.
    pub(super) children: HashMap<DocumentId, u64>,
}

/// What makes a known version outdated, whatever the file says.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) rights: RightsByPath,
    /// End of every version that the current reader made.
    pub(super) version_end: String,
    /// Reader version and limits, as kept with rejected files.
    pub(super) reader: String,
    /// Languages in which images of pages can be read; `None` where they cannot.
    pub(super) ocr: Option<String>,
    /// Look into every file.
    pub(super) full: bool,
    /// Runs that try a file whose reader failed, before it is set aside.
    pub(super) attempts: u32,
    /// How registers of requests are read.
    pub(super) mapping: Arc<RecordMapping>,
    /// Tables that are read with a table of requests.
    pub(super) joined: Arc<JoinedTables>,
}

impl Rules {
    /// Whether the version of the file at a path needs no other reading as long as its bytes are the same.
    pub(super) fn fits(&self, state: &FileState, path: &str) -> bool {
        self.fits_with(state, path, &self.version_end(path))
    }

    /// As [`Rules::fits`] for what lies inside the file at a path: it has the file's rights.
    pub(super) fn fits_inside(&self, state: &FileState, path: &str) -> bool {
        self.fits_with(state, path, &self.version_end)
    }

    fn fits_with(&self, state: &FileState, path: &str, version_end: &str) -> bool {
        // What was read is kept where nothing can be read now.
        let ocr = match (&state.ocr, &self.ocr) {
            (Some(before), Some(now)) => before == now,
            _ => true,
        };
        ocr && Rights::of(state) == self.rights.at(path) && state.version.ends_with(version_end)
    }

    /// End of every version that the current reader makes of the file at a path.
    pub(super) fn version_end(&self, path: &str) -> Cow<'_, str> {
        match self.joined.get(path) {
            None => Cow::Borrowed(&self.version_end),
            Some(parts) => Cow::Owned(format!("{}{}", self.version_end, parts.version_end)),
        }
    }

    /// Reader version and limits, as kept with a rejected file.
    pub(super) fn reader(&self, path: &str) -> String {
        let parts = self.joined.get(path).map_or("", |parts| parts.version_end.as_str());
        format!("{}{parts}", self.reader)
    }

    /// Whether a rejected file is left alone: it is as it was, and what is wrong lies in the file, or its
    /// reader failed often enough.
    fn sets_aside(&self, path: &str, rejection: &Rejection, stamp: FileStamp) -> bool {
        let same = rejection.stamp == stamp && rejection.reader == self.reader(path);
        same && !self.full && (!is_the_readers(&rejection.code) || rejection.attempts >= self.attempts)
    }
}

/// A file to look into.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) path: String,
    pub(super) stamp: FileStamp,
    pub(super) known: Option<FileState>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// New files, and those that may have changed.
    pub(super) candidates: Vec<Candidate>,
    /// Documents whose file is not there any more.
    pub(super) gone: Vec<(String, FileState)>,
    /// Documents as before, those inside them counted.
    pub(super) unchanged: u64,
    /// Rejected files that are as they were.
    pub(super) rejected: Vec<(String, Rejection)>,
    /// What was rejected inside files that are looked into: to be forgotten where one is read again, else as it was.
    pub(super) inside: HashMap<String, Vec<(String, Rejection)>>,
    /// Rejected files to forget, because they are gone.
    pub(super) forget: Vec<String>,
    children: HashMap<DocumentId, u64>,
}

pub(super) fn plan(scan: &Scan, known: Known, rules: &Rules) -> Plan {
    let Known { mut states, mut rejections, children } = known;
    let mut plan = Plan { children, ..Plan::default() };
    for (path, &stamp) in &scan.files {
        let state = states.remove(path);
        let rejection = rejections.remove(path);
        if let Some(rejection) = rejection
            && rules.sets_aside(path, &rejection, stamp)
        {
            plan.rejected.push((path.clone(), rejection));
            continue;
        }
        match state {
            Some(state) if !rules.full && state.stamp == stamp && rules.fits(&state, path) => {
                plan.unchanged += plan.family(&state);
            }
            known => plan.candidates.push(Candidate { path: path.clone(), stamp, known }),
        }
    }
    for (path, state) in states {
        if scan.is_unknown(&path) {
            plan.unchanged += plan.family(&state);
        } else {
            plan.gone.push((path, state));
        }
    }
    plan.gone.sort_by(|a, b| a.0.cmp(&b.0));
    plan.old_rejections(scan, rejections);
    plan
}

impl Plan {
    /// Rejections of what the walk did not find: files that are gone, and attachments, which live and
    /// die with their mail.
    fn old_rejections(&mut self, scan: &Scan, rejections: HashMap<String, Rejection>) {
        let looked_into: HashSet<&str> = self.candidates.iter().map(|c| c.path.as_str()).collect();
        for (path, rejection) in rejections {
            let above = || path.match_indices('/').map(|(at, _)| &path[..at]);
            match above().find(|p| scan.files.contains_key(*p)) {
                Some(mail) if looked_into.contains(mail) => {
                    self.inside.entry(mail.to_owned()).or_default().push((path, rejection));
                }
                Some(_) => self.rejected.push((path, rejection)),
                None if scan.is_unknown(&path) => self.rejected.push((path, rejection)),
                None => self.forget.push(path),
            }
        }
        self.rejected.sort_by(|a, b| a.0.cmp(&b.0));
        self.forget.sort();
    }

    /// A document and those inside it, counted.
    pub(super) fn family(&self, state: &FileState) -> u64 {
        1 + self.children.get(&state.document).copied().unwrap_or(0)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.candidates.iter().map(|c| c.stamp.size).sum()
    }
}

/// Whether a rejection may lie in the state of the machine: a busy one takes longer and has less memory.
fn is_the_readers(code: &str) -> bool {
    ["timed-out", "out-of-memory", "reader-died"].contains(&code)
}

/// The line of a rejected file in the summary.
pub(super) fn rejected(source: &str, path: &str, rejection: &Rejection) -> RejectedFile {
    RejectedFile {
        source: source.to_owned(),
        path: path.to_owned(),
        code: rejection.code.clone(),
        reason: match is_the_readers(&rejection.code) && rejection.attempts > 1 {
            true => format!("{} (tried in {} runs)", rejection.reason, rejection.attempts),
            false => rejection.reason.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog::ProjectId, jobs::scan::Unreadable, scope::AclId};

    fn stamp(n: i64) -> FileStamp {
        FileStamp { size: 10, mtime_ns: n, ctime_ns: n, inode: 1 }
    }

    fn state(id: i64, n: i64) -> FileState {
        FileState {
            document: DocumentId(id),
            stamp: stamp(n),
            sha256: "ab".into(),
            version: "ab-r1".into(),
            embedder: None,
            project: ProjectId(1),
            acl: AclId(1),
            ocr: None,
        }
    }

    fn rejection(n: i64) -> Rejection {
        Rejection {
            stamp: stamp(n),
            reader: "r1".into(),
            code: "damaged".into(),
            reason: "…".into(),
            attempts: 1,
        }
    }

    fn rules() -> Rules {
        Rules {
            rights: (1, 1).into(),
            version_end: "-r1".into(),
            reader: "r1".into(),
            ocr: None,
            full: false,
            attempts: 3,
            mapping: Arc::default(),
            joined: Arc::default(),
        }
    }

    fn scan(files: &[(&str, i64)]) -> Scan {
        Scan { files: files.iter().map(|&(p, n)| (p.to_owned(), stamp(n))).collect(), ..Scan::default() }
    }

    fn known(states: &[(&str, i64, i64)], rejections: &[(&str, i64)]) -> Known {
        Known {
            states: states.iter().map(|&(p, id, n)| (p.to_owned(), state(id, n))).collect(),
            rejections: rejections.iter().map(|&(p, n)| (p.to_owned(), rejection(n))).collect(),
            children: HashMap::from([(DocumentId(1), 2)]),
        }
    }

    fn paths(plan: &Plan) -> (Vec<&str>, Vec<&str>, Vec<&str>, Vec<&str>) {
        (
            plan.candidates.iter().map(|c| c.path.as_str()).collect(),
            plan.gone.iter().map(|(p, _)| p.as_str()).collect(),
            plan.rejected.iter().map(|(p, _)| p.as_str()).collect(),
            plan.forget.iter().map(String::as_str).collect(),
        )
    }

    #[test]
    fn only_what_is_new_or_touched_is_looked_into() {
        let scan = scan(&[("new", 1), ("same", 1), ("touched", 2)]);
        let plan = plan(&scan, known(&[("same", 1, 1), ("touched", 2, 1), ("gone", 3, 1)], &[]), &rules());
        assert_eq!(paths(&plan), (vec!["new", "touched"], vec!["gone"], vec![], vec![]));
        assert_eq!((plan.unchanged, plan.bytes()), (3, 20), "the mail and its two attachments");
    }

    #[test]
    fn other_rights_or_another_reader_are_a_reason_to_read_again() {
        let scan = scan(&[("a", 1)]);
        let read = |rules: Rules| !plan(&scan, known(&[("a", 9, 1)], &[]), &rules).candidates.is_empty();
        assert!(!read(rules()));
        assert!(read(Rules { rights: (1, 2).into(), ..rules() }));
        assert!(read(Rules { rights: (2, 1).into(), ..rules() }));
        assert!(read(Rules { version_end: "-r2".into(), ..rules() }));
        assert!(read(Rules { full: true, ..rules() }));
    }

    #[test]
    fn images_are_read_again_once_they_can_be_and_in_other_languages() {
        let scan = scan(&[("a", 1)]);
        let read = |before: Option<&str>, now: Option<&str>| {
            let mut known = known(&[("a", 9, 1)], &[]);
            known.states.get_mut("a").unwrap().ocr = before.map(str::to_owned);
            let rules = Rules { ocr: now.map(str::to_owned), ..rules() };
            !plan(&scan, known, &rules).candidates.is_empty()
        };
        assert!(!read(None, Some("deu")), "a file without images");
        assert!(read(Some("none"), Some("deu")));
        assert!(read(Some("deu+fra"), Some("deu")));
        assert!(!read(Some("deu"), Some("deu")));
        assert!(!read(Some("deu"), None) && !read(Some("none"), None));
    }

    #[test]
    fn a_rejected_file_is_listed_but_not_tried_until_it_changes() {
        let scan = scan(&[("bad", 1), ("mended", 2)]);
        let rejections = [("bad", 1), ("mended", 1), ("gone", 1)];
        let first = plan(&scan, known(&[], &rejections), &rules());
        assert_eq!(paths(&first), (vec!["mended"], vec![], vec!["bad"], vec!["gone"]));
        let limits = plan(&scan, known(&[], &rejections), &Rules { reader: "r1 more".into(), ..rules() });
        assert_eq!(limits.candidates.len(), 2);
    }

    #[test]
    fn a_file_that_only_its_reader_failed_on_is_tried_again_before_it_is_set_aside() {
        let tried = |code: &str, attempts| {
            let known = Known {
                rejections: HashMap::from([(
                    "slow.pdf".to_owned(),
                    Rejection { code: code.into(), attempts, ..rejection(1) },
                )]),
                ..Known::default()
            };
            !plan(&scan(&[("slow.pdf", 1)]), known, &rules()).candidates.is_empty()
        };
        assert!(tried("timed-out", 2) && tried("out-of-memory", 1) && tried("reader-died", 2));
        assert!(!tried("timed-out", 3) && !tried("reader-died", 4));
        assert!(!tried("password", 1), "a password does not come by itself");
    }

    #[test]
    fn a_rejected_attachment_stays_as_long_as_its_mail_is_the_same() {
        let rejections = [("d/m.eml/bad.pdf", 1)];
        let same = plan(&scan(&[("d/m.eml", 1)]), known(&[("d/m.eml", 1, 1)], &rejections), &rules());
        assert_eq!(paths(&same), (vec![], vec![], vec!["d/m.eml/bad.pdf"], vec![]));
        let new = plan(&scan(&[("d/m.eml", 2)]), known(&[("d/m.eml", 1, 1)], &rejections), &rules());
        assert_eq!(paths(&new), (vec!["d/m.eml"], vec![], vec![], vec![]));
        assert_eq!(
            new.inside["d/m.eml"][0].0, "d/m.eml/bad.pdf",
            "what becomes of it shows when the mail is read"
        );
        let gone = plan(&scan(&[]), known(&[("d/m.eml", 1, 1)], &rejections), &rules());
        assert_eq!(paths(&gone), (vec![], vec!["d/m.eml"], vec![], vec!["d/m.eml/bad.pdf"]));
    }

    #[test]
    fn nothing_is_gone_where_nobody_could_look() {
        let mut scan = scan(&[]);
        scan.unreadable.push(Unreadable { path: "d".into(), reason: "denied".into() });
        let plan = plan(&scan, known(&[("d/a", 8, 1), ("e/b", 9, 1)], &[("d/bad", 1)]), &rules());
        assert_eq!(paths(&plan), (vec![], vec!["e/b"], vec!["d/bad"], vec![]));
        assert_eq!(plan.unchanged, 1);
    }
}
