//! The control socket: how other subcommands work on a data folder that a server, or a long run, owns.
//!
//! `DATA/control.sock`, mode 0600, one JSON line in ([`Request`]), JSON Lines out ([`Frame`]). Whoever may
//! open the socket may already read the folder; the server still checks that the caller is its own user
//! or root.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;

use super::{Call, Exit, Failure, Frame, Output};
use crate::app::App;
use crate::audit::Actor;

/// Longest request line.
const MAX_REQUEST_BYTES: u64 = 64 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    json: bool,
    call: Call,
}

/// Where the socket of a data folder lies.
pub(super) fn socket_path(data: &Path) -> PathBuf {
    data.join("control.sock")
}

/// Whether a server, or a run, owns the folder and answers.
pub(super) async fn is_served(data: &Path) -> bool {
    UnixStream::connect(socket_path(data)).await.is_ok()
}

/// Gives the call to the server that owns the folder. `None` where none is running.
pub(super) async fn forward(data: &Path, call: &Call, out: &Output) -> Option<Result<Exit, Failure>> {
    let stream = UnixStream::connect(socket_path(data)).await.ok()?;
    Some(talk(stream, call, out).await)
}

async fn talk(stream: UnixStream, call: &Call, out: &Output) -> Result<Exit, Failure> {
    let (reader, mut writer) = stream.into_split();
    let mut line = serde_json::to_string(&Request { json: out.wants_json(), call: call.clone() })?;
    line.push('\n');
    writer.write_all(line.as_bytes()).await?;
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await? {
        match serde_json::from_str(&line)? {
            Frame::Exit(result) => return result,
            frame => out.frame(frame),
        }
    }
    Err(Failure::failed(
        "the process that has the data folder ended before the work was done; run the command again",
    ))
}

/// A control socket that is served; when dropped, it is gone.
pub(super) struct Control {
    task: tokio::task::JoinHandle<()>,
    path: PathBuf,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.task.abort();
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Serves the control socket until what it gives is dropped.
///
/// # Errors
/// When the socket cannot be made.
pub(super) fn listen(app: Arc<App>) -> Result<Control, Failure> {
    let path = socket_path(&app.config.data);
    // The lock on the folder is held: a socket that is there was left by a killed server.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path)
        .map_err(|e| Failure::failed(format!("cannot make the control socket {}: {e}", path.display())))?;
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(app.clone(), stream));
        }
    });
    Ok(Control { task, path })
}

async fn answer(app: Arc<App>, stream: UnixStream) {
    let Ok(peer) = stream.peer_cred() else { return };
    let own = rustix::process::geteuid().as_raw();
    if peer.uid() != own && peer.uid() != 0 {
        tracing::warn!(uid = peer.uid(), "control socket: caller is not the owner of the data folder");
        return;
    }
    let (reader, mut writer) = stream.into_split();
    let mut line = String::new();
    let mut bounded = BufReader::new(reader.take(MAX_REQUEST_BYTES));
    if bounded.read_line(&mut line).await.is_err() {
        return;
    }
    let (sender, mut frames) = mpsc::unbounded_channel();
    let work = async move {
        let result = match serde_json::from_str::<Request>(&line) {
            Ok(request) => {
                let out = Output::channel(request.json, sender.clone());
                request.call.run(&app, &Actor::cli(peer.uid()), &out).await
            }
            Err(_) => Err(Failure::usage("the server is of another version; restart it")),
        };
        let _ = sender.send(Frame::Exit(result));
    };
    let send = async {
        while let Some(frame) = frames.recv().await {
            let Ok(mut line) = serde_json::to_string(&frame) else { continue };
            line.push('\n');
            if writer.write_all(line.as_bytes()).await.is_err() {
                return;
            }
        }
    };
    // A caller who leaves ends what he asked for.
    tokio::select! {
        ((), ()) = async { tokio::join!(work, send) } => {}
        () = hung_up(&mut bounded) => {}
    }
}

async fn hung_up(reader: &mut (impl AsyncReadExt + Unpin)) {
    let mut byte = [0];
    while reader.read(&mut byte).await.is_ok_and(|n| n > 0) {}
}
