use serde::{Deserialize, Serialize};

use super::Locator;

/// What a fact of an energy proof states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Edition of the standard, for example `SIA 380/1:2016`.
    StandardEdition,
    /// Climate station of the calculation.
    ClimateStation,
    /// Energy reference area (EBF, SRE, AE), m2.
    EnergyReferenceArea,
    /// Envelope factor, area of the thermal envelope by energy reference area.
    EnvelopeFactor,
    /// Heating demand QH per energy reference area and year.
    HeatingDemand,
    /// Its limit QH,li.
    HeatingDemandLimit,
    /// Heat generator or another system.
    System,
    /// U-value of an element, W/(m2.K).
    UValue,
    /// Limit of an element's U-value.
    UValueLimit,
}

impl FactKind {
    /// Every kind, in the order in which pages list them.
    pub const ALL: [FactKind; 9] = [
        FactKind::StandardEdition,
        FactKind::ClimateStation,
        FactKind::EnergyReferenceArea,
        FactKind::EnvelopeFactor,
        FactKind::HeatingDemand,
        FactKind::HeatingDemandLimit,
        FactKind::System,
        FactKind::UValue,
        FactKind::UValueLimit,
    ];

    /// The name used in JSON and in the catalog.
    pub fn as_str(self) -> &'static str {
        match self {
            FactKind::StandardEdition => "standard_edition",
            FactKind::ClimateStation => "climate_station",
            FactKind::EnergyReferenceArea => "energy_reference_area",
            FactKind::EnvelopeFactor => "envelope_factor",
            FactKind::HeatingDemand => "heating_demand",
            FactKind::HeatingDemandLimit => "heating_demand_limit",
            FactKind::System => "system",
            FactKind::UValue => "u_value",
            FactKind::UValueLimit => "u_value_limit",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<FactKind> {
        FactKind::ALL.into_iter().find(|k| k.as_str() == name)
    }
}

/// One value that an energy proof or a model states, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it states.
    pub kind: FactKind,
    /// The building or zone it holds for (`Haus A`), empty where the source names none.
    #[serde(default)]
    pub subject: String,
    /// Code of the element (`AW-01`) as written, empty where there is none.
    #[serde(default)]
    pub element: String,
    /// What the source calls it: the row's label, the element's description.
    pub label: String,
    /// A decimal with a point and without grouping (`2268`, `0.15`), or a text for stations, systems, editions.
    pub value: String,
    /// `m2`, `kWh/m2`, `MJ/m2`, `W/(m2.K)`, or empty.
    #[serde(default)]
    pub unit: String,
    /// How many elements of the model have this value; 1 for a proof.
    #[serde(default = "one")]
    pub count: u32,
    /// Where it stands: page and box, sheet and row, or the first element.
    pub place: Locator,
    /// Cell of a sheet (`C7`), empty elsewhere.
    #[serde(default)]
    pub cell: String,
}

fn one() -> u32 {
    1
}

impl Fact {
    /// The element's code without what people write differently: `AW 01`, `aw-01` and `AW01` are one code.
    pub fn element_key(&self) -> String {
        self.element.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
    }
}
