//! Tables of one export that lie side by side in a folder: the table of requests is the file that is read, and the
//! tables that name its requests are read with it. They are no documents of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use ingest::ExportTable;

use super::load::{self, LoadProblem, Loaded};
use crate::catalog::FileStamp;

/// By the path of a table of requests, the tables that belong to it.
pub(super) type JoinedTables = BTreeMap<String, Parts>;

/// The tables that are read with a table of requests.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts {
    /// Their paths.
    pub(super) paths: Vec<String>,
    /// End of the version of what is read of them all: names, sizes and times.
    pub(super) version_end: String,
}

/// Takes the tables that belong to another one out of a walk's files.
pub(super) fn join(files: &mut BTreeMap<String, FileStamp>) -> JoinedTables {
    let mut exports: BTreeMap<String, Vec<(String, ExportTable)>> = BTreeMap::new();
    for path in files.keys() {
        if let Some(table) = ingest::table_of_export(path) {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            exports.entry(folder.to_owned()).or_default().push((path.clone(), table));
        }
    }
    let mut joined = JoinedTables::new();
    for tables in exports.into_values() {
        let main =
            tables.iter().find(|(_, table)| *table == ExportTable::Requests).map(|(path, _)| path.clone());
        let Some(main) = main else { continue };
        let mut met = BTreeSet::new();
        let paths: Vec<String> = tables
            .into_iter()
            .filter_map(|(path, table)| match table {
                ExportTable::Part(name) => met.insert(name).then_some(path),
                ExportTable::Requests => None,
            })
            .collect();
        if !paths.is_empty() {
            let known: Vec<_> = paths.iter().map(|path| (path, files.remove(path))).collect();
            let version_end = version_end(&known);
            joined.insert(main, Parts { paths, version_end });
        }
    }
    joined
}

/// Neither the place in the file system nor that of the folder counts: both may change alone.
fn version_end(parts: &[(&String, Option<FileStamp>)]) -> String {
    let mut text = String::new();
    for (path, stamp) in parts {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stamp = stamp.unwrap_or_default();
        text.push_str(&format!("{name}\0{}\0{}\0", stamp.size, stamp.mtime_ns));
    }
    format!("j{}", load::sha256(text.as_bytes()).get(..8).unwrap_or_default())
}

impl Parts {
    /// The table of requests and its parts as one archive, not larger than `max_bytes`.
    pub(super) fn pack(
        &self,
        root: &Path,
        main: &str,
        loaded: &Loaded,
        max_bytes: u64,
    ) -> Result<Vec<u8>, LoadProblem> {
        let mut left = max_bytes.saturating_sub(loaded.bytes.len() as u64);
        let mut tables = vec![(main.to_owned(), loaded.bytes.clone())];
        for path in &self.paths {
            let part = load::load(&root.join(path), left).map_err(|problem| LoadProblem {
                reason: format!("its table {path}: {}", problem.reason),
                ..problem
            })?;
            left = left.saturating_sub(part.bytes.len() as u64);
            tables.push((path.clone(), part.bytes));
        }
        ingest::pack_tables(&tables).map_err(|error| LoadProblem {
            code: "unreadable",
            reason: format!("its tables cannot be put together: {error}"),
            passing: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, u64)]) -> BTreeMap<String, FileStamp> {
        let stamp = |size| FileStamp { size, mtime_ns: 5, ctime_ns: 6, inode: 7 };
        files.iter().map(|&(path, size)| (path.to_owned(), stamp(size))).collect()
    }

    #[test]
    fn tables_join_the_requests_of_their_folder() {
        let mut found = files(&[
            ("a/rfis_rfis.csv", 1),
            ("a/rfis_rfi_responses.csv", 2),
            ("a/rfi_responses.csv", 3),
            ("a/admin_users.csv", 4),
            ("a/plan.csv", 5),
            ("b/comments.csv", 6),
            ("rfis.csv", 7),
        ]);
        let joined = join(&mut found);
        assert_eq!(joined.keys().collect::<Vec<_>>(), ["a/rfis_rfis.csv"]);
        assert_eq!(joined["a/rfis_rfis.csv"].paths, ["a/admin_users.csv", "a/rfi_responses.csv"]);
        let left: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(
            left,
            ["a/plan.csv", "a/rfis_rfi_responses.csv", "a/rfis_rfis.csv", "b/comments.csv", "rfis.csv"]
        );
    }

    #[test]
    fn the_version_follows_every_part_but_not_the_folder() {
        let end = |folder: &str, size| {
            let (main, part) = (format!("{folder}/rfis.csv"), format!("{folder}/rfi_responses.csv"));
            join(&mut files(&[(main.as_str(), 1), (part.as_str(), size)])).remove(&main).unwrap().version_end
        };
        assert_eq!(end("a", 2), end("b", 2));
        assert_ne!(end("a", 2), end("a", 3));
    }
}
