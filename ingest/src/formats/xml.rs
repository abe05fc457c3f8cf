//! A small XML tree for documents of modest size.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// Elements of one document.
const MAX_NODES: usize = 500_000;
/// Nesting of elements.
const MAX_DEPTH: usize = 100;

/// An element; names are without their namespace prefix.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// Text directly inside, pieces joined.
    pub(crate) text: String,
    pub(crate) children: Vec<Node>,
}

impl Node {
    /// Children of this name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |c| c.name.eq_ignore_ascii_case(name))
    }

    /// First child of this name.
    pub(crate) fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// Trimmed text of the first child of this name, empty where there is none.
    pub(crate) fn text_of(&self, name: &str) -> String {
        self.child(name).map(|c| c.text.trim().to_string()).unwrap_or_default()
    }

    /// An attribute, whatever its case.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// Parses a document. What follows a fault is lost; the second value says what it was.
pub(crate) fn parse(bytes: &[u8]) -> (Node, Option<String>) {
    let (text, _) = super::charset::decode(bytes);
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    let mut stack = vec![Node::default()];
    let (mut nodes, mut fault) = (0, None);
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                nodes += 1;
                if nodes > MAX_NODES || stack.len() > MAX_DEPTH {
                    fault = Some("too many or too deeply nested elements".into());
                    break;
                }
                stack.push(node(&start));
            }
            Ok(Event::Empty(start)) => {
                nodes += 1;
                if nodes > MAX_NODES {
                    fault = Some("too many elements".into());
                    break;
                }
                if let Some(top) = stack.last_mut() {
                    top.children.push(node(&start));
                }
            }
            Ok(Event::End(_)) => close(&mut stack),
            Ok(Event::Text(piece)) => push_text(&mut stack, &piece),
            Ok(Event::CData(piece)) => push_text(&mut stack, &piece),
            Ok(Event::GeneralRef(reference)) => {
                push_text(&mut stack, &resolved(&reference));
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                fault = Some(error.to_string());
                break;
            }
        }
    }
    while stack.len() > 1 {
        close(&mut stack);
    }
    (stack.pop().unwrap_or_default(), fault)
}

/// What a reference stands for; one that the file would have to declare stays as it is written.
pub(crate) fn resolved(reference: &BytesRef<'_>) -> String {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => c.to_string(),
        _ => match &**reference {
            "amp" => "&".into(),
            "lt" => "<".into(),
            "gt" => ">".into(),
            "quot" => "\"".into(),
            "apos" => "'".into(),
            other => format!("&{other};"),
        },
    }
}

fn push_text(stack: &mut [Node], piece: &str) {
    if let Some(top) = stack.last_mut() {
        top.text.push_str(piece);
    }
}

fn close(stack: &mut Vec<Node>) {
    if stack.len() > 1
        && let Some(done) = stack.pop()
        && let Some(parent) = stack.last_mut()
    {
        parent.children.push(done);
    }
}

fn local(name: &str) -> String {
    name.rsplit(':').next().unwrap_or(name).to_string()
}

fn node(start: &BytesStart<'_>) -> Node {
    let attributes = start
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|a| {
            let value = quick_xml::escape::unescape(&a.value).map(|v| v.into_owned());
            (local(a.key.as_ref()), value.unwrap_or_else(|_| a.value.to_string()))
        })
        .collect();
    Node { name: local(start.name().as_ref()), attributes, ..Node::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_text() {
        let (root, fault) =
            parse("<a x='1 &amp; 2'><n:b>Gr&#252;n &lt; <![CDATA[<rot>]]></n:b><b/></a>".as_bytes());
        assert_eq!(fault, None);
        let a = root.child("A").unwrap();
        assert_eq!(a.attribute("X"), Some("1 & 2"));
        assert_eq!(a.text_of("b"), "Grün < <rot>");
        assert_eq!(a.all("b").count(), 2);
    }

    #[test]
    fn what_comes_before_a_fault_is_kept() {
        let (root, fault) = parse(b"<a><b>eins</b><c>zwei</c><");
        assert!(fault.is_some());
        assert_eq!(root.child("a").unwrap().text_of("c"), "zwei");
        let deep = "<x>".repeat(5_000);
        assert!(parse(deep.as_bytes()).1.is_some());
    }
}
