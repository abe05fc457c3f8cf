//! The chat template of a GGUF file: messages in, prompt out, as Python's Jinja2 renders it for
//! Transformers.
//!
//! A template comes with a model and is the only part of a prompt that is trusted. What people and documents
//! wrote is passed in as a placeholder and put in place afterwards, so the result is a list of
//! [`Segment`]s that say which text is whose: a text that contains `<|im_end|>` stays text. A template can
//! therefore not look into a message; one that tries (to cut an earlier `<think>` part, say) sees a text
//! without it. Blanks around a message are visible to it, because templates trim.

mod functions;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};

use crate::engine::gguf::{Gguf, GgufError};
use crate::engine::tokenizer::Segment;

/// Why a prompt cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// The model file has no usable template.
    #[error("the model's chat template cannot be read: {0}")]
    Gguf(#[from] GgufError),
    /// The template is not valid.
    #[error("the model's chat template does not compile: {0}")]
    Syntax(String),
    /// The template refuses these messages, in its own words.
    #[error("the model's chat template refuses the messages: {0}")]
    Refused(String),
    /// The template fails on these messages.
    #[error("the model's chat template fails: {0}")]
    Render(String),
}

/// One message: who speaks, as in `user`, and what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    /// `system`, `user` or `assistant`; templates refuse others as they like.
    pub role: &'a str,
    /// The text; it stays untrusted.
    pub content: &'a str,
}

/// A compiled chat template.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    bos: String,
    eos: String,
}

const NAME: &str = "chat";
/// Instructions that a template may run; templates in use take a few thousand for a long conversation.
const FUEL: u64 = 2_000_000;
/// Around a message's number; private-use characters that no model's template contains.
const OPEN: char = '\u{10fffd}';
const CLOSE: char = '\u{10fffc}';

impl ChatTemplate {
    /// The template in a GGUF file, or `None` where it has none (a base model).
    ///
    /// # Errors
    /// Fails if the template does not compile.
    pub fn from_gguf(gguf: &Gguf) -> Result<Option<Self>, ChatError> {
        let Some(source) = gguf.opt_str("tokenizer.chat_template")? else { return Ok(None) };
        let text = |name: &str| -> Result<String, ChatError> {
            let id = gguf.opt_u32(&format!("tokenizer.ggml.{name}_token_id"))?;
            let tokens = gguf.strings("tokenizer.ggml.tokens")?;
            Ok(id.and_then(|id| tokens.get(id as usize)).cloned().unwrap_or_default())
        };
        Self::new(source, &text("bos")?, &text("eos")?).map(Some)
    }

    /// A template from its source and the texts of the model's begin and end tokens.
    ///
    /// # Errors
    /// Fails if the template does not compile.
    pub fn new(source: &str, bos: &str, eos: &str) -> Result<Self, ChatError> {
        let mut environment = Environment::new();
        // As Transformers sets Jinja2 up: a block's line end and indentation are not text.
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|e| ChatError::Syntax(e.to_string()))?);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.set_fuel(Some(FUEL));
        functions::add(&mut environment);
        environment
            .add_template_owned(NAME, source.to_owned())
            .map_err(|e| ChatError::Syntax(describe(&e)))?;
        Ok(Self { environment, bos: bos.to_owned(), eos: eos.to_owned() })
    }

    /// The prompt for these messages, up to where the model's answer begins if `answer` is set. `now` is the
    /// time that a template may write into the prompt.
    ///
    /// # Errors
    /// Fails where the template refuses the messages (an order of roles that it does not know, for instance)
    /// or cannot be rendered.
    pub fn render(
        &self,
        messages: &[Message<'_>],
        answer: bool,
        now: jiff::civil::DateTime,
    ) -> Result<Vec<Segment<'static>>, ChatError> {
        let values: Vec<Value> = messages
            .iter()
            .enumerate()
            .map(|(number, message)| {
                context! { role => message.role, content => placeholder(number, message.content) }
            })
            .collect();
        let template = self.environment.get_template(NAME).map_err(|e| ChatError::Syntax(describe(&e)))?;
        let text = template
            .render(context! {
                messages => values,
                add_generation_prompt => answer,
                bos_token => self.bos.as_str(),
                eos_token => self.eos.as_str(),
                tools => (),
                documents => (),
                strftime_now => functions::strftime_now(now),
            })
            .map_err(|error| match functions::raised(&error) {
                Some(message) => ChatError::Refused(message),
                None => ChatError::Render(describe(&error)),
            })?;
        segments(&text, messages)
    }
}

/// What a template sees of a message: the blanks around it and a mark for the rest.
fn placeholder(number: usize, content: &str) -> String {
    let core = content.trim();
    if core.is_empty() {
        return content.to_owned();
    }
    let (before, after) = content.split_once(core).unwrap_or_default();
    format!("{before}{OPEN}{number}{CLOSE}{after}")
}

/// Puts the messages in the places of their marks.
fn segments(text: &str, messages: &[Message<'_>]) -> Result<Vec<Segment<'static>>, ChatError> {
    let mut out = Vec::new();
    let mut push = |text: &str, trusted| {
        if !text.is_empty() {
            out.push(Segment { text: Cow::Owned(text.to_owned()), trusted });
        }
    };
    let cut = || ChatError::Render("it takes a message apart".to_owned());
    let mut parts = text.split(OPEN);
    let first = parts.next().unwrap_or_default();
    if first.contains(CLOSE) {
        return Err(cut());
    }
    push(first, true);
    for part in parts {
        let (number, rest) = part.split_once(CLOSE).ok_or_else(cut)?;
        let message = number.parse().ok().and_then(|number: usize| messages.get(number)).ok_or_else(cut)?;
        if rest.contains(CLOSE) {
            return Err(cut());
        }
        push(message.content.trim(), false);
        push(rest, true);
    }
    Ok(out)
}

/// An error with its place and its causes.
fn describe(error: &minijinja::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    if error.kind() == ErrorKind::OutOfFuel {
        text.push_str(" (it does not come to an end)");
    }
    text
}
