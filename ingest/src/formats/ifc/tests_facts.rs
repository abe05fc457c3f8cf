//! What an element is told beyond its name: each fact on a model of a few records.

use super::tests::IFC4;
use crate::model::{Document, Element, Group};
use crate::{Limits, read};

/// The school of the other tests with records added before its end, and with others replaced.
fn model(added: &str, replaced: &[(&str, &str)]) -> Document {
    let mut text = IFC4.replace("ENDSEC;\nEND-ISO", &format!("{added}\nENDSEC;\nEND-ISO"));
    for (from, to) in replaced {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    read(text.as_bytes(), "schule.ifc", &Limits::default()).unwrap()
}

fn element<'d>(document: &'d Document, name: &str) -> &'d Element {
    document.elements.iter().find(|e| e.name == name).unwrap()
}

const WALL_1: &str = "5YvctVUKr0kugbFTf53O9L";
const DOOR: &str = "7YvctVUKr0kugbFTf53O9L";
const OPENING: &str = "OPvctVUKr0kugbFTf53O9L";

#[test]
fn a_door_knows_its_wall_and_the_wall_its_openings() {
    let document = model(
        "#200=IFCOPENINGELEMENT('OPvctVUKr0kugbFTf53O9L',$,'Aussparung',$,$,$,$,$,.OPENING.);\n\
         #201=IFCRELVOIDSELEMENT('h0vctVUKr0kugbFTf53O9L',$,$,$,#20,#200);\n\
         #202=IFCRELFILLSELEMENT('h1vctVUKr0kugbFTf53O9L',$,$,$,#200,#22);",
        &[],
    );
    let wall = element(&document, "Wand 1");
    assert_eq!(wall.hosted, [OPENING, DOOR]);
    assert_eq!(element(&document, "T-1.04").host, WALL_1);
    let opening = element(&document, "Aussparung");
    assert!(opening.is_feature() && !wall.is_feature());
    assert_eq!((opening.host.as_str(), opening.predefined_type.as_str()), (WALL_1, "OPENING"));
    // The opening stands below its wall, and so on the wall's storey.
    assert_eq!(
        (opening.parents.last().map(String::as_str), opening.storey.as_str()),
        (Some(WALL_1), "1. OG")
    );
    let chunks = crate::chunk(&document, &crate::ChunkOptions::default());
    assert!(!chunks.iter().any(|c| c.text.contains("IfcOpeningElement")), "no passage of its own");
}

#[test]
fn groups_zones_and_systems() {
    let document = model(
        "#210=IFCZONE('i0vctVUKr0kugbFTf53O9L',$,'BA 1',$,$,'Brandabschnitt 1');\n\
         #211=IFCRELASSIGNSTOGROUP('i1vctVUKr0kugbFTf53O9L',$,$,$,(#16),$,#210);\n\
         #212=IFCGROUP('i2vctVUKr0kugbFTf53O9L',$,'Alle Zonen',$,$);\n\
         #213=IFCRELASSIGNSTOGROUP('i3vctVUKr0kugbFTf53O9L',$,$,$,(#210),$,#212);",
        &[],
    );
    let group = |class: &str, name: &str, global_id: &str| Group {
        class: class.into(),
        name: name.into(),
        global_id: global_id.into(),
    };
    assert_eq!(
        element(&document, "1.04").groups,
        [
            group("IfcZone", "BA 1 Brandabschnitt 1", "i0vctVUKr0kugbFTf53O9L"),
            group("IfcGroup", "Alle Zonen", "i2vctVUKr0kugbFTf53O9L")
        ]
    );
}

