//! A STEP model in memory: where each record stands, which are of interest, decoding on demand.

use std::collections::HashMap;

use ifc_lite_core::{
    AttributeValue, DecodedEntity, EntityDecoder, EntityIndex, EntityScanner, SchemaVersion,
};

/// What a class is to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Project,
    /// Site, building, storey, facility.
    Spatial,
    /// Element or space.
    Element,
    Relation(Relation),
    Other,
}

/// The relations that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Aggregates,
    Contained,
    Properties,
    Type,
    Material,
    Classification,
}

/// A decoded record with its attributes by name.
pub(super) struct Record {
    entity: DecodedEntity,
    names: &'static [&'static str],
}

impl Record {
    /// Class as the standard writes it.
    pub(super) fn class(&self) -> &str {
        self.entity.ifc_type.name()
    }

    pub(super) fn get(&self, name: &str) -> Option<&AttributeValue> {
        let at = self.names.iter().position(|n| *n == name)?;
        self.entity.get(at).filter(|v| !v.is_null())
    }

    /// Text of an attribute, white space made plain; empty where it has none.
    pub(super) fn text(&self, name: &str) -> String {
        self.get(name).and_then(AttributeValue::as_string).map(tidy).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_float().filter(|v| v.is_finite())
    }

    pub(super) fn reference(&self, name: &str) -> Option<u32> {
        self.get(name)?.as_entity_ref()
    }

    /// References of a list, or the one reference.
    pub(super) fn references(&self, name: &str) -> Vec<u32> {
        let members = self.get(name).and_then(AttributeValue::as_ref_members).unwrap_or_default();
        members.iter().filter_map(AttributeValue::as_entity_ref).collect()
    }
}

/// Runs of white space, line breaks among them, become one space.
pub(super) fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The scanned file.
pub(super) struct StepModel<'a> {
    schema: SchemaVersion,
    content: &'a [u8],
    index: EntityIndex,
    decoder: EntityDecoder<'a>,
    roles: HashMap<String, (Role, bool)>,
    /// Records that could not be read: byte offsets.
    pub(super) broken: Vec<usize>,
    /// Names of classes that the schema does not know, with their number.
    pub(super) unknown: std::collections::BTreeMap<String, usize>,
    pub(super) duplicates: usize,
    /// Records by role, in the order of the file.
    pub(super) projects: Vec<u32>,
    pub(super) spatial: Vec<u32>,
    pub(super) elements: Vec<u32>,
    pub(super) relations: Vec<(Relation, u32)>,
}

impl<'a> StepModel<'a> {
    /// Scans the file once.
    pub(super) fn scan(content: &'a [u8], schema: SchemaVersion) -> Self {
        let mut model = StepModel {
            schema,
            content,
            index: EntityIndex::default(),
            decoder: EntityDecoder::new(content),
            roles: HashMap::new(),
            broken: Vec::new(),
            unknown: std::collections::BTreeMap::new(),
            duplicates: 0,
            projects: Vec::new(),
            spatial: Vec::new(),
            elements: Vec::new(),
            relations: Vec::new(),
        };
        let mut scanner = EntityScanner::new(content);
        while let Some((id, keyword, start, end)) = scanner.next_entity() {
            if model.index.insert(id, (start, end)).is_some() {
                model.duplicates += 1;
                continue;
            }
            match model.role(keyword) {
                Role::Project => model.projects.push(id),
                Role::Spatial => model.spatial.push(id),
                Role::Element => model.elements.push(id),
                Role::Relation(relation) => model.relations.push((relation, id)),
                Role::Other => {}
            }
        }
        model.broken.extend(scanner.malformed_record_starts());
        model.broken.extend(scanner.skipped_oversized_id_starts());
        model.decoder = EntityDecoder::with_index(content, model.index.clone());
        model
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The decoder, for what the library resolves itself.
    pub(super) fn decoder(&mut self) -> &mut EntityDecoder<'a> {
        &mut self.decoder
    }

    fn role(&mut self, keyword: &str) -> Role {
        let (role, known) = match self.roles.get(keyword) {
            Some(found) => *found,
            None => {
                let upper = keyword.to_ascii_uppercase();
                let found = (classify(self.schema, &upper), self.schema.entity_info(&upper).is_some());
                self.roles.insert(keyword.to_string(), found);
                found
            }
        };
        if !known {
            *self.unknown.entry(keyword.to_string()).or_default() += 1;
        }
        role
    }

    /// Decodes a record; one that cannot be decoded is noted as broken.
    pub(super) fn record(&mut self, id: u32) -> Option<Record> {
        let &(start, end) = self.index.get(&id)?;
        match self.decoder.decode_at_uncached(start, end) {
            Ok(entity) => {
                let upper = entity.ifc_type.as_str().to_ascii_uppercase();
                Some(Record { names: self.schema.attribute_names(&upper)?, entity })
            }
            Err(_) => {
                self.broken.push(start);
                None
            }
        }
    }

    /// Line of a byte offset, from 1.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.content.get(..offset).unwrap_or(self.content).iter().filter(|b| **b == b'\n').count() + 1
    }
}

fn classify(schema: SchemaVersion, upper: &str) -> Role {
    match upper {
        "IFCPROJECT" => return Role::Project,
        "IFCRELAGGREGATES" | "IFCRELNESTS" => return Role::Relation(Relation::Aggregates),
        "IFCRELCONTAINEDINSPATIALSTRUCTURE" => return Role::Relation(Relation::Contained),
        "IFCRELDEFINESBYPROPERTIES" => return Role::Relation(Relation::Properties),
        "IFCRELDEFINESBYTYPE" => return Role::Relation(Relation::Type),
        "IFCRELASSOCIATESMATERIAL" => return Role::Relation(Relation::Material),
        "IFCRELASSOCIATESCLASSIFICATION" => return Role::Relation(Relation::Classification),
        _ => {}
    }
    let is = |ancestor: &str| schema.is_subtype_of(upper, ancestor);
    // Connection points and void bodies are parts of how others are described.
    let not_searched = is("IFCPORT") || is("IFCFEATUREELEMENT") || is("IFCVIRTUALELEMENT");
    if is("IFCSPACE") || is("IFCSPATIALZONE") || (is("IFCELEMENT") && !not_searched) {
        Role::Element
    } else if is("IFCSPATIALSTRUCTUREELEMENT") || is("IFCSPATIALELEMENT") {
        Role::Spatial
    } else {
        Role::Other
    }
}
