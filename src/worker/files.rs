//! What files a server may touch: its data folder, what it reads, and the programs it starts.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr,
};

use super::sandbox::{LIBRARIES, LOADERS, held};

/// What the C library, the time zones and the count of processors need.
const SYSTEM: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/timezone",
    "/usr/share/zoneinfo",
    "/dev/urandom",
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/sys/vm",
    "/proc/sys/kernel/osrelease",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm/transparent_hugepage",
];

/// How far Landlock holds the files of this process; set once it is closed.
static CLOSED: OnceLock<String> = OnceLock::new();

/// How far Landlock holds the files of this process, if anything does.
pub fn closed() -> Option<&'static str> {
    CLOSED.get().map(String::as_str)
}

/// The places of one server.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Written and read: the data folder.
    pub data: PathBuf,
    /// Read: sources, models, language data.
    pub readable: Vec<PathBuf>,
    /// Started: the program itself, for its readers, and the one for text recognition.
    pub programs: Vec<PathBuf>,
}

/// Takes every other file away from this thread and all that it starts. Call before any thread is started.
///
/// Returns how far Landlock holds, as `full, ABI 6`. Places that do not exist are given no rule: what appears there later
/// cannot be read.
///
/// # Errors
/// What could not be set; also where the kernel has no Landlock.
pub fn close(places: &Places) -> Result<String, String> {
    let all = AccessFs::from_all(ABI::V6);
    let write = all & !(AccessFs::Execute | AccessFs::MakeBlock | AccessFs::MakeChar | AccessFs::IoctlDev);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let start = AccessFs::Execute | AccessFs::ReadFile;
    let quiet = AccessFs::ReadFile | AccessFs::WriteFile;
    let known = |list: &'static [&'static str]| list.iter().map(Path::new);
    let rules = std::iter::once((places.data.as_path(), write))
        .chain(places.readable.iter().map(|p| (p.as_path(), read)))
        .chain(known(SYSTEM).map(|p| (p, read)))
        .chain(known(LIBRARIES).map(|p| (p, read)))
        .chain(known(LOADERS).map(|p| (p, start)))
        .chain(places.programs.iter().map(|p| (p.as_path(), start)))
        .chain(std::iter::once((Path::new("/dev/null"), quiet)));
    let held = restrict(all, rules).map_err(|e| format!("Landlock: {e}"))?;
    if held.starts_with("none") {
        return Err(format!("Landlock: {held}"));
    }
    Ok(CLOSED.get_or_init(|| held).clone())
}

fn restrict<'a>(
    all: BitFlags<AccessFs>,
    rules: impl Iterator<Item = (&'a Path, BitFlags<AccessFs>)>,
) -> Result<String, landlock::RulesetError> {
    let mut ruleset =
        Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(all)?.create()?;
    for (path, access) in rules {
        let Ok(opened) = PathFd::new(path) else { continue };
        // A file has no rights of a folder.
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V6) };
        ruleset = ruleset.add_rule(PathBeneath::new(opened, access))?;
    }
    Ok(held(&ruleset.restrict_self()?))
}
