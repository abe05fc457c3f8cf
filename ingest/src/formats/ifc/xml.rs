//! ifcXML becomes STEP: the same records with the same attributes, so that one reader serves both.
//!
//! Of 2x3 every attribute is an element; of 4 simple ones are XML attributes, an attribute that is an entity is
//! that entity's element, and relations hang inside of what they relate. Shapes are passed over.

use std::collections::HashMap;
use std::fmt::Write;

use ifc_lite_core::{AttrKind, AttrSlot, SchemaVersion};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::classes::{Role, class};
use super::xml_names::{of_attribute, of_inverse};
use super::xml_values::{quoted, simple, typed};
use crate::error::ReadError;
use crate::limits::{Limits, MAX_EXPANDED};

/// Nesting of elements.
const DEEPEST: usize = 400;

/// A model as STEP text.
pub(super) struct Converted {
    pub(super) step: Vec<u8>,
    pub(super) records: usize,
    /// What ended the reading early.
    pub(super) fault: Option<String>,
}

/// Converts a document. What follows a fault is lost.
///
/// # Errors
/// [`ReadError::TooLarge`] where the records take more than an archive member may.
pub(super) fn to_step(text: &str, limits: &Limits) -> Result<Converted, ReadError> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    let mut converter = Converter::new(limits.max_expanded_bytes);
    let fault = loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => converter.open(&start),
            Ok(Event::Empty(start)) => {
                converter.open(&start);
                converter.close();
            }
            Ok(Event::End(_)) => converter.close(),
            Ok(Event::Text(piece)) => converter.text(&piece),
            Ok(Event::CData(piece)) => converter.text(&piece),
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(c)) => converter.text(c.encode_utf8(&mut [0; 4])),
                _ => converter.text(quick_xml::escape::resolve_predefined_entity(&reference).unwrap_or(" ")),
            },
            Ok(Event::Eof) => break None,
            Ok(_) => {}
            Err(error) => break Some(format!("{error} at byte {}", reader.buffer_position())),
        }
        if converter.frames.len() > DEEPEST {
            break Some("its elements are nested too deeply".into());
        }
        if converter.left == 0 {
            let limit = format!("expanded bytes ({})", limits.max_expanded_bytes);
            return Err(ReadError::beyond(limit, MAX_EXPANDED));
        }
    };
    while !converter.frames.is_empty() {
        converter.close();
    }
    Ok(Converted { records: converter.records.len(), step: converter.finish(), fault })
}

/// An element that is open.
enum Frame {
    /// Neither entity nor attribute: the document, its header and their parts.
    Other { name: String, text: String },
    /// An entity with its attributes as STEP.
    Entity { id: u32, class: String, values: Vec<String> },
    /// A reference to an entity that stands elsewhere.
    Reference,
    /// An attribute of the entity around it.
    Attribute { slot: AttrSlot, values: Vec<String>, text: String },
    /// An inverse attribute: relations, each of which leads back by the attribute named.
    Inverse { attribute: &'static str },
    /// A value under its type's name.
    Value { kind: String, text: String },
    /// Not read, with all that is inside.
    Passed,
}

struct Converter {
    schema: SchemaVersion,
    frames: Vec<Frame>,
    ids: HashMap<String, u32>,
    next: u32,
    records: Vec<(u32, String)>,
    header: HashMap<String, String>,
    left: u64,
}

impl Converter {
    fn new(left: u64) -> Self {
        Converter {
            schema: SchemaVersion::Ifc4,
            frames: Vec::new(),
            ids: HashMap::new(),
            next: 0,
            records: Vec::new(),
            header: HashMap::new(),
            left,
        }
    }

