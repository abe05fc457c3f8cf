//! Taking the way out from the server and all that it starts, and trying whether anything gets out.
//!
//! Two layers. Landlock refuses outgoing TCP by its own kind of rule and, from ABI 6 on, abstract sockets of
//! others. seccomp refuses `connect` altogether, since nothing here connects to anything; every kind of socket but Unix
//! and plain TCP: datagrams (so name lookups, too), raw ones, SCTP and Multipath TCP, which Landlock's rule does not
//! cover; data sent along with the opening of a connection; and io_uring, which goes around both.
//!
//! There is no broker and no list of allowed endpoints: nothing in the product needs an outgoing connection. What
//! seccomp refuses in the server and in programs that it starts is counted ([`take_blocked`]); a reader's own filter
//! refuses before it, uncounted.

use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr as UnixAddr, UnixStream};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use landlock::{AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus, Scope};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use serde::{Deserialize, Serialize};

#[path = "blocked.rs"]
mod blocked;

pub use blocked::{Blocked, take_blocked};

/// What holds in this process; set once it is closed.
static CLOSED: OnceLock<Layers> = OnceLock::new();

/// The layers that keep a process from the network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layers {
    /// Landlock refuses outgoing TCP (ABI 4, Linux 6.7).
    pub landlock_tcp: bool,
    /// Landlock refuses abstract sockets of other processes (ABI 6, Linux 6.12).
    pub landlock_abstract: bool,
    /// seccomp refuses connections, and all sockets but those that a server listens on.
    pub seccomp: bool,
    /// What seccomp refuses is counted (Linux 5.0).
    pub counted: bool,
}

impl Layers {
    /// The layers by name.
    pub fn names(&self) -> Vec<String> {
        let all = [
            (self.seccomp, "seccomp"),
            (self.counted, "seccomp counting"),
            (self.landlock_tcp, "Landlock TCP"),
            (self.landlock_abstract, "Landlock abstract sockets"),
        ];
        all.into_iter().filter(|(on, _)| *on).map(|(_, name)| name.to_owned()).collect()
    }
}

/// What closed this process, if anything did.
pub fn closed() -> Option<&'static Layers> {
    CLOSED.get()
}

/// Takes outgoing connections away from this process and all that it starts. Listening stays possible. Call before
/// any thread is started.
///
/// # Errors
/// What could not be set: seccomp must hold.
pub fn close() -> Result<Layers, String> {
    let landlock_tcp = restricted(|r| r.handle_access(AccessNet::ConnectTcp));
    let landlock_abstract = restricted(|r| r.scope(Scope::AbstractUnixSocket));
    let rules = rules().map_err(|e| format!("seccomp filter: {e}"))?;
    let target = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| format!("seccomp filter: {e}"))?;
    let deny = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, deny, target)
        .and_then(seccompiler::BpfProgram::try_from)
        .map_err(|e| format!("seccomp filter: {e}"))?;
    let counted = blocked::install(&filter);
    if !counted {
        seccompiler::apply_filter(&filter).map_err(|e| format!("seccomp: {e}"))?;
    }
    let layers = Layers { landlock_tcp, landlock_abstract, seccomp: true, counted };
    Ok(CLOSED.get_or_init(|| layers).clone())
}

/// One ruleset of its own, so that a right that the kernel does not know costs no other.
fn restricted(handle: impl FnOnce(Ruleset) -> Result<Ruleset, landlock::RulesetError>) -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let status = handle(ruleset).and_then(|r| r.create()).and_then(|r| r.restrict_self());
    status.is_ok_and(|s| s.ruleset == RulesetStatus::FullyEnforced)
}

/// Calls and arguments that are refused.
fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let is = |arg, value: i32| condition(arg, SeccompCmpOp::Eq, value);
    let not = |arg, value: i32| condition(arg, SeccompCmpOp::Ne, value);
    let masked = |arg, mask: i32, value: i32| {
        condition(arg, SeccompCmpOp::MaskedEq(u64::from(mask.unsigned_abs())), value)
    };
    // No family but Unix and IP.
    let mut socket = vec![SeccompRule::new(vec![
        not(0, libc::AF_UNIX)?,
        not(0, libc::AF_INET)?,
        not(0, libc::AF_INET6)?,
    ])?];
    for family in [libc::AF_INET, libc::AF_INET6] {
        // The lower four bits name the kind; only streams stay.
        for kind in (0..16).filter(|kind| *kind != libc::SOCK_STREAM) {
            socket.push(SeccompRule::new(vec![is(0, family)?, masked(1, 0xf, kind)?])?);
        }
        // Streams of TCP only.
        socket.push(SeccompRule::new(vec![is(0, family)?, not(2, 0)?, not(2, libc::IPPROTO_TCP)?])?);
    }
    let opens = |arg| SeccompRule::new(vec![masked(arg, libc::MSG_FASTOPEN, libc::MSG_FASTOPEN)?]);
    Ok(BTreeMap::from([
        (libc::SYS_connect, vec![]),
        (libc::SYS_socket, socket),
        (libc::SYS_sendto, vec![opens(3)?]),
        (libc::SYS_sendmsg, vec![opens(2)?]),
        (libc::SYS_sendmmsg, vec![opens(3)?]),
        (libc::SYS_io_uring_setup, vec![]),
    ]))
}