#[test]
fn sets_of_layers_profiles_and_parts() {
    let document = model(
        "#220=IFCMATERIAL('Stahl S235',$,$);\n\
         #221=IFCISHAPEPROFILEDEF(.AREA.,'HEA 200',$,200.,190.,6.5,10.,18.,$,$);\n\
         #222=IFCMATERIALPROFILE('Tr\\X2\\00E4\\X0\\ger',$,#220,#221,$,$);\n\
         #223=IFCMATERIALPROFILESET('St\\X2\\00FC\\X0\\tzen',$,(#222),$);\n\
         #224=IFCRELASSOCIATESMATERIAL('j0vctVUKr0kugbFTf53O9L',$,$,$,(#21),#223);\n\
         #225=IFCMATERIAL('Glas',$,$);\n\
         #226=IFCMATERIALCONSTITUENT('F\\X2\\00FC\\X0\\llung',$,#225,0.8,$);\n\
         #227=IFCMATERIALCONSTITUENTSET('T\\X2\\00FC\\X0\\rblatt',$,(#226));\n\
         #228=IFCRELASSOCIATESMATERIAL('j1vctVUKr0kugbFTf53O9L',$,$,$,(#22),#227);",
        &[("#64=IFCMATERIALLAYERSET((#62,#63),$,$);", "#64=IFCMATERIALLAYERSET((#62,#63),'AW-01',$);")],
    );
    let of =
        |name: &str| (element(&document, name).materials.clone(), element(&document, name).build_up.clone());
    assert_eq!(of("Wand 1"), (vec!["Steinwolle 0.18 m".into(), "Beton 0.2 m".into()], "AW-01 0.38 m".into()));
    assert_eq!(of("Wand 2"), (vec!["Stahl S235 (HEA 200)".into()], "Stützen".into()));
    assert_eq!(of("T-1.04"), (vec!["Füllung: Glas".into()], "Türblatt".into()));
}

#[test]
fn facts_for_rules_under_the_standards_and_other_names() {
    let document = model(
        "#230=IFCPROPERTYSET('k0vctVUKr0kugbFTf53O9L',$,'Brandschutz',$,(#231,#232,#233));\n\
         #231=IFCPROPERTYSINGLEVALUE('Feuerwiderstandsklasse',$,IFCLABEL('EI30'),$);\n\
         #232=IFCPROPERTYSINGLEVALUE('Schalld\\X2\\00E4\\X0\\mm-Mass Rw',$,IFCREAL(43.),$);\n\
         #233=IFCPROPERTYSINGLEVALUE('U-Wert',$,IFCREAL(0.9),$);\n\
         #234=IFCRELDEFINESBYPROPERTIES('k1vctVUKr0kugbFTf53O9L',$,$,$,(#20,#22),#230);",
        &[],
    );
    let facts = |name: &str| -> Vec<(String, String)> {
        element(&document, name).compliance.iter().map(|(n, p)| (n.clone(), p.value.clone())).collect()
    };
    let pairs =
        |all: &[(&str, &str)]| all.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect::<Vec<_>>();
    assert_eq!(
        facts("T-1.04"),
        pairs(&[("AcousticRating", "43"), ("FireRating", "EI30"), ("ThermalTransmittance", "0.9")])
    );
    // The type's standard set counts before the element's own other one.
    assert_eq!(
        facts("Wand 1"),
        pairs(&[
            ("AcousticRating", "43"),
            ("FireRating", "REI60"),
            ("IsExternal", "true"),
            ("ThermalTransmittance", "0.17")
        ])
    );
}

#[test]
fn property_values_of_every_class() {
    let document = model(
        "#240=IFCPROPERTYSET('l0vctVUKr0kugbFTf53O9L',$,'Alle',$,(#241,#242,#243,#244,#245,#247,#249));\n\
         #241=IFCPROPERTYENUMERATEDVALUE('Zustand',$,(IFCLABEL('NEU'),IFCLABEL('BESTAND')),$);\n\
         #242=IFCPROPERTYBOUNDEDVALUE('Temperatur',$,IFCTHERMODYNAMICTEMPERATUREMEASURE(26.),\
              IFCTHERMODYNAMICTEMPERATUREMEASURE(21.),$,$);\n\
         #243=IFCPROPERTYLISTVALUE('Achsen',$,(IFCLABEL('A'),IFCLABEL('B')),$);\n\
         #244=IFCPROPERTYTABLEVALUE('Tabelle',$,(IFCREAL(1.),IFCREAL(2.)),(IFCREAL(0.5),IFCREAL(0.25)),$,$,$,$);\n\
         #245=IFCCOMPLEXPROPERTY('Beschlag',$,'Set',(#246));\n\
         #246=IFCPROPERTYSINGLEVALUE('Schloss',$,IFCLABEL('Zylinder'),$);\n\
         #247=IFCPROPERTYSINGLEVALUE('Breite',$,IFCLENGTHMEASURE(36.),#248);\n\
         #248=IFCCONVERSIONBASEDUNIT(#250,.LENGTHUNIT.,'INCH',#251);\n\
         #249=IFCPROPERTYSINGLEVALUE('Leer',$,$,$);\n\
         #250=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);\n\
         #251=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(25.4),#3);\n\
         #252=IFCRELDEFINESBYPROPERTIES('l1vctVUKr0kugbFTf53O9L',$,$,$,(#22),\
              IFCPROPERTYSETDEFINITIONSET((#240)));\n\
         #253=IFCDOORLININGPROPERTIES('l2vctVUKr0kugbFTf53O9L',$,$,$,120.,$,$,$,$,$,$,$,$,$,$,$,$);\n\
         #254=IFCRELDEFINESBYPROPERTIES('l3vctVUKr0kugbFTf53O9L',$,$,$,(#22),#253);",
        &[],
    );
    let door = element(&document, "T-1.04");
    let all: Vec<(&str, &str, &str)> =
        door.properties["Alle"].iter().map(|(n, p)| (n, p.value.as_str(), p.unit.as_str())).collect();
    assert_eq!(
        all,
        [
            ("Achsen", "A, B", ""),
            ("Beschlag.Schloss", "Zylinder", ""),
            ("Breite", "36", "in"),
            ("Tabelle", "1: 0.5, 2: 0.25", ""),
            ("Temperatur", "21 – 26", "K"),
            ("Zustand", "NEU, BESTAND", ""),
        ]
    );
    assert_eq!(door.properties["IfcDoorLiningProperties"]["LiningDepth"].value, "120");
}

