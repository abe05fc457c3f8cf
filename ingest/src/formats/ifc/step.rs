//! A STEP model in memory: where each record of interest stands, decoded when it is asked for.
//!
//! ifc-lite finds the records and splits them; a record's values stay slices of the file until they are read.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use ifc_lite_core::parser::{StepRecord, parse_ref};
use ifc_lite_core::{
    EntityDecoder, EntityIndex, EntityScanner, SchemaVersion, StepListItems, parse_step_real,
};

use super::classes::{Class, Classes, Relation, Role};
use super::text::{Charset, tidy};

/// Attributes of a record that are read; the longest class has 36.
const ATTRIBUTES: usize = 40;
/// Record numbers above this are not checked for having been used before.
const TRACKED_ID: u32 = 1 << 28;

/// A value as the file writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value<'a>(pub(super) &'a [u8]);

impl<'a> Value<'a> {
    /// Left out, or derived.
    fn is_null(self) -> bool {
        matches!(self.0, b"" | b"$" | b"*")
    }

    pub(super) fn reference(self) -> Option<u32> {
        parse_ref(self.0)
    }

    /// The members of a list.
    pub(super) fn items(self) -> Option<impl Iterator<Item = Value<'a>>> {
        StepListItems::of_list(self.0).map(|items| items.map(Value))
    }

    /// Type and content of `IFCLABEL('x')`.
    pub(super) fn typed(self) -> Option<(&'a str, Value<'a>)> {
        if !self.0.first()?.is_ascii_alphabetic() {
            return None;
        }
        let open = self.0.iter().position(|b| *b == b'(')?;
        let name = std::str::from_utf8(self.0.get(..open)?).ok()?.trim_end();
        let inner = StepListItems::of_list(self.0.get(open..)?)?.next().unwrap_or_default();
        Some((name, Value(inner)))
    }

    /// The value inside of a type, or itself.
    pub(super) fn bare(self) -> Value<'a> {
        self.typed().map_or(self, |(_, inner)| inner)
    }

    pub(super) fn number(self) -> Option<f64> {
        parse_step_real(self.bare().0)
    }

    /// An enumeration's or truth value's name.
    pub(super) fn name(self) -> Option<&'a str> {
        std::str::from_utf8(self.bare().0.strip_prefix(b".")?.strip_suffix(b".")?).ok()
    }

    /// The bytes between the quotes of a string.
    pub(super) fn literal(self) -> Option<&'a [u8]> {
        self.bare().0.strip_prefix(b"'")?.strip_suffix(b"'")
    }
}

/// A record with its attributes by name.
pub(super) struct Record<'a> {
    class: Class,
    charset: Charset,
    values: [&'a [u8]; ATTRIBUTES],
}

impl<'a> Record<'a> {
    /// Class as the standard writes it.
    pub(super) fn class(&self) -> &str {
        &self.class.name
    }

    /// The class's name, shared.
    pub(super) fn shared_class(&self) -> Rc<str> {
        Rc::clone(&self.class.name)
    }

    /// Names of the attributes, in the order of the record.
    pub(super) fn attributes(&self) -> &'static [&'static str] {
        self.class.attributes
    }

    pub(super) fn get(&self, name: &str) -> Option<Value<'a>> {
        let at = self.class.attributes.iter().position(|n| *n == name)?;
        self.values.get(at).map(|v| Value(v)).filter(|v| !v.is_null())
    }

    /// Text of an attribute, white space made plain; empty where it has none.
    pub(super) fn text(&self, name: &str) -> String {
        let literal = self.get(name).and_then(Value::literal);
        literal.map(|l| tidy(self.charset.literal(l))).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number().filter(|v| v.is_finite())
    }

    pub(super) fn reference(&self, name: &str) -> Option<u32> {
        self.get(name)?.reference()
    }

    /// References of a list, or the one reference.
    pub(super) fn references(&self, name: &str) -> Vec<u32> {
        let Some(value) = self.get(name).map(Value::bare) else { return Vec::new() };
        match value.items() {
            Some(items) => items.filter_map(Value::reference).collect(),
            None => value.reference().into_iter().collect(),
        }
    }
}

/// Place of a record.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    length: u32,
    class: u16,
}

/// Record numbers to places: a table where the numbers are dense, as programs write them.
enum Index {
    Dense(Vec<u32>),
    Sparse(HashMap<u32, u32>),
}

impl Index {
    /// Of records with one number the last counts.
    fn new(ids: &[u32]) -> Self {
        let most = ids.iter().copied().max().unwrap_or(0) as usize;
        if most <= ids.len().saturating_mul(64).saturating_add(1 << 20) {
            let mut table = vec![u32::MAX; most + 1];
            for (at, id) in (0_u32..).zip(ids) {
                if let Some(slot) = table.get_mut(*id as usize) {
                    *slot = at;
                }
            }
            return Index::Dense(table);
        }
        Index::Sparse(ids.iter().copied().zip(0..).collect())
    }

    fn get(&self, id: u32) -> Option<usize> {
        match self {
            Index::Dense(table) => {
                table.get(id as usize).filter(|at| **at != u32::MAX).map(|at| *at as usize)
            }
            Index::Sparse(map) => map.get(&id).map(|at| *at as usize),
        }
    }
}

/// The scanned file.
pub(super) struct StepModel<'a> {
    content: &'a [u8],
    charset: Charset,
    classes: Classes<'a>,
    index: Index,
    entries: Vec<Entry>,
    /// Records that could not be read: byte offsets.
    broken: RefCell<BTreeSet<usize>>,
    /// Records whose number another one has.
    pub(super) duplicates: usize,
    /// Records of all sorts.
    pub(super) records: usize,
    /// Records by role, in the order of the file.
    pub(super) projects: Vec<u32>,
    pub(super) spatial: Vec<u32>,
    pub(super) elements: Vec<u32>,
    pub(super) relations: Vec<(Relation, u32)>,
    pub(super) georeference: Vec<u32>,
    units: Vec<u32>,
}

