//! Counting what seccomp refuses in this process and in those that it starts.
//!
//! The filter hands each refused call to a thread of this process, which refuses it and counts. No call is let through
//! on what that thread reads of it, so nothing depends on the caller's memory staying as it is.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kernels::refusals::{self, HEAR_OF, Refusal};
use seccompiler::BpfProgram;

/// Refusals by what was tried, since they were last taken.
static COUNTS: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());

/// Attempts of one sort that were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// What was tried: `udp`, `connect`, …
    pub what: String,
    /// How often.
    pub count: u64,
}

/// What was refused since this was last asked.
pub fn take_blocked() -> Vec<Blocked> {
    let counts = std::mem::take(&mut *counts());
    counts.into_iter().map(|(what, count)| Blocked { what: what.to_owned(), count }).collect()
}

/// Runs a test whose own refusals are not to be counted. Those of others in the meantime are.
pub(super) fn leaving_out<T>(test: impl FnOnce() -> T) -> T {
    let before = counts().clone();
    let result = test();
    *counts() = before;
    result
}

fn counts() -> MutexGuard<'static, BTreeMap<&'static str, u64>> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs a filter with every refusal handed over and starts the thread that hears of them; false where the kernel
/// has no such thing, and nothing is installed then.
pub(super) fn install(filter: &BpfProgram) -> bool {
    // The last instruction of a refused call returns an error number.
    let refuses = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let returns = (libc::BPF_RET | libc::BPF_K) as u16;
    let heard = |code: u16, k: u32| if code == returns && k == refuses { HEAR_OF } else { k };
    let program: Vec<refusals::Instruction> =
        filter.iter().map(|i| (i.code, i.jt, i.jf, heard(i.code, i.k))).collect();
    let listener = match refusals::install(&program) {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!(%error, "refused connections are not counted on this kernel");
            return false;
        }
    };
    let hear = move || {
        while let Ok(refusal) = listener.next() {
            *counts().entry(what(&refusal)).or_default() += 1;
        }
    };
    // Without the thread the listener is closed, and the kernel refuses by itself.
    std::thread::Builder::new().name("refusals".into()).spawn(hear).is_ok()
}

/// What a refused call tried.
fn what(refusal: &Refusal) -> &'static str {
    let number = |n: usize| refusal.arguments.get(n).map_or(0, |a| *a as i32);
    match refusal.call {
        libc::SYS_connect => "connect",
        libc::SYS_io_uring_setup => "io_uring",
        libc::SYS_socket => socket(number(0), number(1) & 0xf, number(2)),
        _ => "tcp fast open",
    }
}

fn socket(family: i32, kind: i32, protocol: i32) -> &'static str {
    match (family, kind) {
        (libc::AF_INET | libc::AF_INET6, libc::SOCK_DGRAM) if protocol == libc::IPPROTO_ICMP => "icmp",
        (libc::AF_INET | libc::AF_INET6, libc::SOCK_DGRAM) if protocol == libc::IPPROTO_ICMPV6 => "icmp",
        (libc::AF_INET | libc::AF_INET6, libc::SOCK_DGRAM) => "udp",
        (libc::AF_INET | libc::AF_INET6, libc::SOCK_RAW) => "raw socket",
        (libc::AF_INET | libc::AF_INET6, libc::SOCK_STREAM) if protocol == libc::IPPROTO_MPTCP => {
            "multipath tcp"
        }
        (libc::AF_PACKET, _) => "packet socket",
        (libc::AF_NETLINK, _) => "netlink",
        _ => "other socket",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_apart() {
        let of = |call, arguments: [u64; 3]| {
            let [a, b, c] = arguments;
            what(&Refusal { pid: 1, call, arguments: [a, b, c, 0, 0, 0] })
        };
        let flags = libc::SOCK_CLOEXEC as u64;
        assert_eq!(of(libc::SYS_connect, [3, 0, 0]), "connect");
        assert_eq!(of(libc::SYS_socket, [2, 2 | flags, 0]), "udp");
        assert_eq!(of(libc::SYS_socket, [10, 2, 58]), "icmp");
        assert_eq!(of(libc::SYS_socket, [2, 3, 1]), "raw socket");
        assert_eq!(of(libc::SYS_socket, [2, 1, 262]), "multipath tcp");
        assert_eq!(of(libc::SYS_socket, [17, 3, 0]), "packet socket");
        assert_eq!(of(libc::SYS_sendto, [0, 0, 0]), "tcp fast open");
    }
}
