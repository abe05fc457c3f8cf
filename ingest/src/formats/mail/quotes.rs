//! Text of earlier messages that a reply repeats, told from what it says itself.

use crate::model::Section;

/// Lines within which a header block has to say who wrote when to whom.
const HEADER_LINES: usize = 8;
/// Longest line that announces a quotation.
const MAX_ANNOUNCEMENT: usize = 300;

/// A message's own text and what it repeats.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Folded {
    pub(super) own: String,
    /// Repeated pieces: who and when as heading where it says so, first line from 1.
    pub(super) quoted: Vec<Section>,
}

/// Parts a text.
pub(super) fn fold(text: &str) -> Folded {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Folded::default();
    let mut own: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let rest = lines.get(at..).unwrap_or_default();
        if let Some(length) = earlier_message(rest) {
            out.quoted.push(piece(rest.get(..length).unwrap_or_default(), at, 0));
            at += length;
            continue;
        }
        if let Some((announcement, length)) = marked(rest) {
            out.quoted.push(piece(rest.get(..length).unwrap_or_default(), at, announcement));
            at += length;
            continue;
        }
        own.extend(rest.first());
        at += 1;
    }
    out.quoted.retain(|s| !s.text.is_empty());
    out.own = super::tidy(&own.join("\n"));
    out
}

/// A repeated piece as a section: announcement and header lines are its heading, marks are gone.
fn piece(lines: &[&str], at: usize, announcement: usize) -> Section {
    let head = lines.iter().take(HEADER_LINES + 2).take_while(|l| is_head(l)).count().max(announcement);
    let (heading, text) = lines.split_at(head);
    let heading: Vec<&str> =
        heading.iter().map(|l| bare(l)).filter(|l| !l.is_empty() && !is_divider(l)).collect();
    let text: Vec<&str> = text.iter().map(|l| unmarked(l)).collect();
    Section {
        heading: heading.join("; ").trim_end_matches([':', ' ', '\u{a0}']).to_string(),
        line: u32::try_from(at + 1).unwrap_or(u32::MAX),
        text: super::tidy(&text.join("\n")),
        ..Section::default()
    }
}

fn is_head(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || is_divider(line) || announces(line) || field(line).is_some()
}

fn unmarked(line: &str) -> &str {
    line.trim_start_matches(['>', '|', ' ', '\t'])
}

fn bare(line: &str) -> &str {
    unmarked(line).trim_matches(['*', ' ', '\t', '_'])
}

/// Lines that start with `>`, with those above that announce them: how many announce, and how many in all.
fn marked(lines: &[&str]) -> Option<(usize, usize)> {
    let quoted = |line: &&str| line.trim_start().starts_with('>');
    let announcement = match lines {
        [first, second, ..] if announces(first) && (quoted(second) || second.trim().is_empty()) => 1,
        // Mail programs wrap the announcement.
        [first, second, ..]
            if !quoted(first) && announces(&format!("{} {}", first.trim(), second.trim())) =>
        {
            2
        }
        _ => 0,
    };
    let below = lines.get(announcement..)?;
    let blank = below.iter().take_while(|l| l.trim().is_empty()).count();
    let start = if announcement > 0 { announcement + blank } else { 0 };
    let count = lines.get(start..)?.iter().take_while(|l| quoted(l)).count();
    if count == 0 {
        // Announced, and not marked: the rest is the earlier message.
        return (announcement > 0).then_some((announcement, lines.len()));
    }
    // Blank lines between marked ones belong to the quotation.
    let mut end = start + count;
    loop {
        let rest = lines.get(end..).unwrap_or_default();
        let gap = rest.iter().take_while(|l| l.trim().is_empty()).count();
        let more = rest.get(gap..).unwrap_or_default().iter().take_while(|l| quoted(l)).count();
        if more == 0 {
            return Some((announcement, end));
        }
        end += gap + more;
    }
}

/// A header block as mail programs put it above an earlier message, and everything down to the next one;
/// how many lines.
fn earlier_message(lines: &[&str]) -> Option<usize> {
    let head = header_block(lines)?;
    let rest = lines.get(head..).unwrap_or_default();
    let next = (0..rest.len()).find(|at| header_block(rest.get(*at..).unwrap_or_default()).is_some());
    Some(head + next.unwrap_or(rest.len()))
}

/// Lines of a header block at the start of these lines.
fn header_block(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?.trim();
    let dividers = lines.iter().take(3).take_while(|l| l.trim().is_empty() || is_divider(l.trim())).count();
    let dividers = if is_divider(first) { dividers } else { 0 };
    let named = is_original(first);
    if field(lines.get(dividers)?) != Some(Part::From) {
        return named.then_some(1);
    }
    let mut seen = [false; 3];
    let mut end = dividers + 1;
    for (index, line) in lines.iter().enumerate().skip(dividers + 1).take(HEADER_LINES) {
        match field(line) {
            Some(Part::Date) => seen[0] = true,
            Some(Part::To) => seen[1] = true,
            Some(Part::Subject) => seen[2] = true,
            _ if line.trim().is_empty() => continue,
            _ if seen == [true; 3] => break,
            // A long list of recipients runs over several lines.
            _ => continue,
        }
        end = index + 1;
    }
    let told = seen.iter().filter(|s| **s).count();
    (told >= 2 || (named && told >= 1)).then_some(end)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    From,
    Date,
    To,
    Subject,
}