fn condition(arg: u8, op: SeccompCmpOp, value: i32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(arg, SeccompCmpArgLen::Dword, op, u64::from(value.unsigned_abs()))
}

/// Where attempts go: listeners of the testing process on this machine. Nothing of the test leaves it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Targets {
    /// TCP, IPv4.
    pub tcp4: SocketAddr,
    /// TCP, IPv6, where the machine has it.
    pub tcp6: Option<SocketAddr>,
    /// UDP, IPv4.
    pub udp4: SocketAddr,
    /// UDP, IPv6.
    pub udp6: Option<SocketAddr>,
    /// Name of an abstract Unix socket.
    pub r#abstract: String,
    /// A folder that belongs to neither the server nor its sources, with a file `foreign` in it.
    pub folder: std::path::PathBuf,
    /// The program that a child process is made of, and its arguments: it tries TCP and ends with 0 where it got through.
    pub child: (std::path::PathBuf, Vec<String>),
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "why")]
pub enum Outcome {
    /// "Not permitted": a layer refused it.
    Refused,
    /// It got through.
    Reached,
    /// Something else went wrong, so that nothing is known.
    Unclear(String),
}

impl From<io::Result<()>> for Outcome {
    fn from(result: io::Result<()>) -> Self {
        match result {
            Ok(()) => Self::Reached,
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Self::Refused,
            Err(e) => Self::Unclear(e.to_string()),
        }
    }
}

/// Tries every way out, and every way to files and programs that are none of a server's business. What is refused to
/// the test is not counted as an attempt of somebody.
pub fn attempts(targets: &Targets) -> BTreeMap<String, Outcome> {
    blocked::leaving_out(|| tries(targets))
}

fn tries(targets: &Targets) -> BTreeMap<String, Outcome> {
    let mut out = BTreeMap::new();
    let mut tried = |name: &str, result: io::Result<()>| out.insert(name.to_owned(), Outcome::from(result));
    tried("TCP", tcp(targets.tcp4));
    tried("UDP", udp(targets.udp4));
    if let Some(target) = targets.tcp6 {
        tried("TCP over IPv6", tcp(target));
    }
    if let Some(target) = targets.udp6 {
        tried("UDP over IPv6", udp(target));
    }
    tried("name lookup", udp(SocketAddr::new(targets.udp4.ip(), 53)));
    tried("ICMP", socket(libc::AF_INET, libc::SOCK_DGRAM, libc::IPPROTO_ICMP));
    tried("raw socket", socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP));
    tried("packet socket", socket(libc::AF_PACKET, libc::SOCK_RAW, 0));
    tried("Multipath TCP", socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP));
    tried("abstract socket", abstract_socket(&targets.r#abstract));
    tried("child process", child(&targets.child));
    tried("foreign file", std::fs::read(targets.folder.join("foreign")).map(drop));
    tried("foreign folder", std::fs::write(targets.folder.join("written"), b"x"));
    tried("foreign program", foreign_program());
    out
}

/// One attempt by TCP, for the child process.
pub fn tcp(target: SocketAddr) -> io::Result<()> {
    TcpStream::connect_timeout(&target, Duration::from_secs(2)).map(|_| ())
}

/// Makes an attempt that is refused and says whether it was counted. False where nothing is counted.
pub fn is_counting() -> bool {
    let counts = closed().is_some_and(|layers| layers.counted);
    let tried = counts && UdpSocket::bind(("127.0.0.1", 0)).is_err();
    tried && take_blocked().iter().any(|blocked| blocked.what == "udp" && blocked.count == 1)
}

/// A program that every system has.
fn foreign_program() -> io::Result<()> {
    let quiet = || Stdio::null();
    Command::new("/bin/true").stdin(quiet()).stdout(quiet()).stderr(quiet()).status().map(drop)
}

fn udp(target: SocketAddr) -> io::Result<()> {
    let any = if target.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    UdpSocket::bind(any)?.send_to(b"dossier egress-test", target).map(|_| ())
}

fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<()> {
    socket2::Socket::new(family.into(), kind.into(), Some(protocol.into())).map(|_| ())
}

fn abstract_socket(name: &str) -> io::Result<()> {
    UnixStream::connect_addr(&UnixAddr::from_abstract_name(name)?).map(|_| ())
}

/// A child that is refused TCP says so with its exit code.
fn child((program, arguments): &(std::path::PathBuf, Vec<String>)) -> io::Result<()> {
    let quiet = || Stdio::null();
    let status =
        Command::new(program).args(arguments).stdin(quiet()).stdout(quiet()).stderr(quiet()).status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(13) => Err(io::ErrorKind::PermissionDenied.into()),
        _ => Err(io::Error::other(format!("the child ended with {status}"))),
    }
}
