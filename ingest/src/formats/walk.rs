//! XML of any size read as a stream: no tree, no entities, bounded nesting.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::ReadError;

/// Nesting of elements. Tables in tables in text boxes stay far below.
const MAX_DEPTH: usize = 1_000;

/// What to do with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Descend {
    /// Look at what is in it.
    Into,
    /// Leave it out with everything in it; its end is not told.
    Skip,
}

/// An element's name and attributes.
pub(crate) struct Tag<'a>(&'a BytesStart<'a>);

impl Tag<'_> {
    /// An attribute by its local name, or, where `name` has a colon, by its whole name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let found = self.0.attributes().with_checks(false).flatten().find(|a| {
            let key: &str = a.key.as_ref();
            if name.contains(':') { key == name } else { local(key) == name }
        })?;
        let value = quick_xml::escape::unescape(&found.value).map(|v| v.into_owned());
        Some(value.unwrap_or_else(|_| found.value.to_string()))
    }

    /// An attribute as a number.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// A switch such as `<w:b/>` or `<w:b w:val="0"/>`.
    pub(crate) fn is_on(&self) -> bool {
        self.attribute("val").is_none_or(|v| v != "0" && v != "false" && v != "off" && v != "none")
    }
}

/// Sees a document's parts in their order. Names are local, without their prefix.
pub(crate) trait Visitor {
    /// An element starts.
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend;
    /// An element into which `open` went ends.
    fn close(&mut self, name: &str);
    /// A piece of text, references resolved.
    fn text(&mut self, text: &str);
}

/// Reads a document. What follows a fault is lost; the value says what it was.
///
/// # Errors
/// [`ReadError::Damaged`] for a document that declares entities: no office program writes one, and expanding them is how a
/// small file fills a memory. [`ReadError::TooLarge`] for one that is nested too deeply.
pub(crate) fn walk(bytes: &[u8], visitor: &mut impl Visitor) -> Result<Option<String>, ReadError> {
    let (text, _) = super::charset::decode(bytes);
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    let (mut depth, mut skipped) = (0_usize, 0_usize);
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Ok(Some(error.to_string())),
        };
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(ReadError::beyond_fixed(format!("nested XML elements ({MAX_DEPTH})")));
                }
                let name = start.name();
                if skipped > 0 || visitor.open(local(name.as_ref()), &Tag(&start)) == Descend::Skip {
                    skipped += 1;
                }
            }
            Event::Empty(start) if skipped == 0 => {
                let name = start.name();
                if visitor.open(local(name.as_ref()), &Tag(&start)) == Descend::Into {
                    visitor.close(local(name.as_ref()));
                }
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if skipped > 0 {
                    skipped -= 1;
                } else {
                    visitor.close(local(end.name().as_ref()));
                }
            }
            Event::Text(piece) if skipped == 0 => visitor.text(&piece),
            Event::CData(piece) if skipped == 0 => visitor.text(&piece),
            Event::GeneralRef(reference) if skipped == 0 => {
                visitor.text(&super::xml::resolved(&reference));
            }
            Event::DocType(declaration) if declaration.contains("<!ENTITY") => {
                return Err(ReadError::Damaged {
                    detail: "its XML declares entities, which are never expanded".into(),
                });
            }
            Event::Eof => return Ok((depth > 0).then(|| "it ends within an element".to_string())),
            _ => {}
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(String);

    impl Visitor for Log {
        fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
            self.0 += &format!("<{name}{}>", tag.attribute("val").unwrap_or_default());
            if name == "del" { Descend::Skip } else { Descend::Into }
        }
        fn close(&mut self, name: &str) {
            self.0 += &format!("</{name}>");
        }
        fn text(&mut self, text: &str) {
            self.0 += text;
        }
    }

    #[test]
    fn a_stream_of_parts() {
        let mut log = Log::default();
        let xml = "<w:p w:val='1 &amp; 2'>Gr&#252;n &lt;<w:del><w:t>fort</w:t><x/></w:del><w:tab/>da</w:p>";
        assert_eq!(walk(xml.as_bytes(), &mut log).unwrap(), None);
        assert_eq!(log.0, "<p1 & 2>Grün <<del><tab></tab>da</p>");
    }

    #[test]
    fn entities_and_endless_nesting_are_refused() {
        let laughs = "<!DOCTYPE a [<!ENTITY b \"haha\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>";
        assert!(matches!(walk(laughs.as_bytes(), &mut Log::default()), Err(ReadError::Damaged { .. })));
        let deep = "<a>".repeat(MAX_DEPTH + 1);
        assert!(matches!(walk(deep.as_bytes(), &mut Log::default()), Err(ReadError::TooLarge { .. })));
        let mut log = Log::default();
        assert!(walk(b"<a>eins<b>zwei</a>", &mut log).unwrap().is_some());
        assert!(log.0.contains("zwei"));
    }
}
