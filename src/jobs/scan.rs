//! Walking a source: which files there are and what the file system says about them.

use std::{collections::BTreeMap, fs, os::unix::fs::MetadataExt, path::Path};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use super::JobError;
use crate::{catalog::FileStamp, config::SourceConfig};

/// What a walk found.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Scan {
    /// Files to index, by path relative to the source with `/`.
    pub(super) files: BTreeMap<String, FileStamp>,
    /// Files whose name is no UTF-8, shown as well as can be.
    pub(super) unnameable: Vec<String>,
    /// Folders or files that could not be looked at, relative; nothing is known about what lies below.
    pub(super) unreadable: Vec<Unreadable>,
    /// True where the folder holds nothing at all, not even files that are left out.
    pub(super) is_empty: bool,
}

/// A place that could not be looked at.
#[derive(Debug, PartialEq)]
pub(super) struct Unreadable {
    /// Path relative to the source; empty for the source itself.
    pub(super) path: String,
    /// What the system said.
    pub(super) reason: String,
}

/// Which files of a source are wanted.
pub(super) struct Filter {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Filter {
    pub(super) fn new(source: &SourceConfig) -> Result<Self, JobError> {
        let failed = |error| JobError::Glob { source_name: source.name.clone(), error };
        let include =
            if source.include.is_empty() { None } else { Some(globs(&source.include).map_err(failed)?) };
        Ok(Filter { include, exclude: globs(&source.exclude).map_err(failed)? })
    }

    fn wants(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|include| include.is_match(path)) && !self.exclude.is_match(path)
    }
}

/// Globs over paths relative to a source, in either case; a star stays in its folder.
pub(super) fn globs(globs: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(GlobBuilder::new(glob).case_insensitive(true).literal_separator(true).build()?);
    }
    set.build()
}

/// Walks the folder. Links are not followed: what they point at is found where it lies, or lies
/// outside the source.
///
/// # Errors
/// The folder itself cannot be read, in words for the administrator.
pub(super) fn scan(root: &Path, filter: &Filter) -> Result<Scan, String> {
    let shown = root.display();
    match fs::metadata(root) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(format!("{shown} is not a folder")),
        Err(e) => return Err(format!("{shown} cannot be reached: {e}")),
    }
    let mut entries = fs::read_dir(root).map_err(|e| format!("{shown} cannot be read: {e}"))?;
    let mut scan = Scan { is_empty: entries.next().is_none(), ..Scan::default() };
    let kept = |entry: &DirEntry| {
        entry.depth() == 0
            || !(is_noise(entry)
                || relative(root, entry.path()).is_some_and(|path| filter.exclude.is_match(path)))
    };
    for entry in WalkDir::new(root).follow_root_links(true).into_iter().filter_entry(kept) {
        match entry {
            Ok(entry) if entry.file_type().is_file() => scan.file(root, &entry, filter),
            Ok(_) => {}
            Err(e) => {
                let path = e.path().map(|path| lossy(root, path)).unwrap_or_default();
                let reason = e.io_error().map_or_else(|| e.to_string(), ToString::to_string);
                scan.unreadable.push(Unreadable { path, reason });
            }
        }
    }
    Ok(scan)
}

impl Scan {
    fn file(&mut self, root: &Path, entry: &DirEntry, filter: &Filter) {
        let Some(path) = relative(root, entry.path()) else {
            self.unnameable.push(lossy(root, entry.path()));
            return;
        };
        if !filter.wants(&path) {
            return;
        }
        match entry.metadata() {
            Ok(found) => {
                self.files.insert(path, stamp(&found));
            }
            Err(e) => self.unreadable.push(Unreadable { path, reason: e.to_string() }),
        }
    }

