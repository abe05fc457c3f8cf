//! Right-to-left scripts. Words are found as they stand, from the left; they are read, searched and
//! compared in the order in which they were written.

use super::words::PlacedWord;

/// Brings the words of a line, from left to right, into reading order, and the characters of its
/// right-to-left words into the order in which they are written. Other lines stay as they are.
pub(super) fn to_reading_order(words: &mut Vec<PlacedWord>) {
    if !words.iter().any(|w| w.text.chars().any(is_rtl)) {
        return;
    }
    let letters = |rtl: bool| {
        words.iter().flat_map(|w| w.text.chars()).filter(|c| c.is_alphabetic() && is_rtl(*c) == rtl).count()
    };
    let base_rtl = letters(true) >= letters(false);
    let directions = directions(words, base_rtl);
    let mut runs: Vec<(bool, Vec<PlacedWord>)> = Vec::new();
    for (word, rtl) in words.drain(..).zip(directions) {
        match runs.last_mut() {
            Some((direction, run)) if *direction == rtl => run.push(word),
            _ => runs.push((rtl, vec![word])),
        }
    }
    if base_rtl {
        runs.reverse();
    }
    for (rtl, mut run) in runs {
        if rtl {
            run.reverse();
            run.iter_mut().for_each(|w| w.text = written(&w.text));
        }
        words.append(&mut run);
    }
}

/// Letters of scripts that run from right to left, and their marks.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// True for each word of a right-to-left run. Figures and signs belong to the words on both sides of
/// them, where these agree, else to the line.
fn directions(words: &[PlacedWord], base_rtl: bool) -> Vec<bool> {
    let own = |word: &PlacedWord| {
        let mut letters = word.text.chars().filter(|c| c.is_alphabetic() || is_rtl(*c));
        letters.next().map(|first| is_rtl(first) || letters.any(is_rtl))
    };
    let own: Vec<Option<bool>> = words.iter().map(own).collect();
    let mut after: Vec<Option<bool>> = Vec::with_capacity(own.len());
    let mut next = None;
    for direction in own.iter().rev() {
        after.push(next);
        next = direction.or(next);
    }
    let mut before = None;
    let mut out = Vec::with_capacity(own.len());
    for (direction, after) in own.into_iter().zip(after.into_iter().rev()) {
        let between = if before == after { before } else { None };
        out.push(direction.or(between).unwrap_or(base_rtl));
        before = direction.or(before);
    }
    out
}

/// A right-to-left word as written: its pieces from the right; figures and Latin letters inside it keep
/// their order, brackets turn round.
fn written(shown: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut joined = false;
    let chars: Vec<char> = shown.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let forward = c.is_alphanumeric() && !is_rtl(*c);
        let next_is_digit = chars.get(i + 1).is_some_and(char::is_ascii_digit);
        let separator = joined && matches!(c, '.' | ',' | ':' | '/') && next_is_digit;
        match pieces.last_mut() {
            Some(piece) if joined && (forward || separator) => piece.push(*c),
            _ => pieces.push(mirrored(*c).to_string()),
        }
        joined = forward || separator;
    }
    pieces.reverse();
    pieces.concat()
}

fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as they stand from the left, read.
    fn read(shown: &[&str]) -> Vec<String> {
        let mut words: Vec<PlacedWord> =
            shown.iter().map(|t| PlacedWord { text: (*t).into(), ..PlacedWord::default() }).collect();
        to_reading_order(&mut words);
        words.into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn hebrew_lines_are_read_from_the_right_and_figures_from_the_left() {
        // "שלום 47 בית" stands on paper as: בית (reversed), 47, שלום (reversed).
        assert_eq!(read(&["תיב", "47", "םולש"]), ["שלום", "47", "בית"]);
        assert_eq!(read(&["(12.5)", "תיב"]), ["בית", "(12.5)"]);
    }

    #[test]
    fn words_of_the_other_direction_keep_their_own_order() {
        assert_eq!(read(&["see", "תיב", "םולש", "there"]), ["see", "שלום", "בית", "there"]);
        assert_eq!(read(&["םולש", "BIM", "5D", "תיב"]), ["בית", "BIM", "5D", "שלום"]);
        assert_eq!(read(&["plain", "text"]), ["plain", "text"]);
    }
}