    fn open(&mut self, start: &BytesStart<'_>) {
        let name = local(start.name().as_ref()).to_string();
        let attributes: Vec<(String, String)> = start
            .attributes()
            .with_checks(false)
            .flatten()
            .map(|a| {
                let value = quick_xml::escape::unescape(&a.value).map(|v| v.into_owned());
                (a.key.as_ref().to_string(), value.unwrap_or_else(|_| a.value.to_string()))
            })
            .collect();
        let frame = match self.frames.last() {
            None | Some(Frame::Other { .. }) => self.outside(name, &attributes),
            Some(Frame::Entity { class, .. }) => {
                let class = class.clone();
                self.attribute(&class, &name, &attributes)
            }
            Some(Frame::Inverse { attribute }) => {
                let (attribute, owner) = (*attribute, self.owner());
                self.entity(&name, &attributes, owner.map(|o| (attribute, o)))
            }
            Some(Frame::Attribute { .. }) => match self.is_entity(&name) {
                true => self.entity(&name, &attributes, None),
                false => Frame::Value { kind: name, text: String::new() },
            },
            Some(Frame::Reference | Frame::Value { .. } | Frame::Passed) => Frame::Passed,
        };
        self.frames.push(frame);
    }

    fn outside(&mut self, name: String, attributes: &[(String, String)]) -> Frame {
        for (key, value) in attributes {
            if key.starts_with("xmlns") || key.ends_with("schemaLocation") {
                let upper = value.to_ascii_uppercase();
                for (word, schema) in [
                    ("IFC2X", SchemaVersion::Ifc2x3),
                    ("IFC4X3", SchemaVersion::Ifc4x3),
                    ("IFC4_3", SchemaVersion::Ifc4x3),
                ] {
                    if upper.contains(word) {
                        self.schema = schema;
                    }
                }
            }
        }
        if self.is_entity(&name) {
            self.entity(&name, attributes, None)
        } else {
            Frame::Other { name, text: String::new() }
        }
    }

    fn is_entity(&self, name: &str) -> bool {
        name.starts_with("Ifc") && self.schema.entity_info(&name.to_ascii_uppercase()).is_some()
    }

