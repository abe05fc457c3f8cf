use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
    pub properties: BTreeMap<String, BTreeMap<String, Property>>,
    /// Quantities by name.
    pub quantities: BTreeMap<String, Quantity>,
    /// Materials, outermost layer first; a layer reads `Name 0.18 m`.
    pub materials: Vec<String>,
    /// References to classification systems.
    pub classifications: Vec<Classification>,
    /// Overall height and width of doors and windows, with the model's length unit.
    #[serde(default)]
    pub dimensions: BTreeMap<String, Quantity>,
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
}
