//! Reading the folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Paths of all files below `root`, relative, with `/`.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut out = BTreeMap::new();
    let mut folders = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let fail = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(fail)?.is_dir() {
                folders.push((entry.path(), format!("{path}/")));
            } else {
                out.insert(path, entry.path());
            }
        }
    }
    Ok(out)
}

/// The number `n` in the spelling of tlog-tiles: groups of three digits, an `x` before all but the last.
pub(crate) fn number(n: usize) -> String {
    let head = n / 1000;
    let last = format!("{:03}", n % 1000);
    if head == 0 {
        return last;
    }
    let above: Vec<String> =
        number(head).split('/').map(|g| format!("x{}", g.trim_start_matches('x'))).collect();
    format!("{}/{last}", above.join("/"))
}
