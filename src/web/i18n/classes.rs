//! What the commonest classes of building elements are called.

use ingest::Language;

/// Class, then its name in German, French, Italian and English.
const NAMES: &[(&str, [&str; 4])] = &[
    ("IfcBeam", ["Träger", "Poutre", "Trave", "Beam"]),
    ("IfcBuilding", ["Gebäude", "Bâtiment", "Edificio", "Building"]),
    ("IfcBuildingElementProxy", ["Bauteil", "Élément", "Elemento", "Element"]),
    ("IfcBuildingStorey", ["Geschoss", "Étage", "Piano", "Storey"]),
    ("IfcColumn", ["Stütze", "Poteau", "Pilastro", "Column"]),
    ("IfcCovering", ["Bekleidung", "Revêtement", "Rivestimento", "Covering"]),
    ("IfcCurtainWall", ["Vorhangfassade", "Mur-rideau", "Facciata continua", "Curtain wall"]),
    ("IfcDoor", ["Tür", "Porte", "Porta", "Door"]),
    ("IfcFlowTerminal", ["Auslass", "Terminal", "Terminale", "Terminal"]),
    ("IfcFooting", ["Fundament", "Fondation", "Fondazione", "Footing"]),
    ("IfcFurnishingElement", ["Möbel", "Meuble", "Arredo", "Furniture"]),
    ("IfcFurniture", ["Möbel", "Meuble", "Arredo", "Furniture"]),
    ("IfcMember", ["Stab", "Barre", "Asta", "Member"]),
    ("IfcOpeningElement", ["Öffnung", "Ouverture", "Apertura", "Opening"]),
    ("IfcPlate", ["Platte", "Plaque", "Lastra", "Plate"]),
    ("IfcProject", ["Projekt", "Projet", "Progetto", "Project"]),
    ("IfcRailing", ["Geländer", "Garde-corps", "Parapetto", "Railing"]),
    ("IfcRamp", ["Rampe", "Rampe", "Rampa", "Ramp"]),
    ("IfcRoof", ["Dach", "Toiture", "Tetto", "Roof"]),
    (
        "IfcSanitaryTerminal",
        ["Sanitärapparat", "Appareil sanitaire", "Apparecchio sanitario", "Sanitary terminal"],
    ),
    ("IfcSite", ["Grundstück", "Terrain", "Terreno", "Site"]),
    ("IfcSlab", ["Decke", "Dalle", "Soletta", "Slab"]),
    ("IfcSpace", ["Raum", "Local", "Locale", "Space"]),
    ("IfcStair", ["Treppe", "Escalier", "Scala", "Stair"]),
    ("IfcStairFlight", ["Treppenlauf", "Volée d’escalier", "Rampa di scala", "Stair flight"]),
    ("IfcWall", ["Wand", "Mur", "Parete", "Wall"]),
    ("IfcWindow", ["Fenster", "Fenêtre", "Finestra", "Window"]),
    ("IfcZone", ["Zone", "Zone", "Zona", "Zone"]),
];

/// The class in the reader's words; the class itself where it has no everyday name.
pub(crate) fn class_name(class: &str, language: Language) -> &str {
    let base =
        class.strip_suffix("StandardCase").or_else(|| class.strip_suffix("ElementedCase")).unwrap_or(class);
    let column = Language::ALL.iter().position(|l| *l == language).unwrap_or(0);
    NAMES
        .binary_search_by_key(&base, |(name, _)| name)
        .ok()
        .and_then(|row| NAMES.get(row)?.1.get(column).copied())
        .unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_everyday_names() {
        assert_eq!(class_name("IfcDoor", Language::De), "Tür");
        assert_eq!(class_name("IfcWallStandardCase", Language::Fr), "Mur");
        assert_eq!(class_name("IfcSlab", Language::It), "Soletta");
        assert_eq!(class_name("IfcReinforcingBar", Language::En), "IfcReinforcingBar");
        assert!(NAMES.is_sorted_by_key(|(name, _)| name), "the table is searched by halves");
    }
}
