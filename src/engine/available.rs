//! How much memory this process may still take.

use std::path::{Path, PathBuf};

/// Bytes that can be taken without pushing anything out: what the system has, and what the limits leave under which
/// this process runs. `None` where the system does not tell.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let system = proc_field(&text, "MemAvailable:")? << 10;
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(group_limit(Path::new("/sys/fs/cgroup"), &groups).map_or(system, |limit| limit.min(system)))
}

/// Bytes of memory that this process has asked for and holds; pages of files are not among them. `None` where the
/// system does not tell.
pub fn anonymous_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    usize::try_from(proc_field(&text, "Anonymous:")? << 10).ok()
}

/// The number after a name at the start of a line, as files of `/proc` have them.
pub fn proc_field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What the control groups (version 2) of the process leave: the least of all those above it.
fn group_limit(root: &Path, groups: &str) -> Option<u64> {
    let path = groups.lines().find_map(|l| l.strip_prefix("0::/"))?;
    let folders: Vec<PathBuf> = root.join(path).ancestors().map(Path::to_path_buf).collect();
    let within = folders.iter().filter(|f| f.starts_with(root));
    within.filter_map(|folder| left(folder)).min()
}

/// Bytes that one group leaves; pages of files that nobody works with count as free.
fn left(folder: &Path) -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let limit: u64 = read("memory.max")?.trim().parse().ok()?;
    let used: u64 = read("memory.current")?.trim().parse().ok()?;
    let files = read("memory.stat").and_then(|text| proc_field(&text, "inactive_file ")).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_above_the_process_counts() {
        let root = std::env::temp_dir().join(format!("groups-{}", std::process::id()));
        let inner = root.join("system.slice/dossier.service");
        std::fs::create_dir_all(&inner).unwrap();
        let write = |folder: &Path, name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        let groups = "0::/system.slice/dossier.service\n";
        assert_eq!(group_limit(&root, groups), None, "no limit is set anywhere");
        write(&inner, "memory.max", "max\n");
        write(&inner, "memory.current", "1000\n");
        assert_eq!(group_limit(&root, groups), None, "\"max\" is none");
        write(&root.join("system.slice"), "memory.max", "5000\n");
        write(&root.join("system.slice"), "memory.current", "3000\n");
        assert_eq!(group_limit(&root, groups), Some(2000));
        write(&root.join("system.slice"), "memory.stat", "anon 2400\ninactive_file 600\n");
        assert_eq!(group_limit(&root, groups), Some(2600));
        write(&inner, "memory.max", "1200\n");
        assert_eq!(group_limit(&root, groups), Some(200));
        write(&inner, "memory.current", "1300\n");
        assert_eq!(group_limit(&root, groups), Some(0), "over it already");
        assert_eq!(group_limit(&root, ""), None);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_tells() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
        let (before, block) = (anonymous_memory().unwrap(), vec![1u8; 64 << 20]);
        let with = anonymous_memory().unwrap();
        assert!(with.abs_diff(before + block.len()) < 16 << 20, "{before} {with}");
        assert_eq!(proc_field("MemTotal: 5 kB\nMemAvailable:    17 kB\n", "MemAvailable:"), Some(17));
        assert_eq!(proc_field("", "MemAvailable:"), None);
    }
}