    /// Whether a path lies in a place that could not be looked at.
    pub(super) fn is_unknown(&self, path: &str) -> bool {
        self.unreadable.iter().any(|place| {
            place.path.is_empty()
                || path.strip_prefix(&place.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

pub(super) fn stamp(found: &fs::Metadata) -> FileStamp {
    let ns = |s: i64, ns: i64| s.saturating_mul(1_000_000_000).saturating_add(ns);
    FileStamp {
        size: found.len(),
        mtime_ns: ns(found.mtime(), found.mtime_nsec()),
        ctime_ns: ns(found.ctime(), found.ctime_nsec()),
        inode: found.ino(),
    }
}

/// Path below the root with `/`; `None` where a part is no UTF-8.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

fn lossy(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// What programs and file servers leave behind: hidden files, lock, backup and autosave files of office and CAD
/// programs, thumbnails, recycle bins, half-written downloads.
fn is_noise(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy().to_lowercase();
    if entry.file_type().is_dir() {
        let folders = [
            "@eadir",
            "#recycle",
            "#snapshot",
            "$recycle.bin",
            "system volume information",
            "lost+found",
            "__macosx",
            "recycler",
            "rws",
        ];
        return name.starts_with('.') || folders.contains(&name.as_str());
    }
    #[rustfmt::skip]
    let endings = [
        ".tmp", ".temp", ".part", ".partial", ".crdownload", ".bak", ".bak~", ".swp", ".lck", ".lock",
        // Word's backups; AutoCAD's locks and autosaves; Archicad's backups and autosaves; Vectorworks' backups.
        ".wbk", ".dwl", ".dwl2", ".sv$", ".ac$", ".bpn", ".pln.bpn", ".vwxw",
    ];
    name.starts_with('.')
        || name.starts_with("~$")
        || name.ends_with('~')
        || ["thumbs.db", "desktop.ini", "ehthumbs.db"].contains(&name.as_str())
        || endings.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    fn source(include: &[&str], exclude: &[&str]) -> SourceConfig {
        let own = |globs: &[&str]| globs.iter().map(|&g| g.to_owned()).collect();
        SourceConfig {
            name: "a".into(),
            path: "/a".into(),
            include: own(include),
            exclude: own(exclude),
            project: "a".into(),
            acl: None,
            ocr_languages: String::new(),
            rfi_columns: None,
            rules: Vec::new(),
        }
    }

    fn found(files: &[&str], include: &[&str], exclude: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"x").unwrap();
        }
        let filter = Filter::new(&source(include, exclude)).unwrap();
        scan(folder.path(), &filter).unwrap().files.into_keys().collect()
    }

    #[test]
    fn globs_choose_files_in_either_case() {
        let files = ["a.PDF", "b/c.pdf", "b/d.ifc", "Archiv/e.pdf", "b/Archiv/f.pdf", "g.txt"];
        assert_eq!(found(&files, &["**/*.pdf"], &["**/archiv/**"]), ["a.PDF", "b/c.pdf"]);
        assert_eq!(found(&files, &["*.pdf"], &[]), ["a.PDF"], "a star stays in its folder");
        assert_eq!(found(&files, &[], &["b", "*.txt"]), ["Archiv/e.pdf", "a.PDF"]);
        assert_eq!(found(&files, &[], &[]).len(), 6);
    }

    #[test]
    fn what_programs_leave_behind_is_no_document() {
        let noise = [
            ".DS_Store",
            "~$plan.xlsx",
            "Thumbs.db",
            "x.tmp",
            "@eaDir/a.pdf",
            "#recycle/b.pdf",
            ".git/c.txt",
            "d/~$e.docx",
            "f.pdf.part",
            "g.txt~",
            "$RECYCLE.BIN/h.pdf",
            "Plan.dwl2",
            "Plan.bak",
            "Plan_1_1_2345.sv$",
            "Sicherungskopie von Brief.wbk",
            "Haus.bpn",
            ".~lock.plan.odt#",
        ];
        let mut files = noise.to_vec();
        files.push("plan.pdf");
        assert_eq!(found(&files, &[], &[]), ["plan.pdf"]);
    }

    #[test]
    fn links_are_not_followed_but_the_source_may_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("secret.pdf"), b"x").unwrap();
        fs::write(root.join("a.pdf"), b"x").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("folder")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.pdf"), root.join("b.pdf")).unwrap();
        std::os::unix::fs::symlink(&root, folder.path().join("link")).unwrap();
        let filter = Filter::new(&source(&[], &[])).unwrap();
        for start in [root, folder.path().join("link")] {
            let files: Vec<String> = scan(&start, &filter).unwrap().files.into_keys().collect();
            assert_eq!(files, ["a.pdf"]);
        }
    }

    #[test]
    fn a_missing_folder_is_an_error_and_an_empty_one_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let filter = Filter::new(&source(&[], &[])).unwrap();
        assert!(scan(folder.path(), &filter).unwrap().is_empty);
        let message = scan(&folder.path().join("none"), &filter).unwrap_err();
        assert!(message.contains("none cannot be reached"), "{message}");
        fs::write(folder.path().join(".hidden"), b"x").unwrap();
        let scanned = scan(folder.path(), &filter).unwrap();
        assert!(scanned.files.is_empty() && !scanned.is_empty);
        assert!(scan(&folder.path().join(".hidden"), &filter).unwrap_err().contains("not a folder"));
    }

    #[test]
    fn names_that_are_no_text_are_told_and_stamps_are_exact() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(OsStr::from_bytes(b"pl\xffn.pdf")), b"x").unwrap();
        fs::write(folder.path().join("Grundriss ä.pdf"), b"abc").unwrap();
        let scanned = scan(folder.path(), &Filter::new(&source(&[], &[])).unwrap()).unwrap();
        assert_eq!(scanned.unnameable, ["pl\u{fffd}n.pdf"]);
        let stamp = scanned.files["Grundriss ä.pdf"];
        let modified = fs::metadata(folder.path().join("Grundriss ä.pdf")).unwrap().modified().unwrap();
        let since = modified.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
        assert_eq!((stamp.size, stamp.mtime_ns as u128), (3, since));
        assert_ne!(stamp.inode, 0);
    }

    #[test]
    fn what_lies_below_an_unreadable_folder_is_unknown() {
        let place = |path: &str| Unreadable { path: path.into(), reason: String::new() };
        let scan = Scan { unreadable: vec![place("a/b")], ..Scan::default() };
        for (path, unknown) in [("a/b/c.pdf", true), ("a/b", true), ("a/bc.pdf", false), ("a/x.pdf", false)] {
            assert_eq!(scan.is_unknown(path), unknown, "{path}");
        }
        assert!(Scan { unreadable: vec![place("")], ..Scan::default() }.is_unknown("x"));
    }
}
