//! German field labels beside the names of the standard, so that both find a passage.

/// Singular and plural of a class.
pub(super) struct Noun {
    pub(super) one: &'static str,
    pub(super) many: &'static str,
    /// The word for a type of it.
    pub(super) kind: &'static str,
}

const fn noun(one: &'static str, many: &'static str, kind: &'static str) -> Noun {
    Noun { one, many, kind }
}

/// The words for a class, where there are any.
pub(super) fn class(class: &str) -> Option<Noun> {
    let short = class.strip_prefix("Ifc").unwrap_or(class);
    let short = short.strip_suffix("StandardCase").unwrap_or(short);
    let short = short.strip_suffix("ElementedCase").unwrap_or(short);
    Some(match short {
        "Wall" => noun("Wand", "Wände", "Wandtyp"),
        "CurtainWall" => noun("Vorhangfassade", "Vorhangfassaden", "Fassadentyp"),
        "Door" => noun("Tür", "Türen", "Türtyp"),
        "Window" => noun("Fenster", "Fenster", "Fenstertyp"),
        "Slab" => noun("Decke/Boden", "Decken/Böden", "Deckentyp"),
        "Roof" => noun("Dach", "Dächer", "Dachtyp"),
        "Column" => noun("Stütze", "Stützen", "Stützentyp"),
        "Beam" => noun("Träger", "Träger", "Trägertyp"),
        "Member" => noun("Stab", "Stäbe", "Stabtyp"),
        "Plate" => noun("Platte", "Platten", "Plattentyp"),
        "Stair" => noun("Treppe", "Treppen", "Treppentyp"),
        "StairFlight" => noun("Treppenlauf", "Treppenläufe", "Treppenlauftyp"),
        "Ramp" => noun("Rampe", "Rampen", "Rampentyp"),
        "RampFlight" => noun("Rampenlauf", "Rampenläufe", "Rampenlauftyp"),
        "Railing" => noun("Geländer", "Geländer", "Geländertyp"),
        "Covering" => noun("Bekleidung/Belag", "Bekleidungen/Beläge", "Belagstyp"),
        "Footing" => noun("Fundament", "Fundamente", "Fundamenttyp"),
        "Pile" => noun("Pfahl", "Pfähle", "Pfahltyp"),
        "Space" => noun("Raum", "Räume", "Raumtyp"),
        "SpatialZone" => noun("Zone", "Zonen", "Zonentyp"),
        "BuildingElementProxy" => noun("Bauteil", "Bauteile", "Bauteiltyp"),
        "Furniture" | "FurnishingElement" | "SystemFurnitureElement" => noun("Möbel", "Möbel", "Möbeltyp"),
        "ShadingDevice" => noun("Sonnenschutz", "Sonnenschutzelemente", "Sonnenschutztyp"),
        "TransportElement" => noun("Förderanlage", "Förderanlagen", "Anlagentyp"),
        "ReinforcingBar" => noun("Bewehrungsstab", "Bewehrungsstäbe", "Bewehrungstyp"),
        "SanitaryTerminal" => noun("Sanitärapparat", "Sanitärapparate", "Apparatetyp"),
        "LightFixture" => noun("Leuchte", "Leuchten", "Leuchtentyp"),
        "AirTerminal" => noun("Luftdurchlass", "Luftdurchlässe", "Durchlasstyp"),
        "SpaceHeater" => noun("Heizkörper", "Heizkörper", "Heizkörpertyp"),
        "DuctSegment" => noun("Lüftungskanal", "Lüftungskanäle", "Kanaltyp"),
        "PipeSegment" => noun("Rohr", "Rohre", "Rohrtyp"),
        "UnitaryEquipment" => noun("Lüftungsgerät", "Lüftungsgeräte", "Gerätetyp"),
        "FlowTerminal" => noun("Endgerät", "Endgeräte", "Gerätetyp"),
        "FlowSegment" => noun("Leitung", "Leitungen", "Leitungstyp"),
        "SolarDevice" => noun("Solarmodul", "Solarmodule", "Modultyp"),
        _ => return None,
    })
}

