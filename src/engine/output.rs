//! From tokens to the text that a reader sees.

use std::ops::ControlFlow;

use crate::engine::Finish;
use crate::engine::stops::{Passed, Stops};
use crate::engine::tokenizer::{StreamDecoder, Tokenizer};

/// The way of an answer's tokens to its reader.
pub(super) struct Output<'a> {
    decoder: Option<StreamDecoder<'a>>,
    stops: Stops<'a>,
    pub(super) text: String,
    on_text: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        tokenizer: &'a Tokenizer,
        stops: &'a [String],
        on_text: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Self {
        Self {
            decoder: Some(StreamDecoder::new(tokenizer)),
            stops: Stops::new(stops),
            text: String::new(),
            on_text,
        }
    }

    /// Takes a token; breaks with the reason where the answer ends.
    pub(super) fn push(&mut self, token: u32) -> ControlFlow<Finish> {
        let piece = self.decoder.as_mut().map(|d| d.push(token)).unwrap_or_default();
        match self.stops.push(&piece) {
            Passed::Text(text) => self.show(&text),
            Passed::Stopped(text) => {
                self.show(&text)?;
                ControlFlow::Break(Finish::Stop)
            }
        }
    }

    /// Shows what was held back and says why the answer ended.
    pub(super) fn end(&mut self, finish: Finish) -> Finish {
        let rest = self.decoder.take().map(StreamDecoder::finish).unwrap_or_default();
        let shown = match self.stops.push(&rest) {
            Passed::Text(text) => text + &std::mem::replace(&mut self.stops, Stops::new(&[])).finish(),
            Passed::Stopped(text) => text,
        };
        match self.show(&shown) {
            ControlFlow::Continue(()) => finish,
            ControlFlow::Break(cancelled) => cancelled,
        }
    }

    fn show(&mut self, text: &str) -> ControlFlow<Finish> {
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        self.text.push_str(text);
        match (self.on_text)(text) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Finish::Cancelled),
        }
    }
}