#[test]
fn quantities_of_two_sets_are_both_kept() {
    let document = model(
        "#260=IFCELEMENTQUANTITY('m0vctVUKr0kugbFTf53O9L',$,'ArchiCADQuantities',$,$,(#261,#262));\n\
         #261=IFCQUANTITYAREA('NetSideArea',$,$,12.8,$);\n\
         #262=IFCPHYSICALCOMPLEXQUANTITY('Schicht 1',$,(#263),'layer',$,$);\n\
         #263=IFCQUANTITYLENGTH('Width',$,$,180.,$);\n\
         #264=IFCRELDEFINESBYPROPERTIES('m1vctVUKr0kugbFTf53O9L',$,$,$,(#20),#260);",
        &[],
    );
    let wall = element(&document, "Wand 1");
    let all: Vec<(&str, f64, &str)> =
        wall.quantities.iter().map(|(n, q)| (n, q.value, q.unit.as_str())).collect();
    assert_eq!(
        all,
        [
            ("ArchiCADQuantities.NetSideArea", 12.8, "m2"),
            ("Length", 4500.0, "mm"),
            ("NetSideArea", 12.5, "m2"),
            ("Schicht 1.Width", 180.0, "mm")
        ]
    );
}

#[test]
fn place_on_earth_owner_and_predefined_type() {
    let document = model(
        "#270=IFCPROJECTEDCRS('EPSG:2056','CH1903+ / LV95',$,$,$,$,$);\n\
         #271=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,$,$);\n\
         #272=IFCMAPCONVERSION(#271,#270,2600000.,1200000.,408.5,0.5,0.866025403784,$);\n\
         #280=IFCPERSON($,'Muster','Anna',$,$,$,$,$);\n\
         #281=IFCORGANIZATION($,'Muster AG',$,$,$);\n\
         #282=IFCPERSONANDORGANIZATION(#280,#281,$);\n\
         #283=IFCAPPLICATION(#281,'3.1','Modeller',$);\n\
         #284=IFCOWNERHISTORY(#282,#283,$,.MODIFIED.,1767225599,$,$,1143659950);",
        &[
            ("'4YvctVUKr0kugbFTf53O9L',$", "'4YvctVUKr0kugbFTf53O9L',#284"),
            (",.ELEMENT.,$,$,$,$,$);", ",.ELEMENT.,(46,56,55,500000),(7,26,27),$,$,$);"),
            ("'W-78',.STANDARD.", "'W-78',.USERDEFINED."),
            ("$,'Wand 2',$,$,", "$,'Wand 2',$,'Brandwand',"),
        ],
    );
    let fact = |key: &str| document.metadata.get(key).map(String::as_str).unwrap_or_default();
    // 46°56'55.5" and 7°26'27" by hand: 46 + 56/60 + 55.5/3600, 7 + 26/60 + 27/3600.
    let place = [fact("crs"), fact("easting"), fact("northing"), fact("height"), fact("rotation")];
    assert_eq!(place, ["EPSG:2056", "2600000", "1200000", "408.5", "60"]);
    assert_eq!((fact("latitude"), fact("longitude")), ("46.94875", "7.4408333"));
    let history = &element(&document, "1.04").history;
    assert_eq!(
        (history.owner.as_str(), history.application.as_str()),
        ("Anna Muster, Muster AG", "Modeller 3.1")
    );
    assert_eq!(
        (history.created.as_str(), history.modified.as_str()),
        ("2006-03-29T19:19:10Z", "2025-12-31T23:59:59Z")
    );
    let wall = element(&document, "Wand 2");
    assert_eq!((wall.predefined_type.as_str(), wall.type_name.as_str()), ("Brandwand", "AW-01"));
}

