//! The files behind documents. They stay where they are and may change; nothing here hands out bytes
//! whose hash is not the one that was read.

use std::{
    io::{Read, Seek},
    path::{Component, Path, PathBuf},
    time::UNIX_EPOCH,
};

use axum::body::Bytes;
use futures::{Stream, stream};
use ingest::Kind;
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use super::{error::WebError, extract::OpenDocument, state::Web};
use crate::{app::App, catalog::DocumentRow, scope::Scope};

/// Files inside mails and PDFs are followed this deep.
const MAX_DEPTH: usize = 4;
/// Bytes that are read and sent at a time.
const PIECE: usize = 64 * 1024;

/// Whether a document's file is what was read, judged by size and time alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    AsRead,
    Changed,
    Missing,
}

/// Looks at the file, or at the mail that holds it.
pub(super) async fn presence(web: &Web, document: &OpenDocument) -> Result<Presence, WebError> {
    let scope = document.reader.scope.clone();
    let row = document.row.clone();
    web.blocking(move |app| {
        let Some(outermost) = outermost(app, &scope, row)? else { return Ok(Presence::Missing) };
        let Some(path) = locate(app, &outermost) else { return Ok(Presence::Missing) };
        let Ok(facts) = std::fs::metadata(path) else { return Ok(Presence::Missing) };
        let modified = facts.modified().ok().and_then(|m| m.duration_since(UNIX_EPOCH).ok());
        let mtime_ns = modified.and_then(|m| i64::try_from(m.as_nanos()).ok());
        let same = facts.len() == outermost.size && mtime_ns == Some(outermost.mtime_ns);
        Ok::<_, WebError>(if same { Presence::AsRead } else { Presence::Changed })
    })
    .await
}

fn outermost(app: &App, scope: &Scope, mut row: DocumentRow) -> Result<Option<DocumentRow>, WebError> {
    for _ in 0..MAX_DEPTH {
        match row.parent {
            None => return Ok(Some(row)),
            Some(parent) => match app.catalog.document(scope, parent)? {
                Some(parent) => row = parent,
                None => return Ok(None),
            },
        }
    }
    Ok(None)
}

/// Where the file lies; `None` where its source is no longer configured.
fn locate(app: &App, row: &DocumentRow) -> Option<PathBuf> {
    let source = app.config.sources.iter().find(|source| source.name == row.source)?;
    inside(&source.path, &row.path)
}

/// A path below a root; `None` for one that would lead out of it.
fn inside(root: &Path, relative: &str) -> Option<PathBuf> {
    let relative = Path::new(relative);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| root.join(relative))
}

/// All bytes of a document, checked against the hash that was read.
pub(super) async fn bytes(web: &Web, scope: &Scope, row: &DocumentRow) -> Result<Vec<u8>, WebError> {
    Box::pin(bytes_at(web, scope, row, 0)).await
}

async fn bytes_at(web: &Web, scope: &Scope, row: &DocumentRow, depth: usize) -> Result<Vec<u8>, WebError> {
    let Some(parent) = row.parent else {
        let row = row.clone();
        return web
            .blocking(move |app| {
                let path = locate(app, &row).ok_or(WebError::Changed)?;
                let bytes = std::fs::read(path).map_err(|_| WebError::Changed)?;
                if hex::encode(Sha256::digest(&bytes)) == row.sha256 {
                    Ok(bytes)
                } else {
                    Err(WebError::Changed)
                }
            })
            .await;
    };
    if depth >= MAX_DEPTH {
        return Err(WebError::NotFound);
    }
    let outer_scope = scope.clone();
    let outer = web
        .blocking(move |app| app.catalog.document(&outer_scope, parent))
        .await?
        .ok_or(WebError::NotFound)?;
    let holder = Box::pin(bytes_at(web, scope, &outer, depth + 1)).await?;
    inner_bytes(web, holder, &outer.path, &row.sha256).await
}

/// The bytes with this hash inside a mail or an archive, or inside one that it holds.
async fn inner_bytes(web: &Web, holder: Vec<u8>, name: &str, sha256: &str) -> Result<Vec<u8>, WebError> {
    let mut waiting = vec![(holder, name.to_owned(), 0)];
    while let Some((bytes, name, depth)) = waiting.pop() {
        let Ok(reading) = web.app.worker.read(&bytes, &name).await else { continue };
        let mut next = Some(reading.document);
        while let Some(document) = next.take() {
            for attachment in document.attachments {
                if hex::encode(Sha256::digest(&attachment.bytes)) == sha256 {
                    return Ok(attachment.bytes);
                }
                let may_hold = matches!(
                    ingest::sniff(&attachment.bytes, &attachment.name),
                    Some(Kind::Mail | Kind::Pdf | Kind::Text | Kind::Sheet | Kind::Rfi)
                );
                if depth + 1 < MAX_DEPTH && may_hold {
                    waiting.push((attachment.bytes, attachment.name, depth + 1));
                }
            }
            if let Some(rest) = document.rest {
                next = web.app.worker.read_rest(&bytes, rest.from).await.ok();
            }
        }
    }
    Err(WebError::Changed)
}

/// The document's length and bytes for sending. A file is hashed first and then sent from the same open
/// file, so that a large model need not fit into memory.
pub(super) async fn stream(
    web: &Web,
    document: &OpenDocument,
) -> Result<(u64, impl Stream<Item = std::io::Result<Bytes>> + use<>), WebError> {
    let row = document.row.clone();
    let (length, source): (u64, Box<dyn tokio::io::AsyncRead + Send + Unpin>) = if row.parent.is_some() {
        let bytes = bytes(web, &document.reader.scope, &row).await?;
        (bytes.len() as u64, Box::new(std::io::Cursor::new(bytes)))
    } else {
        let file = web.blocking(move |app| checked_file(app, &row)).await?;
        (document.row.size, Box::new(tokio::fs::File::from_std(file)))
    };
    let pieces = stream::try_unfold(source, |mut source| async move {
        let mut piece = vec![0; PIECE];
        let n = source.read(&mut piece).await?;
        piece.truncate(n);
        Ok((n > 0).then(|| (Bytes::from(piece), source)))
    });
    Ok((length, pieces))
}

fn checked_file(app: &App, row: &DocumentRow) -> Result<std::fs::File, WebError> {
    let path = locate(app, row).ok_or(WebError::Changed)?;
    let mut file = std::fs::File::open(path).map_err(|_| WebError::Changed)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE];
    let mut length = 0;
    loop {
        let n = file.read(&mut piece).map_err(WebError::internal)?;
        let Some(read) = piece.get(..n).filter(|read| !read.is_empty()) else { break };
        hash.update(read);
        length += n as u64;
    }
    if length != row.size || hex::encode(hash.finalize()) != row.sha256 {
        return Err(WebError::Changed);
    }
    file.rewind().map_err(WebError::internal)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_its_source() {
        let root = Path::new("/srv/plans");
        assert_eq!(inside(root, "a/b.pdf"), Some(PathBuf::from("/srv/plans/a/b.pdf")));
        for bad in ["../etc/passwd", "/etc/passwd", "a/../../b"] {
            assert_eq!(inside(root, bad), None, "{bad}");
        }
    }
}
