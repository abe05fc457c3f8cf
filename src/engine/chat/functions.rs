//! What Transformers adds to Jinja2 for chat templates, and Python's way of writing values.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value};

/// Begins the message of an error that the template itself raised.
const RAISED: &str = "\u{10fffe}";

/// Adds `raise_exception` and `tojson`, and writes values as Python does.
pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_function("raise_exception", |message: String| -> Result<Value, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, format!("{RAISED}{message}")))
    });
    environment.add_filter("tojson", tojson);
    environment.set_formatter(|out, state: &mut State<'_, '_>, value: &Value| {
        if value.is_undefined() || value.as_str().is_some() {
            return minijinja::escape_formatter(out, state, value);
        }
        let mut text = String::new();
        python(value, &mut text)?;
        out.write_str(&text).map_err(|_| Error::new(ErrorKind::WriteFailure, "cannot write a value"))
    });
}

/// What a template gave to `raise_exception`, if that is why it failed.
pub(super) fn raised(error: &Error) -> Option<String> {
    error.detail()?.strip_prefix(RAISED).map(str::to_owned)
}

/// `strftime_now`, which writes the given time after a pattern as Python's `strftime` takes it.
pub(super) fn strftime_now(now: jiff::civil::DateTime) -> Value {
    Value::from_function(move |pattern: String| -> Result<String, Error> {
        jiff::fmt::strtime::format(&pattern, now)
            .map_err(|e| Error::new(ErrorKind::InvalidOperation, format!("strftime_now: {e}")))
    })
}

/// A value as `str()` writes it in Python; texts inside others as `repr()` does.
fn python(value: &Value, out: &mut String) -> Result<(), Error> {
    match value.kind() {
        ValueKind::Undefined => {}
        ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::Seq | ValueKind::Iterable => {
            list(value, out, ("[", ", ", "]"), &mut |item, out| repr(item, out))?;
        }
        ValueKind::Map => {
            let mut pair = |key: &Value, out: &mut String| {
                repr(key, out)?;
                out.push_str(": ");
                repr(&value.get_item(key)?, out)
            };
            list(value, out, ("{", ", ", "}"), &mut pair)?;
        }
        _ => out.push_str(&value.to_string()),
    }
    Ok(())
}

fn repr(value: &Value, out: &mut String) -> Result<(), Error> {
    let Some(text) = value.as_str() else { return python(value, out) };
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    Ok(())
}

type Write<'w> = &'w mut dyn FnMut(&Value, &mut String) -> Result<(), Error>;

fn list(value: &Value, out: &mut String, marks: (&str, &str, &str), write: Write<'_>) -> Result<(), Error> {
    let (open, between, close) = marks;
    out.push_str(open);
    for (number, item) in value.try_iter()?.enumerate() {
        if number > 0 {
            out.push_str(between);
        }
        write(&item, out)?;
    }
    out.push_str(close);
    Ok(())
}

/// `tojson` as Transformers defines it: Python's `json.dumps` with `ensure_ascii=False`, and nothing escaped
/// for HTML.
fn tojson(value: &Value, kwargs: Kwargs) -> Result<String, Error> {
    let indent: Option<usize> = kwargs.get("indent")?;
    let sort: Option<bool> = kwargs.get("sort_keys")?;
    let _: Option<bool> = kwargs.get("ensure_ascii")?;
    kwargs.assert_all_used()?;
    let mut out = String::new();
    json(value, Style { indent, sort: sort.unwrap_or(false), depth: 0 }, &mut out)?;
    Ok(out)
}

#[derive(Clone, Copy)]
struct Style {
    indent: Option<usize>,
    sort: bool,
    depth: usize,
}

impl Style {
    /// A line end and the indentation at this depth; nothing where all is on one line.
    fn line(self) -> String {
        self.indent.map(|n| format!("\n{}", " ".repeat(n * self.depth))).unwrap_or_default()
    }
}

fn json(value: &Value, style: Style, out: &mut String) -> Result<(), Error> {
    if style.depth > 64 {
        return Err(Error::new(ErrorKind::InvalidOperation, "tojson: nested too deep"));
    }
    let inner = Style { depth: style.depth + 1, ..style };
    let between = if style.indent.is_some() { format!(",{}", inner.line()) } else { ", ".to_owned() };
    match value.kind() {
        ValueKind::None => out.push_str("null"),
        ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Number => out.push_str(&value.to_string()),
        ValueKind::String => json_string(value.as_str().unwrap_or_default(), out),
        ValueKind::Seq | ValueKind::Iterable if value.len() == Some(0) => out.push_str("[]"),
        ValueKind::Map if value.len() == Some(0) => out.push_str("{}"),
        ValueKind::Seq | ValueKind::Iterable => {
            let (open, close) = (format!("[{}", inner.line()), format!("{}]", style.line()));
            list(value, out, (&open, &between, &close), &mut |item, out| json(item, inner, out))?;
        }
        ValueKind::Map => {
            let mut keys: Vec<Value> = value.try_iter()?.collect();
            if style.sort {
                keys.sort();
            }
            let (open, close) = (format!("{{{}", inner.line()), format!("{}}}", style.line()));
            let mut pair = |key: &Value, out: &mut String| {
                json_string(&key.to_string(), out);
                out.push_str(": ");
                json(&value.get_item(key)?, inner, out)
            };
            list(&Value::from(keys), out, (&open, &between, &close), &mut pair)?;
        }
        other => {
            return Err(Error::new(ErrorKind::InvalidOperation, format!("tojson: {other} has no JSON")));
        }
    }
    Ok(())
}

fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
