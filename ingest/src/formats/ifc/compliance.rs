//! The properties that fire, energy and acoustic rules ask about, under the standard's name and under those
//! that programs and offices in Switzerland give them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::sets::SetContents;
use crate::model::Property;
use crate::text::label;

/// A property that rules ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    ThermalTransmittance,
    FireRating,
    LoadBearing,
    IsExternal,
    AcousticRating,
}

/// Names without case, accents and signs; the first of each is the standard's.
const NAMES: [(Fact, &str, &[&str]); 5] = [
    (
        Fact::ThermalTransmittance,
        "ThermalTransmittance",
        &[
            "thermaltransmittance",
            "uwert",
            "uwertbauteil",
            "uvalue",
            "uvaleur",
            "valeuru",
            "valoreu",
            "wärmedurchgangskoeffizient",
            "wärmedurchgangskoeffizientu",
            "wärmedurchgangskoeffizientuwert",
            "heattransfercoefficientu",
            "coefficientdetransmissionthermique",
            "trasmittanza",
            "trasmittanzatermica",
        ],
    ),
    (
        Fact::FireRating,
        "FireRating",
        &[
            "firerating",
            "fireresistance",
            "fireresistancerating",
            "feuerwiderstand",
            "feuerwiderstandsklasse",
            "feuerwiderstandvkf",
            "brandwiderstand",
            "brandwiderstandsklasse",
            "feuerschutzklasse",
            "resistanceaufeu",
            "résistanceaufeu",
            "resistenzaalfuoco",
        ],
    ),
    (
        Fact::LoadBearing,
        "LoadBearing",
        &["loadbearing", "tragend", "isttragend", "lasttragend", "tragwerk", "porteur", "portante"],
    ),
    (
        Fact::IsExternal,
        "IsExternal",
        &[
            "isexternal",
            "aussenbauteil",
            "istaussenbauteil",
            "istaussen",
            "istextern",
            "extérieur",
            "esterno",
        ],
    ),
    (
        Fact::AcousticRating,
        "AcousticRating",
        &[
            "acousticrating",
            "schalldämmung",
            "schalldämmmass",
            "schalldämmassrw",
            "schalldämmmassrw",
            "bewertetesschalldämmmass",
            "bewertetesschalldämmmassrw",
            "schallschutz",
            "schallschutzklasse",
            "isolationacoustique",
            "isolationphonique",
            "isolamentoacustico",
        ],
    ),
];

impl Fact {
    /// What a property of this name states.
    pub(super) fn of_name(name: &str) -> Option<Fact> {
        let plain: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let plain = plain.replace("ae", "ä").replace('ß', "ss");
        NAMES.into_iter().find(|(_, _, known)| known.contains(&plain.as_str())).map(|(fact, _, _)| fact)
    }

    fn name(self) -> &'static str {
        NAMES.into_iter().find(|(fact, _, _)| *fact == self).map_or("", |(_, name, _)| name)
    }
}

/// The facts of an element by the standard's name. The standard's sets count before an office's own, the
/// element's before its type's.
pub(super) fn facts(own: &[Rc<SetContents>], of_type: &[Rc<SetContents>]) -> BTreeMap<String, Property> {
    let mut out = BTreeMap::new();
    for standard in [true, false] {
        for set in own.iter().rev().chain(of_type.iter().rev()) {
            let is_standard = set.name.starts_with("Pset_") && set.name.ends_with("Common");
            for (fact, property) in set.facts.iter().filter(|_| is_standard == standard) {
                if !out.contains_key(fact.name()) {
                    let property = Property { value: label(&property.value), unit: property.unit.clone() };
                    out.insert(fact.name().to_string(), property);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_standard_and_of_offices() {
        for name in [
            "ThermalTransmittance",
            "U-Wert",
            "Wärmedurchgangskoeffizient (U)",
            "Heat Transfer Coefficient (U)",
        ] {
            assert_eq!(Fact::of_name(name), Some(Fact::ThermalTransmittance), "{name}");
        }
        assert_eq!(Fact::of_name("Feuerwiderstandsklasse"), Some(Fact::FireRating));
        assert_eq!(Fact::of_name("Schalldaemm-Mass Rw"), Some(Fact::AcousticRating));
        for name in ["Tragend", "Ist tragend", "LoadBearing"] {
            assert_eq!(Fact::of_name(name), Some(Fact::LoadBearing), "{name}");
        }
        for name in ["U", "Thermal", "Brandschutzkonzept", ""] {
            assert_eq!(Fact::of_name(name), None, "{name}");
        }
    }
}