/// The word for a group of a class.
pub(super) fn group(class: &str) -> &'static str {
    match class {
        "IfcZone" => "Zone",
        "IfcSystem" | "IfcDistributionSystem" | "IfcBuildingSystem" | "IfcBuiltSystem" => "System",
        "IfcDistributionCircuit" | "IfcElectricalCircuit" => "Stromkreis",
        _ => "Gruppe",
    }
}

/// The German label of a property, quantity or attribute.
pub(super) fn property(name: &str) -> Option<&'static str> {
    Some(match name {
        "ThermalTransmittance" => "U-Wert",
        "FireRating" => "Feuerwiderstand",
        "LoadBearing" => "Tragend",
        "IsExternal" => "Aussenbauteil",
        "AcousticRating" => "Schalldämmung",
        "Combustible" => "Brennbar",
        "SurfaceSpreadOfFlame" => "Brandverhalten",
        "Compartmentation" => "Brandabschnitt",
        "SmokeStop" => "Rauchdicht",
        "SelfClosing" => "Selbstschliessend",
        "FireExit" => "Fluchtweg",
        "HandicapAccessible" => "Hindernisfrei",
        "SecurityRating" => "Einbruchschutz",
        "Infiltration" => "Luftdurchlässigkeit",
        "GlazingAreaFraction" => "Glasanteil",
        "HasDrive" => "Antrieb",
        "Status" => "Zustand",
        "Reference" => "Referenz",
        "Category" => "Kategorie",
        "OccupancyType" => "Nutzung",
        "OccupancyNumber" => "Personenbelegung",
        "PubliclyAccessible" => "Öffentlich zugänglich",
        "FloorCovering" => "Bodenbelag",
        "WallCovering" => "Wandbelag",
        "CeilingCovering" => "Deckenbekleidung",
        "SkirtingBoard" => "Sockelleiste",
        "SpaceTemperature" | "SpaceTemperatureMin" => "Raumtemperatur",
        "PitchAngle" => "Neigung",
        "Span" => "Spannweite",
        "NetFloorArea" => "Nettobodenfläche",
        "GrossFloorArea" => "Bruttobodenfläche",
        "NetPlannedArea" => "Geplante Nettofläche",
        "GrossPlannedArea" => "Geplante Bruttofläche",
        "NetSideArea" | "NetArea" => "Nettofläche",
        "GrossSideArea" | "GrossArea" => "Bruttofläche",
        "Area" => "Fläche",
        "NetWallArea" => "Nettowandfläche",
        "GrossWallArea" => "Bruttowandfläche",
        "NetCeilingArea" => "Nettodeckenfläche",
        "GrossCeilingArea" => "Bruttodeckenfläche",
        "NetVolume" => "Nettovolumen",
        "GrossVolume" => "Bruttovolumen",
        "NetWeight" => "Nettogewicht",
        "GrossWeight" => "Bruttogewicht",
        "Perimeter" | "NetPerimeter" | "GrossPerimeter" => "Umfang",
        "Height" | "OverallHeight" | "NetHeight" => "Höhe",
        "FinishCeilingHeight" => "Lichte Höhe",
        "Width" => "Breite/Dicke",
        "OverallWidth" => "Breite",
        "Depth" => "Tiefe",
        "Length" => "Länge",
        _ => return None,
    })
}

/// `U-Wert (ThermalTransmittance)`, or the name alone.
pub(super) fn labelled(name: &str) -> String {
    match property(name) {
        Some(label) => format!("{label} ({name})"),
        None => name.to_string(),
    }
}

/// A unit as people write it.
pub(super) fn unit(symbol: &str) -> String {
    match symbol {
        "W/(m2.K)" | "W/m2.K" | "W.m-2.K-1" | "W/(K.m2)" => "W/(m²K)".into(),
        other => other.replace("m2", "m²").replace("m3", "m³").replace('.', "·"),
    }
}

/// A truth value in German.
pub(super) fn value(text: &str) -> &str {
    match text {
        "true" => "ja",
        "false" => "nein",
        "unknown" => "unbekannt",
        other => other,
    }
}
