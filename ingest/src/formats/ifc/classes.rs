//! What each class of a schema is to the reader.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use ifc_lite_core::{IfcType, SchemaVersion};

/// What a record of a class is to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Project,
    /// Site, building, storey, facility.
    Spatial,
    /// Element, opening, space or zone.
    Element,
    Relation(Relation),
    /// Unit assignments and what they are made of.
    Unit,
    /// Coordinate system and the conversion to it.
    Georeference,
    /// Read when something refers to it.
    Kept,
    /// Shapes, styles and placements: the greater part of a file, never read.
    Passed,
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
    Group,
    /// An opening and what it is cut out of, or another feature and its host.
    Feature,
    /// A door or window and the opening it fills.
    Fills,
}

/// A class with its attributes.
#[derive(Debug, Clone)]
pub(super) struct Class {
    /// Name as the standard writes it.
    pub(super) name: Rc<str>,
    /// Attributes in the order of the record.
    pub(super) attributes: &'static [&'static str],
    pub(super) role: Role,
}

/// The classes that a file uses, each looked up once.
pub(super) struct Classes<'a> {
    schema: SchemaVersion,
    known: Vec<Class>,
    by_keyword: HashMap<&'a str, Option<u16>>,
    /// The keyword looked up last: records of one class often follow each other.
    last: Option<(&'a str, Option<u16>)>,
    /// Classes that no schema has, with the number of their records.
    pub(super) unknown: BTreeMap<String, usize>,
}

/// Where a class is looked up that the file's own schema does not have.
const OTHER_SCHEMAS: [SchemaVersion; 5] = [
    SchemaVersion::Ifc4x3,
    SchemaVersion::Ifc4,
    SchemaVersion::Ifc2x3,
    SchemaVersion::Ifc4x2,
    SchemaVersion::Ifc4x1,
];

impl<'a> Classes<'a> {
    pub(super) fn new(schema: SchemaVersion) -> Self {
        Classes {
            schema,
            known: Vec::new(),
            by_keyword: HashMap::new(),
            last: None,
            unknown: BTreeMap::new(),
        }
    }

    /// The class of a keyword; `None` for one that no schema has.
    pub(super) fn of_keyword(&mut self, keyword: &'a str) -> Option<u16> {
        if let Some((last, class)) = self.last
            && last == keyword
            && class.is_some()
        {
            return class;
        }
        let class = match self.by_keyword.get(keyword) {
            Some(known) => *known,
            None => {
                let found = self.look_up(keyword);
                self.by_keyword.insert(keyword, found);
                found
            }
        };
        self.last = Some((keyword, class));
        if class.is_none() && self.unknown.len() < 1_000 {
            *self.unknown.entry(keyword.chars().take(80).collect()).or_default() += 1;
        }
        class
    }

    /// The class of a number that [`Classes::of_keyword`] gave.
    pub(super) fn get(&self, number: u16) -> Option<&Class> {
        self.known.get(usize::from(number))
    }

    fn look_up(&mut self, keyword: &str) -> Option<u16> {
        let class = std::iter::once(self.schema).chain(OTHER_SCHEMAS).find_map(|s| class(s, keyword))?;
        let number = u16::try_from(self.known.len()).ok()?;
        self.known.push(class);
        Some(number)
    }
}

/// A class as a schema declares it; the keyword in any case.
pub(super) fn class(schema: SchemaVersion, keyword: &str) -> Option<Class> {
    let upper = keyword.to_ascii_uppercase();
    let attributes = schema.attribute_names(&upper)?;
    Some(Class { name: IfcType::from_str(&upper).name().into(), attributes, role: role(schema, &upper) })
}

fn role(schema: SchemaVersion, upper: &str) -> Role {
    let is = |ancestor: &str| schema.is_subtype_of(upper, ancestor);
    let is_any = |ancestors: &[&str]| ancestors.iter().any(|a| is(a));
    if is("IFCPROJECT") {
        Role::Project
    } else if is("IFCRELATIONSHIP") {
        relation(schema, upper).map_or(Role::Passed, Role::Relation)
    } else if is_any(&["IFCSPACE", "IFCSPATIALZONE", "IFCELEMENT", "IFCPROXY", "IFCALIGNMENT", "IFCREFERENT"])
    {
        // A virtual element is a border between spaces, nothing that is built.
        if is("IFCVIRTUALELEMENT") { Role::Kept } else { Role::Element }
    } else if is_any(&["IFCSPATIALSTRUCTUREELEMENT", "IFCSPATIALELEMENT"]) {
        Role::Spatial
    } else if is_any(&["IFCNAMEDUNIT", "IFCDERIVEDUNIT", "IFCMONETARYUNIT", "IFCDERIVEDUNITELEMENT"])
        || is_any(&["IFCUNITASSIGNMENT", "IFCMEASUREWITHUNIT", "IFCDIMENSIONALEXPONENTS"])
    {
        Role::Unit
    } else if is_any(&["IFCCOORDINATEOPERATION", "IFCCOORDINATEREFERENCESYSTEM"]) {
        Role::Georeference
    } else if is_any(&SHAPES) {
        Role::Passed
    } else {
        Role::Kept
    }
}

/// Ancestors of all that describes shape, position and look.
const SHAPES: [&str; 11] = [
    "IFCREPRESENTATIONITEM",
    "IFCREPRESENTATION",
    "IFCPRODUCTREPRESENTATION",
    "IFCREPRESENTATIONMAP",
    "IFCOBJECTPLACEMENT",
    "IFCPRESENTATIONITEM",
    "IFCPRESENTATIONSTYLE",
    "IFCPRESENTATIONSTYLEASSIGNMENT",
    "IFCPRESENTATIONLAYERASSIGNMENT",
    "IFCSHAPEASPECT",
    "IFCCONNECTIONGEOMETRY",
];

fn relation(schema: SchemaVersion, upper: &str) -> Option<Relation> {
    const FOLLOWED: [(&str, Relation); 12] = [
        ("IFCRELAGGREGATES", Relation::Aggregates),
        ("IFCRELNESTS", Relation::Aggregates),
        ("IFCRELCONTAINEDINSPATIALSTRUCTURE", Relation::Contained),
        ("IFCRELDEFINESBYPROPERTIES", Relation::Properties),
        ("IFCRELDEFINESBYTYPE", Relation::Type),
        ("IFCRELASSOCIATESMATERIAL", Relation::Material),
        ("IFCRELASSOCIATESCLASSIFICATION", Relation::Classification),
        ("IFCRELASSIGNSTOGROUP", Relation::Group),
        ("IFCRELVOIDSELEMENT", Relation::Feature),
        ("IFCRELPROJECTSELEMENT", Relation::Feature),
        ("IFCRELADHERESTOELEMENT", Relation::Feature),
        ("IFCRELFILLSELEMENT", Relation::Fills),
    ];
    FOLLOWED.into_iter().find(|(ancestor, _)| schema.is_subtype_of(upper, ancestor)).map(|(_, r)| r)
}
