//! Closing a process in, by three layers, and trying whether they hold.
//!
//! Resource limits bound memory and forbid writing files; Landlock takes away every file and TCP;
//! seccomp takes away sockets, new programs, new processes and the calls that reach into others. Layers that
//! the kernel lacks are named by [`Probe`], never passed over in silence: seccomp alone must succeed.
//!
//! The program for text recognition gets a sandbox of its own. There Landlock must hold, because it alone can
//! tell that one program from all others.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use rlimit::Resource;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use serde::{Deserialize, Serialize};

use super::ocr::Program;

/// What became of each attempt: `true` where it was denied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Denied or not, by attempt.
    pub denied: BTreeMap<String, bool>,
    /// How far Landlock holds in this process: `full`, `partial` or `none`, and the kernel's ABI.
    pub landlock: String,
}

/// Closes the calling process in. Call before any thread is started.
///
/// Returns how far Landlock holds: see [`Probe::landlock`].
///
/// # Errors
/// What could not be set, in words for the administrator.
pub fn close(memory_bytes: u64) -> Result<String, String> {
    limit(memory_bytes, 16).map_err(|e| format!("resource limits: {e}"))?;
    let landlock = landlock_everything().map_err(|e| format!("Landlock: {e}"))?;
    apply(&worker_filter(&[]).map_err(|e| format!("seccomp filter: {e}"))?)?;
    Ok(landlock)
}

/// Closes the calling process in, except that it may become one program, which reads its own data and the
/// system's libraries and nothing else. Call before any thread is started.
///
/// # Errors
/// As [`close`], and where the kernel has no Landlock.
pub(super) fn close_for(program: &Program, memory_bytes: u64) -> Result<String, String> {
    limit(memory_bytes, 64)
        .and_then(|()| rlimit::setrlimit(Resource::CPU, program.seconds, program.seconds + 1))
        .map_err(|e| format!("resource limits: {e}"))?;
    let landlock = landlock_all_but(program).map_err(|e| format!("Landlock: {e}"))?;
    if landlock.starts_with("none") {
        return Err(format!("text recognition needs a kernel with Landlock (Linux 5.13); here: {landlock}"));
    }
    apply(&worker_filter(&[libc::SYS_execve]).map_err(|e| format!("seccomp filter: {e}"))?)?;
    Ok(landlock)
}

fn limit(memory_bytes: u64, open_files: u64) -> io::Result<()> {
    for (resource, value) in [
        (Resource::AS, memory_bytes),
        (Resource::CORE, 0),
        (Resource::FSIZE, 0),
        (Resource::NOFILE, open_files),
        (Resource::MEMLOCK, 0),
    ] {
        rlimit::setrlimit(resource, value, value)?;
    }
    Ok(())
}

/// Handles every right and grants none. Already opened pipes stay usable.
fn landlock_everything() -> Result<String, landlock::RulesetError> {
    Ok(held(&everything()?.restrict_self()?))
}

/// Grants nothing but to become this program.
fn landlock_all_but(program: &Program) -> Result<String, landlock::RulesetError> {
    let execute = AccessFs::Execute | AccessFs::ReadFile;
    let read = AccessFs::ReadFile.into();
    let mut ruleset = everything()?;
    let executable = LOADERS.iter().map(Path::new).chain([program.path.as_path()]);
    let readable = LIBRARIES.iter().map(Path::new).chain([program.data.as_path()]);
    for (path, access) in executable.map(|p| (p, execute)).chain(readable.map(|p| (p, read))) {
        // What is not there needs no rule.
        if let Ok(opened) = PathFd::new(path) {
            ruleset = ruleset.add_rule(PathBeneath::new(opened, access))?;
        }
    }
    Ok(held(&ruleset.restrict_self()?))
}