impl<'a> StepModel<'a> {
    /// Scans the file once.
    pub(super) fn scan(content: &'a [u8], schema: SchemaVersion, charset: Charset) -> Self {
        let mut classes = Classes::new(schema);
        let (mut ids, mut entries) = (Vec::new(), Vec::new());
        let mut seen = Seen::default();
        let mut scanner = EntityScanner::new(content);
        let mut records = 0;
        while let Some((id, keyword, start, end)) = scanner.next_entity() {
            records += 1;
            seen.note(id);
            let Some(class) = classes.of_keyword(keyword) else { continue };
            let passed = classes.get(class).is_none_or(|c| c.role == Role::Passed);
            if !passed && let Ok(length) = u32::try_from(end - start) {
                ids.push(id);
                entries.push(Entry { start, length, class });
            }
        }
        let mut broken: BTreeSet<usize> = scanner.malformed_record_starts().iter().copied().collect();
        broken.extend(scanner.skipped_oversized_id_starts());
        let mut model = StepModel {
            content,
            charset,
            classes,
            index: Index::new(&ids),
            entries,
            broken: RefCell::new(broken),
            duplicates: seen.again,
            records,
            projects: Vec::new(),
            spatial: Vec::new(),
            elements: Vec::new(),
            relations: Vec::new(),
            georeference: Vec::new(),
            units: Vec::new(),
        };
        model.sort_out(&ids);
        model
    }

    /// Lists the records by what they are; one whose number is used again later does not count.
    fn sort_out(&mut self, ids: &[u32]) {
        for (at, id) in ids.iter().enumerate().filter(|(at, id)| self.index.get(**id) == Some(*at)) {
            let Some(role) = self.entries.get(at).and_then(|e| self.classes.get(e.class)).map(|c| c.role)
            else {
                continue;
            };
            match role {
                Role::Project => self.projects.push(*id),
                Role::Spatial => self.spatial.push(*id),
                Role::Element => self.elements.push(*id),
                Role::Relation(relation) => self.relations.push((relation, *id)),
                Role::Unit => self.units.push(*id),
                Role::Georeference => self.georeference.push(*id),
                Role::Kept | Role::Passed => {}
            }
        }
    }

    /// A record; one that cannot be split is noted as broken.
    pub(super) fn record(&self, id: u32) -> Option<Record<'a>> {
        let entry = self.entries.get(self.index.get(id)?)?;
        let class = self.classes.get(entry.class)?.clone();
        let bytes = self.content.get(entry.start..entry.start + entry.length as usize)?;
        let mut values: [&[u8]; ATTRIBUTES] = [b""; ATTRIBUTES];
        let mut items = StepRecord::parse(bytes)?.attrs();
        for (slot, item) in values.iter_mut().zip(items.by_ref()) {
            *slot = item;
        }
        let whole = items.closed() || items.next().is_some();
        // The scanner takes an unescaped quote for a value's end; a value with one is no value.
        if !whole || !values.iter().all(|v| is_value(v)) {
            self.broken.borrow_mut().insert(entry.start);
            return None;
        }
        Some(Record { class, charset: self.charset, values })
    }

    /// Text of a string value.
    pub(super) fn decoded(&self, literal: &'a [u8]) -> Cow<'a, str> {
        self.charset.literal(literal)
    }

    /// A decoder that knows the project and its units, for what the library resolves itself.
    pub(super) fn unit_decoder(&self) -> EntityDecoder<'a> {
        let mut index = EntityIndex::default();
        for id in self.projects.iter().chain(&self.units) {
            if let Some(entry) = self.index.get(*id).and_then(|at| self.entries.get(at)) {
                index.insert(*id, (entry.start, entry.start + entry.length as usize));
            }
        }
        EntityDecoder::with_index(self.content, index)
    }

    /// Lines of the broken records, in order, each once; from 1.
    pub(super) fn broken_lines(&self) -> Vec<usize> {
        let (mut at, mut line) = (0, 1);
        let mut lines = Vec::new();
        for offset in self.broken.borrow().iter().copied() {
            line += self.content.get(at..offset).unwrap_or_default().iter().filter(|b| **b == b'\n').count();
            at = offset;
            lines.push(line);
        }
        lines
    }

    /// Classes that no schema has, with their number.
    pub(super) fn unknown(&self) -> impl Iterator<Item = (&str, usize)> {
        self.classes.unknown.iter().map(|(name, count)| (name.as_str(), *count))
    }
}

/// Strings end at their quote, lists at their bracket.
fn is_value(value: &[u8]) -> bool {
    match value.first() {
        Some(b'\'') => value.len() > 1 && value.ends_with(b"'"),
        Some(b'(') => value.ends_with(b")"),
        _ => true,
    }
}

/// Record numbers met so far, a bit each.
#[derive(Default)]
struct Seen {
    bits: Vec<u64>,
    again: usize,
}

impl Seen {
    fn note(&mut self, id: u32) {
        if id >= TRACKED_ID {
            return;
        }
        let (word, bit) = (id as usize / 64, 1_u64 << (id % 64));
        if word >= self.bits.len() {
            self.bits.resize((word + 1).max(self.bits.len() * 2).min(TRACKED_ID as usize / 64), 0);
        }
        if let Some(bits) = self.bits.get_mut(word) {
            self.again += usize::from(*bits & bit != 0);
            *bits |= bit;
        }
    }
}