#[test]
fn spatial_nodes_have_their_sets() {
    let document = model(
        "#290=IFCPROPERTYSET('n0vctVUKr0kugbFTf53O9L',$,'Pset_BuildingCommon',$,(#291));\n\
         #291=IFCPROPERTYSINGLEVALUE('NumberOfStoreys',$,IFCINTEGER(3),$);\n\
         #292=IFCRELDEFINESBYPROPERTIES('n1vctVUKr0kugbFTf53O9L',$,$,$,(#11),#290);",
        &[],
    );
    let building = document.spatial.iter().find(|n| n.class == "IfcBuilding").unwrap();
    assert_eq!(building.properties["Pset_BuildingCommon"]["NumberOfStoreys"].value, "3");
}

#[test]
fn japanese_and_western_code_pages() {
    let read = |bytes: &[u8]| read(bytes, "x.ifc", &Limits::default()).unwrap();
    let with = |bytes: &[u8]| -> Vec<u8> {
        let text = IFC4.as_bytes();
        let at = text.windows(6).position(|w| w == b"Wand 1").unwrap();
        [&text[..at], bytes, &text[at + 6..]].concat()
    };
    // "外壁 ソーラー" by `iconv -f UTF-8 -t SHIFT_JIS`: the second word's first sign ends in 0x5C, a backslash.
    let japanese = with(b"\x8a\x4f\x95\xc7 \x83\x5c\x81\x5b\x83\x89\x81\x5b");
    assert!(read(&japanese).elements.iter().any(|e| e.name == "外壁 ソーラー"));
    let western = with(b"W\xe4nde \x96 gepr\xfcft \x80");
    assert!(read(&western).elements.iter().any(|e| e.name == "Wände – geprüft €"));
}

#[test]
fn older_and_newer_schemas_are_read() {
    for (schema, class, known) in [
        ("IFC2X_FINAL", "IFCWALL", true),
        ("IFC2X2_FINAL", "IFCWALL", true),
        ("IFC4X1", "IFCWALL", true),
        ("IFC4X3_ADD2", "IFCPAVEMENT", true),
        ("IFC9", "IFCWALL", false),
    ] {
        let text =
            IFC4.replace("('IFC4')", &format!("('{schema}')")).replace("IFCWALL('5", &format!("{class}('5"));
        let document = read(text.as_bytes(), "x.ifc", &Limits::default()).unwrap();
        let element = document.elements.iter().find(|e| e.name == "Wand 1").unwrap();
        assert_eq!(element.class.to_uppercase(), class, "{schema}");
        assert_eq!(document.warnings.is_empty(), known, "{schema}: {:?}", document.warnings);
    }
}

#[test]
fn a_model_without_records_is_told() {
    let empty = b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;";
    let document = read(empty, "leer.ifc", &Limits::default()).unwrap();
    assert_eq!((document.title.as_str(), document.warnings[0].code.as_str()), ("leer", "empty-model"));
    let homeless = IFC4.replace("#1=IFCPROJECT", "#1=IFCUNHEARDOF");
    let codes: Vec<String> = read(homeless.as_bytes(), "x.ifc", &Limits::default())
        .unwrap()
        .warnings
        .into_iter()
        .map(|w| w.code)
        .collect();
    assert_eq!(codes, ["no-project", "unknown-class"]);
}

#[test]
fn values_end_at_the_limit() {
    let limits = Limits { max_text_chars: 100, ..Limits::default() };
    let document = read(IFC4.as_bytes(), "x.ifc", &limits).unwrap();
    assert_eq!(document.elements.len(), 4);
    assert_eq!(document.warnings[0].code, "value-limit");
    let kept: usize = document.elements.iter().map(|e| e.properties.len() + e.quantities.len()).sum();
    assert!(kept <= 4, "{kept}");
}