    /// The entity around an inverse attribute.
    fn owner(&self) -> Option<u32> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Entity { id, .. } => Some(*id),
            _ => None,
        })
    }

    /// The record number of an XML id, or a new one.
    fn number(&mut self, id: Option<&str>) -> u32 {
        let next = self.next + 1;
        let number = match id {
            Some(id) => *self.ids.entry(id.to_string()).or_insert(next),
            None => next,
        };
        self.next = self.next.max(number);
        number
    }

    /// An entity's element. `back` is an attribute that leads to another record.
    fn entity(&mut self, name: &str, attributes: &[(String, String)], back: Option<(&str, u32)>) -> Frame {
        let find = |key: &str| attributes.iter().find(|(k, _)| local(k) == key).map(|(_, v)| v.as_str());
        if let Some(target) = find("href").or_else(|| find("ref")) {
            let number = self.number(Some(target));
            self.give(format!("#{number}"));
            return Frame::Reference;
        }
        let upper = find("type").map(local).unwrap_or(name).to_ascii_uppercase();
        let Some(known) = class(self.schema, &upper).filter(|c| c.role != Role::Passed) else {
            return Frame::Passed;
        };
        let id = self.number(find("id"));
        self.give(format!("#{id}"));
        let mut values = vec!["$".to_string(); known.attributes.len()];
        let set = |values: &mut Vec<String>, slot: AttrSlot, text: String| {
            if let Some(value) = values.get_mut(slot.index) {
                *value = text;
            }
        };
        for (key, value) in attributes.iter().filter(|(key, _)| !key.contains(':')) {
            if let Some(slot) = self.schema.attribute(&upper, key) {
                set(&mut values, slot, simple(slot, value));
            }
        }
        if let Some((attribute, target)) = back
            && let Some(slot) = self.schema.attribute(&upper, attribute)
        {
            let many = matches!(slot.kind, AttrKind::RefList | AttrKind::List);
            set(&mut values, slot, if many { format!("(#{target})") } else { format!("#{target}") });
        }
        Frame::Entity { id, class: upper, values }
    }

    fn attribute(&mut self, class: &str, name: &str, attributes: &[(String, String)]) -> Frame {
        let Some(slot) = self.schema.attribute(class, name) else {
            return of_inverse(name).map_or(Frame::Passed, |attribute| Frame::Inverse { attribute });
        };
        let frame = Frame::Attribute { slot, values: Vec::new(), text: String::new() };
        let has = |key: &str| attributes.iter().any(|(k, _)| local(k) == key);
        // An attribute that is the entity itself: with its type, a reference, or values of its own.
        let own_type =
            attributes.iter().find(|(k, _)| k.ends_with(":type")).map(|(_, v)| local(v).to_string());
        let declared = of_attribute(name).map(str::to_string);
        let is_itself = slot.kind == AttrKind::Ref || slot.kind == AttrKind::Select;
        let inlined = slot.kind == AttrKind::Ref && self.schema != SchemaVersion::Ifc2x3;
        let entity = own_type.or(declared.filter(|_| inlined));
        let reference = has("href") || has("ref");
        if is_itself && (entity.is_some() || reference) {
            self.frames.push(frame);
            let inner = self.entity(&entity.unwrap_or_default(), attributes, None);
            let filled = self.frames.pop();
            return match (filled, inner) {
                // The element's end ends both: the attribute is written into its entity at once.
                (Some(Frame::Attribute { slot, values, .. }), inner) => {
                    self.put(slot, &values);
                    inner
                }
                (_, inner) => inner,
            };
        }
        frame
    }

    /// Hands a value to the attribute that is open.
    fn give(&mut self, value: String) {
        if let Some(Frame::Attribute { slot, values, .. }) = self.frames.last_mut()
            && (slot.kind != AttrKind::Ref || value.starts_with('#'))
        {
            values.push(value);
        }
    }

    /// Writes an attribute of the innermost entity.
    fn put(&mut self, slot: AttrSlot, values: &[String]) {
        let many = matches!(slot.kind, AttrKind::RefList | AttrKind::List)
            || (slot.aggregate && slot.kind != AttrKind::Select)
            || values.len() > 1;
        let text = match values {
            [] => return,
            [one] if !many => one.clone(),
            several => format!("({})", several.join(",")),
        };
        let entity = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Entity { values, .. } => Some(values),
            _ => None,
        });
        if let Some(value) = entity.and_then(|values| values.get_mut(slot.index)) {
            *value = text;
        }
    }

    fn text(&mut self, piece: &str) {
        if let Some(Frame::Other { text, .. } | Frame::Attribute { text, .. } | Frame::Value { text, .. }) =
            self.frames.last_mut()
        {
            text.push_str(piece);
        }
    }

    fn close(&mut self) {
        match self.frames.pop() {
            Some(Frame::Other { name, text }) if !text.trim().is_empty() && name.len() < 64 => {
                self.header.entry(name.to_ascii_lowercase()).or_insert_with(|| text.trim().to_string());
            }
            Some(Frame::Entity { id, class, values }) => {
                let record = format!("#{id}={class}({});\n", values.join(","));
                self.left = self.left.saturating_sub(record.len() as u64);
                self.records.push((id, record));
            }
            Some(Frame::Attribute { slot, values, text }) => {
                if values.is_empty() && !text.trim().is_empty() {
                    let value = simple(slot, text.trim());
                    self.put_text(slot, value);
                } else {
                    self.put(slot, &values);
                }
            }
            Some(Frame::Value { kind, text }) => self.give(typed(&kind, text.trim())),
            _ => {}
        }
    }

    fn put_text(&mut self, slot: AttrSlot, value: String) {
        if let Some(Frame::Entity { values, .. }) = self.frames.last_mut()
            && let Some(place) = values.get_mut(slot.index)
        {
            *place = value;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        // Outer elements first, as the document has them; inner ones ended earlier.
        self.records.sort_by_key(|(id, _)| *id);
        let of = |names: [&str; 2]| names.iter().find_map(|n| self.header.get(*n)).map_or("", String::as_str);
        let schema = match self.schema {
            SchemaVersion::Ifc2x3 => "IFC2X3",
            SchemaVersion::Ifc4x3 => "IFC4X3",
            _ => "IFC4",
        };
        let mut out = String::from("ISO-10303-21;\nHEADER;\n");
        let _ = writeln!(
            out,
            "FILE_NAME('',{},({}),({}),{},{},'');\nFILE_SCHEMA(('{schema}'));\nENDSEC;\nDATA;",
            quoted(of(["time_stamp", "timestamp"])),
            quoted(of(["author", "author"])),
            quoted(of(["organization", "organisation"])),
            quoted(of(["preprocessor_version", "preprocessorversion"])),
            quoted(of(["originating_system", "originatingsystem"])),
        );
        for (_, record) in &self.records {
            out.push_str(record);
        }
        out.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
        out.into_bytes()
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