/// The dynamic loaders of the C libraries: the kernel executes them on behalf of a program.
pub(super) const LOADERS: &[&str] = &[
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Where the system's libraries lie.
pub(super) const LIBRARIES: &[&str] =
    &["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

fn everything() -> Result<RulesetCreated, landlock::RulesetError> {
    let abi = ABI::V6;
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()
}

pub(super) fn held(status: &RestrictionStatus) -> String {
    let kernel = match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => format!("ABI {}", effective_abi as i32),
        LandlockStatus::NotEnabled => "switched off in this kernel".to_owned(),
        _ => "not in this kernel".to_owned(),
    };
    match status.ruleset {
        RulesetStatus::FullyEnforced => format!("full, {kernel}"),
        RulesetStatus::PartiallyEnforced => format!("partial, {kernel}"),
        RulesetStatus::NotEnforced => format!("none, {kernel}"),
    }
}

fn apply(program: &BpfProgram) -> Result<(), String> {
    seccompiler::apply_filter(program).map_err(|e| format!("seccomp: {e}"))
}

/// Calls that a reader never needs; each gives "operation not permitted".
const DENIED_CALLS: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_memfd_create,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// Denies [`DENIED_CALLS`] but these.
fn worker_filter(allowed: &[i64]) -> Result<BpfProgram, String> {
    let target = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        DENIED_CALLS.iter().filter(|c| !allowed.contains(c)).map(|call| (*call, vec![])).collect();
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_fork, libc::SYS_vfork] {
        rules.insert(call, vec![]);
    }
    // Threads may be started, processes may not: `clone` without CLONE_THREAD is denied.
    let thread = libc::CLONE_THREAD as u64;
    let process = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(thread), 0)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|e| e.to_string())?;
    rules.insert(libc::SYS_clone, vec![process]);
    let denied = filter(rules, SeccompAction::Errno(libc::EPERM as u32), target)?;
    // `clone3` hides its flags behind a pointer. "No such call" makes the C library use `clone`.
    let unknown = filter(
        BTreeMap::from([(libc::SYS_clone3, vec![])]),
        SeccompAction::Errno(libc::ENOSYS as u32),
        target,
    )?;
    apply(&unknown)?;
    Ok(denied)
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    action: SeccompAction,
    target: TargetArch,
) -> Result<BpfProgram, String> {
    SeccompFilter::new(rules, SeccompAction::Allow, action, target)
        .and_then(BpfProgram::try_from)
        .map_err(|e| e.to_string())
}

/// Tries what a reader must not be able to do.
pub(super) fn probe(landlock: String, in_sandbox: bool) -> Probe {
    let mut denied = BTreeMap::new();
    denied.insert("open a file".to_owned(), std::fs::File::open("/etc/passwd").is_err());
    let scratch = std::env::temp_dir().join(format!("dossier-probe-{}", std::process::id()));
    let written = std::fs::write(&scratch, b"x");
    denied.insert("write a file".to_owned(), written.is_err());
    if written.is_ok() {
        let _ = std::fs::remove_file(&scratch);
    }
    denied.insert("TCP connection".to_owned(), tcp_denied());
    denied.insert("UDP socket".to_owned(), std::net::UdpSocket::bind(("127.0.0.1", 0)).is_err());
    denied.insert("Unix socket".to_owned(), std::os::unix::net::UnixStream::pair().is_err());
    denied.insert("start a program".to_owned(), start_denied());
    if in_sandbox {
        // Where this works the process is gone, and its silence tells.
        let error = std::process::Command::new("/bin/true").exec();
        denied.insert("become a program".to_owned(), error.kind() == io::ErrorKind::PermissionDenied);
    }
    Probe { denied, landlock }
}

/// A refused connection reached the network stack; only "not permitted" counts as denied.
fn tcp_denied() -> bool {
    match std::net::TcpStream::connect(("127.0.0.1", 9)) {
        Ok(_) => false,
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

fn start_denied() -> bool {
    let child = std::process::Command::new("/bin/true").spawn();
    match child {
        Ok(mut child) => {
            let _ = child.wait();
            false
        }
        Err(_) => true,
    }
}
