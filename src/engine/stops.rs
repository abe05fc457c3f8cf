//! Stop strings in a stream of text.

/// Passes text on, but never a stop string nor the beginning of one that may still become whole.
#[derive(Debug)]
pub(super) struct Stops<'a> {
    stops: Vec<&'a str>,
    held: String,
}

/// What became of a piece of text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// This much may be shown.
    Text(String),
    /// This much may be shown, then a stop string came.
    Stopped(String),
}

impl<'a> Stops<'a> {
    pub(super) fn new(stops: &'a [String]) -> Self {
        Self {
            stops: stops.iter().map(String::as_str).filter(|s| !s.is_empty()).collect(),
            held: String::new(),
        }
    }

    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &str) -> Passed {
        self.held.push_str(piece);
        if let Some(at) = self.stops.iter().filter_map(|s| self.held.find(s)).min() {
            self.held.truncate(at);
            return Passed::Stopped(std::mem::take(&mut self.held));
        }
        // Hold back from the first place on where a stop string might be beginning.
        let begins = |at: &usize| self.stops.iter().any(|s| s.starts_with(&self.held[*at..]));
        let keep = self.held.char_indices().map(|(at, _)| at).find(begins).unwrap_or(self.held.len());
        let rest = self.held.split_off(keep);
        Passed::Text(std::mem::replace(&mut self.held, rest))
    }

    /// What is still held when the text ends by itself.
    pub(super) fn finish(self) -> String {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stops: &[&str], pieces: &[&str]) -> (String, bool, Vec<String>) {
        let stops: Vec<String> = stops.iter().map(|s| s.to_string()).collect();
        let mut filter = Stops::new(&stops);
        let (mut all, mut steps) = (String::new(), Vec::new());
        for piece in pieces {
            match filter.push(piece) {
                Passed::Text(t) => {
                    all.push_str(&t);
                    steps.push(t);
                }
                Passed::Stopped(t) => {
                    all.push_str(&t);
                    return (all, true, steps);
                }
            }
        }
        all.push_str(&filter.finish());
        (all, false, steps)
    }

    #[test]
    fn a_stop_over_several_pieces_is_never_shown() {
        assert_eq!(
            run(&["</end>"], &["a <", "/e", "nd> b"]),
            ("a ".into(), true, vec!["a ".into(), String::new()])
        );
        assert_eq!(run(&["END", "\n\n"], &["x\n", "\ny END"]).0, "x");
    }

    #[test]
    fn a_false_start_is_shown_after_all() {
        let (all, stopped, steps) = run(&["</end>"], &["a </e", "gg> ", "</en"]);
        assert_eq!((all.as_str(), stopped), ("a </egg> </en", false));
        assert_eq!(steps, ["a ", "</egg> ", ""]);
        assert_eq!(run(&["aab"], &["a", "a", "a", "b", "c"]).0, "a");
    }

    #[test]
    fn without_stops_everything_passes_at_once() {
        assert_eq!(run(&[], &["ü", "b"]).2, ["ü", "b"]);
        assert_eq!(run(&[""], &["ü", "b"]).2, ["ü", "b"]);
        assert_eq!(run(&["ß§"], &["aß", "ßb"]).0, "aßßb");
    }
}
