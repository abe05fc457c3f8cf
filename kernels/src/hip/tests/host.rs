//! The kernels compiled for the processor, in a process of their own that the sanitizers may end.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

/// C++ compilers, best first. All have to know both sanitizers.
const COMPILERS: [&str; 5] = ["clang++-19", "clang++-18", "clang++", "c++", "g++"];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hip")
}

/// The program, compiled by the first test that needs it after a change of the sources.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let dir = Path::new(env!("OUT_DIR"));
        let out = dir.join(format!("kernels-on-host-{:016x}", hash(&sources())));
        // Every test is a process of its own; one compiles, the others wait.
        let lock = File::create(dir.join("kernels-on-host.lock")).unwrap();
        lock.lock().unwrap();
        let mut tried = Vec::new();
        while !out.exists() {
            let Some(compiler) = COMPILERS.get(tried.len()) else {
                let help = "install clang-19 and libclang-rt-19-dev";
                panic!("the kernels cannot be compiled for the processor: {}\n{help}", tried.join("\n"));
            };
            match compile(compiler, &out.with_extension("new")) {
                Ok(()) => std::fs::rename(out.with_extension("new"), &out).unwrap(),
                Err(reason) => tried.push(format!("{compiler}: {reason}")),
            }
        }
        out
    })
}

/// Of the names and bytes of all files of a folder.
fn hash(dir: &Path) -> u64 {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        if file.is_dir() {
            hash(&file).hash(&mut hasher);
        } else {
            (&file, std::fs::read(&file).unwrap()).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn compile(compiler: &str, out: &Path) -> Result<(), String> {
    let found = Command::new(compiler)
        .args(["-x", "c++", "-std=c++20", "-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wall", "-Wextra", "-o"])
        .arg(out)
        .args(["all.hip", "host/fibers.cpp", "host/main.cpp"])
        .current_dir(sources())
        .output()
        .map_err(|e| e.to_string())?;
    if found.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&found.stderr).into_owned()) }
}

/// An argument of a kernel.
#[derive(Debug, Clone)]
pub(super) enum Arg {
    /// A number.
    U32(u32),
    /// Memory, whose bytes come back; none is no memory.
    Buffer(Vec<u8>),
}

/// Memory of `n` values that no kernel may read before it wrote them: 0xff is no number.
pub(super) fn room(bytes: usize) -> Arg {
    Arg::Buffer(vec![0xff; bytes])
}

pub(super) fn floats(x: &[f32]) -> Arg {
    Arg::Buffer(x.iter().flat_map(|v| v.to_le_bytes()).collect())
}

pub(super) fn as_floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

/// The running program.
pub(super) struct Host {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
}

impl Host {
    pub(super) fn new() -> Self {
        let mut child = Command::new(program())
            .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, to, from }
    }

    /// Runs a kernel; returns its buffers, or what the runner found to be wrong.
    pub(super) fn try_run(
        &mut self,
        kernel: &str,
        grid: (usize, usize),
        threads: usize,
        args: &[Arg],
    ) -> Result<Vec<Vec<u8>>, String> {
        let mut request = Vec::new();
        let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        request.extend(word(kernel.len()));
        request.extend(kernel.as_bytes());
        request.extend([grid.0, grid.1, threads, args.len()].into_iter().flat_map(word));
        for arg in args {
            let (kind, bytes) = match arg {
                Arg::U32(n) => (0u32, n.to_le_bytes().to_vec()),
                Arg::Buffer(bytes) => (1, bytes.clone()),
            };
            request.extend(kind.to_le_bytes());
            request.extend(word(bytes.len()));
            request.extend(bytes);
        }
        if self.to.write_all(&request).and_then(|()| self.to.flush()).is_err() {
            return Err(self.last_words());
        }
        let Some(wrong) = self.word() else { return Err(self.last_words()) };
        if wrong != 0 {
            let n = self.word().unwrap_or(0);
            return Err(String::from_utf8_lossy(&self.bytes(n as usize).unwrap_or_default()).into_owned());
        }
        let mut out = Vec::new();
        for arg in args {
            if let Arg::Buffer(bytes) = arg {
                let Some(found) = self.bytes(bytes.len()) else { return Err(self.last_words()) };
                out.push(found);
            }
        }
        Ok(out)
    }

    /// Runs a kernel that has to succeed.
    #[track_caller]
    pub(super) fn run(
        &mut self,
        kernel: &str,
        grid: (usize, usize),
        threads: usize,
        args: &[Arg],
    ) -> Vec<Vec<u8>> {
        match self.try_run(kernel, grid, threads, args) {
            Ok(buffers) => buffers,
            Err(wrong) => panic!("{kernel} {grid:?} × {threads}: {wrong}"),
        }
    }

    fn bytes(&mut self, n: usize) -> Option<Vec<u8>> {
        let mut out = vec![0; n];
        self.from.read_exact(&mut out).ok().map(|()| out)
    }

    fn word(&mut self) -> Option<u32> {
        self.bytes(4).and_then(|b| Some(u32::from_le_bytes(*b.first_chunk()?)))
    }

    /// What the sanitizers said when they ended the program.
    fn last_words(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut text);
        }
        format!("the program ended: {text}")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
