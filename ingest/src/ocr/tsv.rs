//! The answers of the program for text recognition, as Tesseract writes them. Whatever is malformed is
//! left out.

/// Boxes beyond this are no boxes, in pixels.
const MAX_SIDE: f32 = 1e6;
/// Most words taken from one image.
const MAX_WORDS: usize = 100_000;
/// What is read with less confidence is noise: specks, rules and pictures.
const MIN_CONFIDENCE: f32 = 15.0;

/// A word on an image.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadWord {
    pub(crate) text: String,
    /// `[x0, y0, x1, y1]` in pixels.
    pub(crate) rect: [f32; 4],
    /// 0 to 100.
    pub(crate) confidence: f32,
    /// Block, paragraph and line that it stands in.
    pub(crate) line: (u32, u32, u32),
}

/// The words of a table with the columns level, page, block, paragraph, line, word, left, top, width,
/// height, confidence, text.
pub(super) fn words(answer: &[u8]) -> Vec<ReadWord> {
    let text = String::from_utf8_lossy(answer);
    text.lines().filter_map(word).filter(is_worth_keeping).take(MAX_WORDS).collect()
}

fn word(line: &str) -> Option<ReadWord> {
    let mut columns = line.split('\t');
    let level = columns.next()?;
    if level != "5" {
        return None;
    }
    let _page = columns.next()?;
    let mut count = || columns.next()?.parse::<u32>().ok();
    let line = (count()?, count()?, count()?);
    let _word = count()?;
    let mut number = || columns.next()?.parse::<f32>().ok().filter(|n| n.is_finite());
    let (left, top, width, height) = (number()?, number()?, number()?, number()?);
    let confidence = number()?.clamp(0.0, 100.0);
    let text = columns.next()?.trim();
    let sane = [left, top, width, height].iter().all(|v| (0.0..MAX_SIDE).contains(v));
    (sane && width > 0.0 && height > 0.0 && !text.is_empty()).then(|| ReadWord {
        text: super::units::repaired(text.chars().filter(|c| !c.is_control()).collect()),
        rect: [left, top, left + width, top + height],
        confidence,
        line,
    })
}

fn is_worth_keeping(word: &ReadWord) -> bool {
    let drawn = !word.text.chars().any(char::is_alphanumeric);
    !word.text.is_empty()
        && word.confidence >= if drawn { 60.0 } else { MIN_CONFIDENCE }
        && !word.text.chars().all(|c| matches!(c, '|' | '_' | '¦'))
}

/// The clockwise quarter turns that are still to be made, from the answer to the question which way is up.
pub(super) fn quarters(answer: &[u8]) -> Option<u8> {
    let text = String::from_utf8_lossy(answer);
    let degrees: u16 = text.lines().find_map(|line| line.strip_prefix("Rotate:")?.trim().parse().ok())?;
    match degrees {
        0 => Some(0),
        90 => Some(1),
        180 => Some(2),
        270 => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_and_everything_else_is_left_out() {
        let answer = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
                      4\t1\t1\t1\t1\t0\t10\t20\t30\t12\t-1\t\n\
                      5\t1\t1\t2\t3\t1\t10\t20\t30\t12\t91.5\tWärme\n\
                      5\t1\t1\t2\t3\t2\t10\t20\t30\t12\t95\t|\n\
                      5\t1\t1\t2\t3\t2\t10\t20\t30\t12\t40\t—\n\
                      5\t1\t1\t2\t3\t2\t10\t20\t30\t12\t95\t \n\
                      5\t1\t1\t2\t3\t2\t10\t20\t30\t12\t3\tx\n\
                      5\t1\t1\t2\t3\t2\t10\t20\t30\tNaN\t95\tx\n\
                      5\t1\t1\t2\t3\t2\t-10\t20\t30\t5\t95\tx\n\
                      5\t1\t1";
        let words = words(answer.as_bytes());
        assert_eq!(words.len(), 1, "{words:?}");
        assert_eq!(words[0].text, "Wärme");
        assert_eq!(words[0].rect, [10.0, 20.0, 40.0, 32.0]);
        assert_eq!((words[0].confidence, words[0].line), (91.5, (1, 2, 3)));
    }

    #[test]
    fn bytes_that_are_no_text_give_no_words() {
        assert_eq!(words(&[0xff, 0xfe, 9, 9, 0]), []);
    }

    #[test]
    fn the_turn_is_taken_from_the_line_that_names_it() {
        let answer =
            |turn| format!("Page number: 0\nOrientation in degrees: 90\nRotate: {turn}\nScript: Latin\n");
        assert_eq!(quarters(answer(270).as_bytes()), Some(3));
        assert_eq!(quarters(answer(45).as_bytes()), None);
        assert_eq!(quarters(b""), None);
    }
}
