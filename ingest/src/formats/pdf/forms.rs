//! Fields of forms, by their widgets on the pages.

use std::collections::HashSet;

use hayro_syntax::object::{
    Array, Dict, Name, Object, ObjectIdentifier, Rect as PdfRect, Stream, String as Text,
};
use hayro_syntax::page::Page as PdfPage;

use super::info::{date, one_line, shown, text};
use crate::model::Field;
use crate::text::label;

/// Widgets read per page.
const MAX_PER_PAGE: usize = 5_000;
/// Fields above a widget.
const MAX_DEPTH: usize = 32;
/// Longest value, in characters.
const MAX_CHARS: usize = 20_000;
/// Field flags: a push button has no value, a radio button is one of several.
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;

/// Reads the fields page by page; a radio group that stands on several pages is one field.
#[derive(Default)]
pub(super) struct Forms {
    groups: HashSet<ObjectIdentifier>,
}

impl Forms {
    /// The fields with a widget on this page. Push buttons are left out.
    pub(super) fn read(&mut self, page: &PdfPage<'_>) -> Vec<Field> {
        let Some(list) = page.raw().get::<Array<'_>>("Annots") else { return Vec::new() };
        list.iter::<Dict<'_>>()
            .take(MAX_PER_PAGE)
            .filter(|d| d.get::<Name<'_>>("Subtype").is_some_and(|s| s.as_str() == "Widget"))
            .filter_map(|widget| self.field(page, widget))
            .collect()
    }

    fn field(&mut self, page: &PdfPage<'_>, widget: Dict<'_>) -> Option<Field> {
        let chain = chain(widget.clone());
        let find = |key: &str| chain.iter().find_map(|d| d.get::<Object<'_>>(key));
        let flags = chain.iter().find_map(|d| d.get::<u32>("Ff")).unwrap_or(0);
        let kind = find("FT")?.into_name()?.as_str().to_owned();
        let kind = match kind.as_str() {
            "Btn" if flags & PUSH_BUTTON != 0 => return None,
            "Btn" if flags & RADIO != 0 => "radio",
            "Btn" => "checkbox",
            "Tx" => "text",
            "Ch" => "choice",
            "Sig" => "signature",
            _ => return None,
        };
        let mut field = Field {
            name: label(&name(&chain)),
            label: find("TU").and_then(Object::into_string).map(|t| label(&one_line(&t))).unwrap_or_default(),
            kind: kind.into(),
            rect: widget.get::<PdfRect>("Rect").map(|r| shown(page, &r)).unwrap_or_default(),
            ..Field::default()
        };
        match kind {
            "checkbox" | "radio" => {
                let on = is_on(&widget, find("V"));
                if kind == "radio" && !self.stands_for_group(&chain, on) {
                    return None;
                }
                field.checked = Some(on);
                field.value = if on { export(&widget, find("V")) } else { String::new() };
            }
            "signature" => {
                field.value = find("V").and_then(Object::into_dict).map(|d| signer(&d)).unwrap_or_default()
            }
            _ => field.value = values(find("V"), find("Opt")),
        }
        field.value = field.value.chars().take(MAX_CHARS).collect();
        (!field.name.is_empty() || !field.value.is_empty()).then_some(field)
    }

    /// Of a radio group only the button that is on is shown.
    fn stands_for_group(&mut self, chain: &[Dict<'_>], on: bool) -> bool {
        let group = chain.get(1).and_then(Dict::obj_id);
        on && group.is_none_or(|id| self.groups.insert(id))
    }
}

/// The widget and the fields above it.
fn chain(widget: Dict<'_>) -> Vec<Dict<'_>> {
    let mut out = vec![widget];
    while out.len() < MAX_DEPTH {
        let Some(parent) = out.last().and_then(|d| d.get::<Dict<'_>>("Parent")) else { break };
        out.push(parent);
    }
    out
}

fn name(chain: &[Dict<'_>]) -> String {
    let mut parts: Vec<String> =
        chain.iter().filter_map(|d| d.get::<Text<'_>>("T")).map(|t| one_line(&t)).collect();
    parts.reverse();
    parts.join(".")
}

/// The state that the widget shows, else the field's value.
fn is_on(widget: &Dict<'_>, value: Option<Object<'_>>) -> bool {
    let state = widget.get::<Name<'_>>("AS").or_else(|| value.and_then(Object::into_name));
    state.is_some_and(|s| s.as_str() != "Off")
}

/// What the button stands for.
fn export(widget: &Dict<'_>, value: Option<Object<'_>>) -> String {
    let state = widget.get::<Name<'_>>("AS").or_else(|| value.and_then(Object::into_name));
    state.map(|s| one_line(s.as_ref())).unwrap_or_default()
}

/// Text, or choices by the names that a person sees.
fn values(value: Option<Object<'_>>, options: Option<Object<'_>>) -> String {
    let shown = |chosen: String| -> String {
        let list = match &options {
            Some(Object::Array(list)) => list.clone(),
            _ => return chosen,
        };
        let pair = |item: Object<'_>| -> Option<(String, String)> {
            let mut parts =
                item.into_array()?.iter::<Text<'_>>().map(|t| one_line(&t)).collect::<Vec<_>>().into_iter();
            Some((parts.next()?, parts.next()?))
        };
        let named = list
            .iter::<Object<'_>>()
            .take(MAX_PER_PAGE)
            .filter_map(pair)
            .find(|(export, _)| *export == chosen);
        named.map_or(chosen, |(_, name)| name)
    };
    match value {
        Some(Object::String(one)) => shown(text(&one)),
        Some(Object::Array(many)) => {
            let all: Vec<String> =
                many.iter::<Text<'_>>().take(MAX_PER_PAGE).map(|t| shown(one_line(&t))).collect();
            all.join(", ")
        }
        Some(Object::Name(name)) => one_line(name.as_ref()),
        Some(Object::Number(number)) => crate::text::number(number.as_f64()),
        Some(Object::Stream(stream)) => long_text(&stream),
        _ => String::new(),
    }
}

/// A long value may be kept in a stream.
fn long_text(stream: &Stream<'_>) -> String {
    const LIMIT: u64 = 1 << 20;
    match super::bombs::expanded(stream, LIMIT) {
        Some(_) => stream.decoded().map(|bytes| text(&bytes)).unwrap_or_default(),
        None => String::new(),
    }
}

/// Who signed, and when.
fn signer(signature: &Dict<'_>) -> String {
    let who = signature.get::<Text<'_>>("Name").map(|t| one_line(&t)).unwrap_or_default();
    let when = signature.get::<Text<'_>>("M").map(|t| date(&t)).unwrap_or_default();
    [who, when].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(", ")
}
