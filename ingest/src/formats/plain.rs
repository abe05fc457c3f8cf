//! Plain text: a section for each heading that is marked as in Markdown.

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, Section, Warning};
use crate::text::LABEL;

/// Reads a text file.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (text, encoding) = super::charset::decode(bytes);
    let most = usize::try_from(limits.max_text_chars).unwrap_or(usize::MAX);
    let kept = text.char_indices().nth(most).map_or(&*text, |(at, _)| text.get(..at).unwrap_or(&text));
    let sections = sections(kept);
    let title = sections.iter().map(|s| s.heading.clone()).find(|h| !h.is_empty());
    let mut document = Document::new(Kind::Text, title.unwrap_or_else(|| super::stem(name)));
    document.metadata.insert("charset".into(), encoding.into());
    if kept.len() < text.len() {
        let message = format!("only the first {most} characters were read");
        document.warnings.push(Warning { code: "text-limit".into(), message, page: None });
    }
    document.sections = sections;
    Ok(document)
}

/// `# Heading` starts a section; a fence of code hides what looks like one.
fn sections(text: &str) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    let mut open = Section { line: 1, ..Section::default() };
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        fenced ^= line.starts_with("```");
        let hashes = line.bytes().take_while(|b| *b == b'#').count();
        let heading =
            line.get(hashes..).filter(|r| !fenced && (1..=6).contains(&hashes) && r.starts_with(' '));
        let heading = heading.filter(|h| h.chars().nth(LABEL).is_none());
        if let Some(heading) = heading {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let next = Section { heading: heading.trim().to_string(), line: number, ..Section::default() };
            out.push(std::mem::replace(&mut open, next));
        } else {
            open.text.push_str(line);
            open.text.push('\n');
        }
    }
    out.push(open);
    out.retain(|s| !s.heading.is_empty() || !s.text.trim().is_empty());
    out
}

#[cfg(test)]
mod tests {
    use crate::model::{Locator, TextUnit};
    use crate::{ChunkOptions, Limits, chunk, read};

    #[test]
    fn headings_make_sections() {
        for name in ["protokoll.md", "protokoll.txt"] {
            check(name);
        }
    }

    fn check(name: &str) {
        let text = "# Bausitzung 5\n\nProtokoll.\n\n## Beschluss\nDie T\u{fc}ren erhalten EI30.\n";
        let document = read(text.as_bytes(), name, &Limits::default()).unwrap();
        assert_eq!(document.title, "Bausitzung 5");
        assert_eq!((document.sections[1].heading.as_str(), document.sections[1].line), ("Beschluss", 5));
        let chunks = chunk(&document, &ChunkOptions::default());
        let last = chunks.last().unwrap();
        assert!(last.text.contains("EI30"));
        assert_eq!(
            last.locator,
            Locator::Text { section: "Beschluss".into(), line: 5, unit: TextUnit::Line }
        );
    }
}
