//! Hearing of system calls that a filter refuses (seccomp user notification, Linux 5.0).
//!
//! The filter's programs are made elsewhere; this is only the system interface that the safe libraries lack: installing
//! a filter with a listener, and answering it. Every call that the filter hands over is refused. Where nobody listens
//! any more, the kernel refuses by itself ("no such call").

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// One instruction of a filter: code, jump if true, jump if false, constant.
pub type Instruction = (u16, u8, u8, u32);

/// What a filter's last instruction gives for a call that is to be refused and heard of.
pub const HEAR_OF: u32 = libc::SECCOMP_RET_USER_NOTIF;

/// A call that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Process or thread that made it.
    pub pid: u32,
    /// Number of the call.
    pub call: i64,
    /// Its arguments.
    pub arguments: [u64; 6],
}

/// Hears of refused calls of this process and of all that it starts.
#[derive(Debug)]
pub struct Listener(OwnedFd);

/// Puts a filter over this thread and all that it starts. Call before any other thread is started.
///
/// # Errors
/// The kernel has no such filters or listeners, or another filter has a listener already; nothing has changed then but
/// that no program started from here gains rights.
pub fn install(program: &[Instruction]) -> io::Result<Listener> {
    let code = |&(code, jt, jf, k): &Instruction| libc::sock_filter { code, jt, jf, k };
    let mut code: Vec<libc::sock_filter> = program.iter().map(code).collect();
    let len = u16::try_from(code.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    let program = libc::sock_fprog { len, filter: code.as_mut_ptr() };
    let (one, zero) = (1 as libc::c_ulong, 0 as libc::c_ulong);
    // SAFETY: takes numbers only.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, one, zero, zero, zero) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `program` points at `code`, which has `len` instructions and lives beyond the call; the kernel copies it.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::c_ulong::from(libc::SECCOMP_SET_MODE_FILTER),
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    };
    let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
    // SAFETY: the kernel has just opened it for this process, and nobody else knows of it.
    Ok(Listener(unsafe { OwnedFd::from_raw_fd(fd) }))
}

impl Listener {
    /// Waits for the next call, refuses it with "operation not permitted" and tells of it.
    ///
    /// # Errors
    /// Nobody is left who could make a call, or the system refuses.
    pub fn next(&self) -> io::Result<Refusal> {
        loop {
            // SAFETY: a structure of numbers, for which all zeros is a value; the kernel wants it so.
            let mut heard: libc::seccomp_notif = unsafe { std::mem::zeroed() };
            // SAFETY: the file is a listener, and `heard` is the structure that this request fills.
            let done =
                unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut heard) };
            if done != 0 {
                match io::Error::last_os_error() {
                    // The caller was killed before it was heard, or a signal came.
                    e if matches!(e.raw_os_error(), Some(libc::ENOENT | libc::EINTR)) => continue,
                    e => return Err(e),
                }
            }
            let mut answer = libc::seccomp_notif_resp { id: heard.id, val: 0, error: -libc::EPERM, flags: 0 };
            // SAFETY: the file is a listener, and `answer` is the structure that this request reads. A caller that
            // has gone meanwhile needs no answer.
            unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
            let arguments = heard.data.args;
            return Ok(Refusal { pid: heard.pid, call: i64::from(heard.data.nr), arguments });
        }
    }
}
