use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Named;

/// A building element, space or other product of an IFC model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// 22-character GlobalId.
    pub global_id: String,
    /// Entity name as in the standard, for example `IfcWallStandardCase`.
    pub class: String,
    /// Name, may be empty.
    pub name: String,
    /// Long name (spaces) or description, may be empty.
    #[serde(default)]
    pub description: String,
    /// Tag of the authoring program, may be empty.
    #[serde(default)]
    pub tag: String,
    /// Name of the element's type object, or its object type; may be empty.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Name of the storey that holds it, may be empty.
    pub storey: String,
    /// GlobalIds from the project down to the direct parent.
    pub parents: Vec<String>,
    /// Property sets by name, properties by name; those of the type are included, own ones win.
    pub properties: Named<Named<Property>>,
    /// Quantities by name. Where a second set has a quantity of one name, that one is `Set.Name`.
    pub quantities: Named<Quantity>,
    /// Materials, outermost layer first; a layer reads `Name 0.18 m`, a part `Part: Name`.
    pub materials: Vec<String>,
    /// References to classification systems.
    pub classifications: Vec<Classification>,
    /// Overall height and width of doors and windows, with the model's length unit.
    #[serde(default)]
    pub dimensions: Named<Quantity>,
    /// Predefined type of the standard (`PARTITIONING`), or the user's own; may be empty.
    #[serde(default)]
    pub predefined_type: String,
    /// Description of an element whose long name stands in `description`; may be empty.
    #[serde(default)]
    pub note: String,
    /// What rules ask about, by the standard's name whatever the model calls it: `ThermalTransmittance`,
    /// `FireRating`, `LoadBearing`, `IsExternal`, `AcousticRating`. Only what the model states.
    #[serde(default)]
    pub compliance: BTreeMap<String, Property>,
    /// Name of the layer, profile or constituent set and its whole thickness (`AW-01 0.38 m`); may be empty.
    #[serde(default)]
    pub build_up: String,
    /// Systems, zones and other groups that it is in.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// GlobalId of the element that it is set into or cut out of: the wall of a door or an opening.
    #[serde(default)]
    pub host: String,
    /// GlobalIds of the openings in it and of what fills them.
    #[serde(default)]
    pub hosted: Vec<String>,
    /// Who made it with what, and when it last changed.
    #[serde(default)]
    pub history: History,
}

impl Element {
    /// True for an opening or another body that only changes its host's shape.
    pub fn is_feature(&self) -> bool {
        let class = self.class.as_str();
        class.starts_with("IfcOpening")
            || class.ends_with("Feature")
            || matches!(
                class,
                "IfcProjectionElement" | "IfcFeatureElementAddition" | "IfcFeatureElementSubtraction"
            )
    }
}

/// A system, zone or other group of elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// `IfcZone`, `IfcSystem`, `IfcDistributionSystem`, `IfcGroup`, …
    pub class: String,
    /// Name, long name where it has one; may be empty.
    pub name: String,
    /// 22-character GlobalId.
    pub global_id: String,
}

/// Owner history of an element; every field may be empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Person and organisation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// Program and version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub application: String,
    /// Time of creation, ISO 8601 in UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub created: String,
    /// Time of the last change, ISO 8601 in UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub modified: String,
}

/// A value with its unit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Property {
    /// The value as text: numbers without trailing zeros, `true`/`false` for booleans.
    pub value: String,
    /// Unit symbol (`m`, `m2`, `W/(m2.K)`), empty where there is none.
    #[serde(default)]
    pub unit: String,
}

/// A measured quantity.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// The number in `unit`.
    pub value: f64,
    /// Unit symbol: `m`, `m2`, `m3`, `kg`, `s`, or empty for a count.
    pub unit: String,
}

/// A reference to a classification system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Classification {
    /// System, for example `eBKP-H`.
    pub system: String,
    /// Code, for example `E2.1`.
    pub code: String,
    /// Title of the code, may be empty.
    pub name: String,
}

/// A node of the spatial structure above the elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SpatialNode {
    /// 22-character GlobalId.
    pub global_id: String,
    /// `IfcProject`, `IfcSite`, `IfcBuilding`, `IfcBuildingStorey`.
    pub class: String,
    /// Name, may be empty.
    pub name: String,
    /// Long name or description, may be empty.
    #[serde(default)]
    pub description: String,
    /// GlobalId of the parent, empty for the project.
    pub parent: String,
    /// Elevation in metres, for storeys.
    #[serde(default)]
    pub elevation_m: Option<f64>,
    /// Property sets by name, properties by name.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub properties: Named<Named<Property>>,
    /// Quantities by name.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub quantities: Named<Quantity>,
}
