//! Writing an answer with its mark.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::label::{foot, label, sources};
use super::{AnswerFile, Format, MARK, Metadata, SIGNED, content, find, note_length};
use crate::forms::{About, Block, pdf};
use crate::log::{Log, sha256};
use crate::sheet::SheetError;

/// Writes an answer as a file of this format, marked and signed with the log's key.
///
/// # Errors
/// When the PDF cannot be made.
pub fn file(log: &Log, answer: &AnswerFile, format: Format) -> Result<Vec<u8>, SheetError> {
    let note = |content_sha256: String| {
        let metadata = Metadata { ai_generated: true, origin: answer.origin.clone(), format, content_sha256 };
        let json = serde_json::to_string(&metadata).unwrap_or_default();
        URL_SAFE_NO_PAD.encode(log.sign_text(&format!("{SIGNED}\n{json}\n")))
    };
    // The note's length does not depend on the hash in it, so room for it can be left before it is known.
    let room = "A".repeat(note("0".repeat(64)).len());
    let mark = format!("{MARK}{room}");
    let mut bytes = match format {
        Format::Md => markdown(answer, &mark).into_bytes(),
        Format::Html => html(answer, &mark).into_bytes(),
        Format::Json => data(answer, &mark),
        Format::Pdf => portable(answer, &mark)?,
    };
    let sum = hex::encode(sha256(&content(&bytes, format)));
    if set(&mut bytes, note(sum).as_bytes()) {
        Ok(bytes)
    } else {
        Err(SheetError::Pdf("the mark was lost".into()))
    }
}

/// Puts the note behind every mark; false where there is no mark, or no room for it.
fn set(bytes: &mut [u8], note: &[u8]) -> bool {
    let (mut at, mut done) = (0, false);
    while let Some(next) = bytes.get(at..).and_then(|rest| find(rest, MARK.as_bytes())) {
        let start = at + next + MARK.len();
        let room = bytes.get(start..).map_or(0, note_length);
        let Some(place) = bytes.get_mut(start..start + note.len()).filter(|_| room == note.len()) else {
            return false;
        };
        place.copy_from_slice(note);
        (at, done) = (start + note.len(), true);
    }
    done
}

fn markdown(a: &AnswerFile, mark: &str) -> String {
    let plain = |text: &str| text.replace('<', "&lt;").replace(['\r', '\n'], " ");
    let cell = |text: &str| plain(text).replace('|', "\\|");
    let [heading, verified, unverified] = sources(a.origin.language);
    let mut out = format!("> **{}**\n\n# {}\n\n", plain(&label(&a.origin)), plain(&a.question));
    for line in a.answer.lines().filter(|line| !line.trim().is_empty()) {
        out.push_str(&format!("{}\n\n", plain(line)));
    }
    if !a.understood.is_empty() {
        out.push_str(&format!("({})\n\n", plain(&a.understood.join(", "))));
    }
    if !a.rows.is_empty() {
        let line = |cells: &[String]| {
            format!("| {} |\n", cells.iter().map(|c| cell(c)).collect::<Vec<_>>().join(" | "))
        };
        out.push_str(&line(&a.columns));
        out.push_str(&format!("|{}\n", " --- |".repeat(a.columns.len())));
        a.rows.iter().for_each(|row| out.push_str(&line(row)));
        out.push('\n');
    }
    if !a.sources.is_empty() {
        out.push_str(&format!("## {heading}\n\n"));
    }
    for s in &a.sources {
        let check = if s.verified { verified } else { unverified };
        out.push_str(&format!(
            "- [{}] {}, {} ({check}): {}\n",
            s.n,
            plain(&s.title),
            plain(&s.place),
            plain(&s.quote)
        ));
    }
    out.push_str(&format!("\n{}\n\n<!-- {mark} -->\n", foot(a)));
    out
}

fn html(a: &AnswerFile, mark: &str) -> String {
    let text = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let [heading, verified, unverified] = sources(a.origin.language);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"ai-generated\" content=\"{}\">\n<meta name=\"dossier-answer\" content=\"{mark}\">\n\
         <title>{}</title>\n<style>body{{font:1rem/1.6 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}}\
         .label{{border-left:4px solid #c2410c;padding-left:.8rem}}td,th{{text-align:left;padding:.2rem .8rem .2rem 0}}\
         blockquote{{margin:.2rem 0 1rem;color:#575e63}}</style>\n</head>\n<body>\n<p class=\"label\"><strong>{}</strong></p>\n\
         <h1>{}</h1>\n",
        a.origin.language.code(),
        text(&a.origin.made_by),
        text(&a.question),
        text(&label(&a.origin)),
        text(&a.question),
    );
    for line in a.answer.lines().filter(|line| !line.trim().is_empty()) {
        out.push_str(&format!("<p>{}</p>\n", text(line)));
    }
    if !a.understood.is_empty() {
        out.push_str(&format!("<p>({})</p>\n", text(&a.understood.join(", "))));
    }
    if !a.rows.is_empty() {
        let row = |tag: &str, cells: &[String]| {
            let cells: String = cells.iter().map(|c| format!("<{tag}>{}</{tag}>", text(c))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        out.push_str(&format!("<table>\n{}", row("th", &a.columns)));
        a.rows.iter().for_each(|cells| out.push_str(&row("td", cells)));
        out.push_str("</table>\n");
    }
    if !a.sources.is_empty() {
        out.push_str(&format!("<h2>{heading}</h2>\n"));
    }
    for s in &a.sources {
        let check = if s.verified { verified } else { unverified };
        let (title, place) = (text(&s.title), text(&s.place));
        out.push_str(&format!(
            "<p>[{}] {title}, {place} ({check})</p>\n<blockquote>{}</blockquote>\n",
            s.n,
            text(&s.quote)
        ));
    }
    out.push_str(&format!("<p><small>{}</small></p>\n</body>\n</html>\n", text(&foot(a))));
    out
}

fn data(a: &AnswerFile, mark: &str) -> Vec<u8> {
    let value = json!({
        "ai_generated": true,
        "label": label(&a.origin),
        "dossier_answer": mark,
        "answer": a,
    });
    let mut out = serde_json::to_vec_pretty(&value).unwrap_or_default();
    out.push(b'\n');
    out
}

fn portable(a: &AnswerFile, mark: &str) -> Result<Vec<u8>, SheetError> {
    let [heading, verified, unverified] = sources(a.origin.language);
    let mut blocks = vec![Block::Title(a.question.clone()), Block::Basis(label(&a.origin))];
    let lines = a.answer.lines().filter(|line| !line.trim().is_empty());
    blocks.extend(lines.map(|line| Block::Paragraph(line.to_owned())));
    if !a.understood.is_empty() {
        blocks.push(Block::Paragraph(format!("({})", a.understood.join(", "))));
    }
    if !a.rows.is_empty() {
        blocks.push(Block::Heading(a.columns.join(" · ")));
        blocks.extend(a.rows.iter().map(|cells| {
            let (first, rest) =
                cells.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
            Block::Row(first.to_owned(), rest.join(" · "))
        }));
    }
    if !a.sources.is_empty() {
        blocks.push(Block::Heading(heading.to_owned()));
    }
    blocks.extend(a.sources.iter().map(|s| {
        let check = if s.verified { verified } else { unverified };
        Block::Row(format!("[{}] {}, {}", s.n, s.title, s.place), format!("{} ({check})", s.quote))
    }));
    let about = About {
        firm: String::new(),
        made_from: foot(a),
        made: a.origin.made,
        keywords: vec!["AI-generated".to_owned(), mark.to_owned()],
    };
    pdf(&blocks, a.origin.language, &about)
}
