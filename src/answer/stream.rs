//! From the pieces of text that a model writes to whole sentences with their citations.

use super::sentences::stops;

/// A sentence of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    /// Without its citation marks.
    pub text: String,
    /// Numbers it cites, as written, each once.
    pub cites: Vec<u32>,
}

/// Gathers pieces and gives sentences as soon as they are complete.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    buffer: String,
}

impl Assembler {
    /// Takes a piece; returns the sentences that it completes.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Written> {
        self.buffer.push_str(piece);
        let mut done = Vec::new();
        while let Some(end) = self.first_end() {
            let rest = self.buffer.split_off(end);
            let sentence = std::mem::replace(&mut self.buffer, rest);
            done.extend(written(&sentence));
        }
        done
    }

    /// What is left when the model has ended.
    pub(super) fn finish(&mut self) -> Option<Written> {
        written(&std::mem::take(&mut self.buffer))
    }

    /// Byte after the first complete sentence and the citation marks behind it. A sentence is
    /// complete only once something else follows it, since its marks may still come.
    fn first_end(&self) -> Option<usize> {
        for (at, c) in self.buffer.char_indices() {
            let end = at + c.len_utf8();
            let ends = match c {
                '\n' => !self.buffer.get(..at)?.trim().is_empty(),
                '.' | '!' | '?' => stops(self.buffer.get(..at)?, self.buffer.get(end..)?),
                _ => false,
            };
            if ends {
                let marks = marks_length(self.buffer.get(end..)?)?;
                return Some(end + marks);
            }
        }
        None
    }
}

/// Length of the citation marks at the start of `rest`; `None` while it cannot be told.
fn marks_length(rest: &str) -> Option<usize> {
    let mut length = 0;
    loop {
        let tail = rest.get(length..)?;
        let trimmed = tail.trim_start();
        match trimmed.chars().next() {
            None => return None,
            Some('[') => {
                let close = trimmed.find(']')?;
                length += tail.len() - trimmed.len() + close + 1;
            }
            Some(_) => return Some(length),
        }
    }
}

/// Takes the marks out of a sentence. `[1]`, `[1, 2]` and `[1][2]` are marks; other brackets stay.
fn written(raw: &str) -> Option<Written> {
    let mut text = String::new();
    let mut cites: Vec<u32> = Vec::new();
    let mut rest = raw;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        text.push_str(before);
        let numbers = from.find(']').and_then(|close| {
            let inside = from.get(1..close)?;
            let parsed: Option<Vec<u32>> = inside.split([',', ';']).map(|n| n.trim().parse().ok()).collect();
            Some((parsed?, close + 1))
        });
        match numbers {
            Some((numbers, used)) => {
                cites.extend(numbers);
                rest = from.get(used..).unwrap_or_default();
                if text.ends_with(' ') && rest.starts_with(['.', ',', ' ']) {
                    text.pop();
                }
            }
            None => {
                text.push('[');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    text.push_str(rest);
    let text = text.trim().to_owned();
    let mut seen = Vec::new();
    cites.retain(|n| {
        !seen.contains(n) && {
            seen.push(*n);
            true
        }
    });
    text.chars().any(char::is_alphanumeric).then_some(Written { text, cites })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pieces: &[&str]) -> Vec<(String, Vec<u32>)> {
        let mut a = Assembler::default();
        let mut all: Vec<Written> = pieces.iter().flat_map(|p| a.push(p)).collect();
        all.extend(a.finish());
        all.into_iter().map(|w| (w.text, w.cites)).collect()
    }

    #[test]
    fn marks_before_and_after_the_point() {
        assert_eq!(
            run(&["The U-value is 0.1", "5 W/m2K [", "1]. The wall", " is 437 mm thick. [2][3] Done"]),
            [
                ("The U-value is 0.15 W/m2K.".to_owned(), vec![1]),
                ("The wall is 437 mm thick.".to_owned(), vec![2, 3]),
                ("Done".to_owned(), vec![])
            ]
        );
    }

    #[test]
    fn several_numbers_in_one_mark_and_other_brackets() {
        assert_eq!(run(&["It is [sic] so [1, 2; 1]."]), [("It is [sic] so.".to_owned(), vec![1, 2])]);
    }

    #[test]
    fn nothing_is_lost_letter_by_letter() {
        let text = "A holds 3.5 m. [1] B holds too.";
        let letters: Vec<String> = text.chars().map(String::from).collect();
        let pieces: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(
            run(&pieces),
            [("A holds 3.5 m.".to_owned(), vec![1]), ("B holds too.".to_owned(), vec![])]
        );
    }
}