/// The header field that a line holds, in four languages.
fn field(line: &str) -> Option<Part> {
    let (name, _) = bare(line).split_once(':')?;
    let name = name.trim_matches(['*', ' ', '\u{a0}']).to_lowercase();
    Some(match name.as_str() {
        "from" | "von" | "de" | "da" => Part::From,
        "sent" | "gesendet" | "envoyé" | "inviato" | "date" | "datum" | "data" => Part::Date,
        "to" | "an" | "à" | "a" | "cc" | "kopie" => Part::To,
        "subject" | "betreff" | "objet" | "oggetto" => Part::Subject,
        _ => return None,
    })
}

/// A line of dashes or underscores, alone or around words.
fn is_divider(line: &str) -> bool {
    let line = unmarked(line);
    let rule = |c: char| matches!(c, '-' | '_' | '=' | '—');
    line.len() >= 5 && line.starts_with(rule) && (line.chars().all(rule) || is_original(line))
}

/// `-----Original Message-----` and its like.
fn is_original(line: &str) -> bool {
    let line = unmarked(line);
    if !line.starts_with("--") {
        return false;
    }
    let words = line.trim_matches(|c: char| c == '-' || c.is_whitespace()).to_lowercase();
    const CALLED: [&str; 12] = [
        "original message",
        "ursprüngliche nachricht",
        "originalnachricht",
        "original-nachricht",
        "message d'origine",
        "message d’origine",
        "message original",
        "messaggio originale",
        "messaggio inoltrato",
        "forwarded message",
        "weitergeleitete nachricht",
        "message transféré",
    ];
    CALLED.iter().any(|c| words.starts_with(c))
}

/// `Am 2. März 2026 schrieb A. Muster:` and its like.
fn announces(line: &str) -> bool {
    let line = bare(line);
    if line.len() > MAX_ANNOUNCEMENT || !line.ends_with(':') || !line.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let lower = line.to_lowercase();
    let pairs = [("on ", "wrote"), ("am ", "schrieb"), ("le ", "a écrit"), ("il ", "ha scritto")];
    pairs.iter().any(|(start, verb)| {
        lower.contains(verb)
            && (lower.starts_with(start) || lower.trim_end_matches([' ', ':']).ends_with(verb))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, Vec<(String, String)>) {
        let folded = fold(text);
        (folded.own, folded.quoted.into_iter().map(|s| (s.heading, s.text)).collect())
    }

    fn one(own: &str, heading: &str, text: &str) -> (String, Vec<(String, String)>) {
        (own.into(), vec![(heading.into(), text.into())])
    }

    #[test]
    fn marked_lines_with_their_announcement() {
        assert_eq!(
            parts(
                "Ja, EI30.\n\nAm 02.03.2026 um 10:15 schrieb A. Muster:\n> Welcher Widerstand?\n>\n> Gruss\n\nB."
            ),
            one(
                "Ja, EI30.\n\nB.",
                "Am 02.03.2026 um 10:15 schrieb A. Muster",
                "Welcher Widerstand?\n\nGruss"
            )
        );
        assert_eq!(
            parts("Oui.\n\nLe 2 mars 2026 à 10:15, A. Exemple\n<a@example.ch> a écrit :\n\n> Quoi ?"),
            one("Oui.", "Le 2 mars 2026 à 10:15, A. Exemple; <a@example.ch> a écrit", "Quoi ?")
        );
    }

    #[test]
    fn header_blocks_in_four_languages() {
        for (from, sent, to, subject) in [
            ("Von", "Gesendet", "An", "Betreff"),
            ("De", "Envoyé", "À", "Objet"),
            ("Da", "Inviato", "A", "Oggetto"),
            ("From", "Sent", "To", "Subject"),
        ] {
            let text = format!(
                "Antwort.\n\n{from}: A. Muster\n{sent}: Montag, 2. März 2026 10:15\n{to}: B\n{subject}: Türen\n\nFrage?\n"
            );
            let (own, quoted) = parts(&text);
            assert_eq!((own.as_str(), quoted[0].1.as_str()), ("Antwort.", "Frage?"), "{from}");
            assert!(quoted[0].0.starts_with(&format!("{from}: A. Muster; {sent}:")), "{}", quoted[0].0);
        }
    }

    #[test]
    fn a_chain_is_parted_message_by_message() {
        let (own, quoted) = parts(
            "Gut.\n-----Original Message-----\nFrom: B\nSent: 2 March 2026\nTo: A\nSubject: RE: Slab\n\n240 mm\n\n\
             ________________________________\nFrom: A\nSent: 1 March 2026\nTo: B\nSubject: Slab\n\nHow thick?",
        );
        assert_eq!(own, "Gut.");
        assert_eq!(quoted.iter().map(|q| q.1.as_str()).collect::<Vec<_>>(), ["240 mm", "How thick?"]);
        assert_eq!(quoted[1].0, "From: A; Sent: 1 March 2026; To: B; Subject: Slab");
    }

    #[test]
    fn what_only_looks_alike_is_own_text() {
        for text in [
            "Von: Hand\nDe facto gilt das.",
            "Preis > 100\nEnde",
            "Liste:\n-----\nA: 1",
            "Am Montag schrieb er:\nnichts",
        ] {
            assert_eq!(parts(text), (text.to_string(), vec![]), "{text}");
        }
    }

    #[test]
    fn announced_and_not_marked() {
        assert_eq!(
            parts("Ok.\n\nOn 2 March 2026 at 10:15, A <a@example.ch> wrote:\n\n  Which one?\n  Regards"),
            one("Ok.", "On 2 March 2026 at 10:15, A <a@example.ch> wrote", "Which one?\nRegards")
        );
    }
}
