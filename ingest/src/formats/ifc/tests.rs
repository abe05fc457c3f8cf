//! Models written here record by record.

use crate::model::{Classification, Document, Locator};
use crate::{ChunkOptions, Limits, ReadError, chunk, read};

/// A small school in IFC4: units in millimetres for lengths, a typed wall with layers, a door, a space.
pub(crate) const IFC4: &str = r"ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('schule.ifc','2026-03-01T10:00:00',('A. Muster'),('Muster AG'),'pre','Modeller 3.1','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'P-1',$,$,'Schulhaus Wiesental',$,$,#2);
#2=IFCUNITASSIGNMENT((#3,#4,#5,#6));
#3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#4=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);
#5=IFCSIUNIT(*,.VOLUMEUNIT.,$,.CUBIC_METRE.);
#6=IFCSIUNIT(*,.MASSUNIT.,.KILO.,.GRAM.);
#10=IFCSITE('1YvctVUKr0kugbFTf53O9L',$,'Areal',$,$,$,$,$,.ELEMENT.,$,$,$,$,$);
#11=IFCBUILDING('2YvctVUKr0kugbFTf53O9L',$,'Haus A',$,$,$,$,$,.ELEMENT.,$,$,$);
#12=IFCBUILDINGSTOREY('3YvctVUKr0kugbFTf53O9L',$,'1. OG',$,$,$,$,$,.ELEMENT.,3600.);
#13=IFCRELAGGREGATES('a0vctVUKr0kugbFTf53O9L',$,$,$,#1,(#10));
#14=IFCRELAGGREGATES('a1vctVUKr0kugbFTf53O9L',$,$,$,#10,(#11));
#15=IFCRELAGGREGATES('a2vctVUKr0kugbFTf53O9L',$,$,$,#11,(#12));
#16=IFCSPACE('4YvctVUKr0kugbFTf53O9L',$,'1.04',$,$,$,$,'Schulzimmer Gr\X2\00FC\X0\n',.ELEMENT.,.SPACE.,$);
#17=IFCRELAGGREGATES('a3vctVUKr0kugbFTf53O9L',$,$,$,#12,(#16));
#20=IFCWALL('5YvctVUKr0kugbFTf53O9L',$,'Wand 1',$,$,$,$,'W-77',.STANDARD.);
#21=IFCWALL('6YvctVUKr0kugbFTf53O9L',$,'Wand 2',$,$,$,$,'W-78',.STANDARD.);
#22=IFCDOOR('7YvctVUKr0kugbFTf53O9L',$,'T-1.04',$,$,$,$,'D-1',2100.,1000.,.DOOR.,$,$);
#23=IFCRELCONTAINEDINSPATIALSTRUCTURE('a4vctVUKr0kugbFTf53O9L',$,$,$,(#20,#21,#22),#12);
#30=IFCWALLTYPE('8YvctVUKr0kugbFTf53O9L',$,'AW-01',$,$,(#31),$,$,$,.STANDARD.);
#31=IFCPROPERTYSET('9YvctVUKr0kugbFTf53O9L',$,'Pset_WallCommon',$,(#32,#33,#34));
#32=IFCPROPERTYSINGLEVALUE('ThermalTransmittance',$,IFCTHERMALTRANSMITTANCEMEASURE(0.17),$);
#33=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('REI60'),$);
#34=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);
#35=IFCRELDEFINESBYTYPE('b0vctVUKr0kugbFTf53O9L',$,$,$,(#20,#21),#30);
#40=IFCPROPERTYSET('c0vctVUKr0kugbFTf53O9L',$,'Pset_WallCommon',$,(#41));
#41=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('REI90'),$);
#42=IFCRELDEFINESBYPROPERTIES('c1vctVUKr0kugbFTf53O9L',$,$,$,(#21),#40);
#50=IFCELEMENTQUANTITY('d0vctVUKr0kugbFTf53O9L',$,'Qto_WallBaseQuantities',$,$,(#51,#52));
#51=IFCQUANTITYLENGTH('Length',$,$,4500.,$);
#52=IFCQUANTITYAREA('NetSideArea',$,$,12.5,$);
#53=IFCRELDEFINESBYPROPERTIES('d1vctVUKr0kugbFTf53O9L',$,$,$,(#20,#21),#50);
#60=IFCMATERIAL('Beton',$,$);
#61=IFCMATERIAL('Steinwolle',$,$);
#62=IFCMATERIALLAYER(#61,180.,$,$,$,$,$);
#63=IFCMATERIALLAYER(#60,200.,$,$,$,$,$);
#64=IFCMATERIALLAYERSET((#62,#63),$,$);
#65=IFCMATERIALLAYERSETUSAGE(#64,.AXIS2.,.POSITIVE.,0.,$);
#66=IFCRELASSOCIATESMATERIAL('e0vctVUKr0kugbFTf53O9L',$,$,$,(#20),#65);
#70=IFCCLASSIFICATION($,$,$,'eBKP-H',$,$,$);
#71=IFCCLASSIFICATIONREFERENCE($,'C2.1','Aussenwandkonstruktion',#70,$,$);
#72=IFCRELASSOCIATESCLASSIFICATION('f0vctVUKr0kugbFTf53O9L',$,$,$,(#30),#71);
#80=IFCELEMENTQUANTITY('g0vctVUKr0kugbFTf53O9L',$,'Qto_SpaceBaseQuantities',$,$,(#81));
#81=IFCQUANTITYAREA('NetFloorArea',$,$,72.4,$);
#82=IFCRELDEFINESBYPROPERTIES('g1vctVUKr0kugbFTf53O9L',$,$,$,(#16),#80);
ENDSEC;
END-ISO-10303-21;
";

fn model(text: &str) -> Document {
    read(text.as_bytes(), "schule.ifc", &Limits::default()).unwrap()
}

#[test]
fn the_tree_stands_with_parents_first() {
    let document = model(IFC4);
    assert_eq!(document.title, "Schulhaus Wiesental");
    assert_eq!(document.metadata["schema"], "IFC4");
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    let names: Vec<(&str, &str)> =
        document.spatial.iter().map(|n| (n.class.as_str(), n.name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("IfcProject", "P-1"),
            ("IfcSite", "Areal"),
            ("IfcBuilding", "Haus A"),
            ("IfcBuildingStorey", "1. OG")
        ]
    );
    assert_eq!(document.spatial[3].elevation_m, Some(3.6));
    assert_eq!(document.spatial[3].parent, "2YvctVUKr0kugbFTf53O9L");
}

#[test]
fn elements_have_everything_their_own_and_their_types() {
    let document = model(IFC4);
    let wall = document.elements.iter().find(|e| e.name == "Wand 1").unwrap();
    assert_eq!(
        (wall.class.as_str(), wall.type_name.as_str(), wall.tag.as_str()),
        ("IfcWall", "AW-01", "W-77")
    );
    assert_eq!(wall.storey, "1. OG");
    assert_eq!(wall.parents.len(), 4);
    let u = &wall.properties["Pset_WallCommon"]["ThermalTransmittance"];
    assert_eq!((u.value.as_str(), u.unit.as_str()), ("0.17", "W/(m2.K)"));
    assert_eq!(wall.properties["Pset_WallCommon"]["IsExternal"].value, "true");
    assert_eq!(wall.quantities["Length"].value, 4500.0);
    assert_eq!(wall.quantities["Length"].unit, "mm");
    assert_eq!(
        (wall.quantities["NetSideArea"].value, wall.quantities["NetSideArea"].unit.as_str()),
        (12.5, "m2")
    );
    assert_eq!(wall.materials, ["Steinwolle 0.18 m", "Beton 0.2 m"]);
    assert_eq!(
        wall.classifications,
        [Classification {
            system: "eBKP-H".into(),
            code: "C2.1".into(),
            name: "Aussenwandkonstruktion".into()
        }]
    );
    let second = document.elements.iter().find(|e| e.name == "Wand 2").unwrap();
    assert_eq!(second.properties["Pset_WallCommon"]["FireRating"].value, "REI90", "its own value wins");
    assert_eq!(second.properties["Pset_WallCommon"]["ThermalTransmittance"].value, "0.17");
    let door = document.elements.iter().find(|e| e.class == "IfcDoor").unwrap();
    assert_eq!(
        (door.dimensions["OverallHeight"].value, door.dimensions["OverallWidth"].value),
        (2100.0, 1000.0)
    );
    let space = document.elements.iter().find(|e| e.class == "IfcSpace").unwrap();
    assert_eq!((space.name.as_str(), space.description.as_str()), ("1.04", "Schulzimmer Grün"));
    assert_eq!(space.storey, "1. OG");
}

#[test]
fn ifc2x3_reads_the_same_way() {
    let text = IFC4
        .replace("('IFC4')", "('IFC2X3')")
        .replace("IFCWALL('5", "IFCWALLSTANDARDCASE('5")
        .replace(",'W-77',.STANDARD.)", ",'W-77')")
        .replace(",'W-78',.STANDARD.)", ",'W-78')")
        .replace("2100.,1000.,.DOOR.,$,$)", "2100.,1000.)")
        .replace("(#61,180.,$,$,$,$,$)", "(#61,180.,$)")
        .replace("(#60,200.,$,$,$,$,$)", "(#60,200.,$)");
    let document = model(&text);
    let wall = document.elements.iter().find(|e| e.name == "Wand 1").unwrap();
    assert_eq!(wall.class, "IfcWallStandardCase");
    assert_eq!(wall.materials, ["Steinwolle 0.18 m", "Beton 0.2 m"]);
    assert_eq!(wall.properties["Pset_WallCommon"]["ThermalTransmittance"].value, "0.17");
}

#[test]
fn broken_records_are_left_out_and_named() {
    let text = IFC4.replace(
        "#33=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('REI60'),$);",
        "#33=IFCPROPERTYSINGLEVALUE('FireRating',,,((;",
    );
    let document = model(&text);
    assert_eq!(document.elements.len(), 4);
    assert!(document.warnings.iter().any(|w| w.code == "broken-record"), "{:?}", document.warnings);
    let nothing = read(b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;", "x.ifc", &Limits::default());
    assert!(matches!(nothing, Err(ReadError::Damaged { .. })));
}

#[test]
fn elements_of_one_global_id_are_told() {
    assert!(!model(IFC4).warnings.iter().any(|w| w.code == "repeated-global-id"));
    let document = model(&IFC4.replace("6YvctVUKr0kugbFTf53O9L", "5YvctVUKr0kugbFTf53O9L"));
    assert_eq!(document.elements.len(), 4);
    let told = document.warnings.iter().find(|w| w.code == "repeated-global-id").unwrap();
    assert!(
        told.message.starts_with("1 GlobalId stands") && told.message.contains("5YvctVUKr0kugbFTf53O9L"),
        "{told:?}"
    );
}

#[test]
fn cycles_and_limits_end() {
    let text = IFC4.replace("#15=", "#18=IFCRELAGGREGATES('a9vctVUKr0kugbFTf53O9L',$,$,$,#12,(#10));\n#15=");
    assert_eq!(model(&text).elements.len(), 4);
    let limits = Limits { max_elements: 2, ..Limits::default() };
    let document = read(IFC4.as_bytes(), "x.ifc", &limits).unwrap();
    assert_eq!(document.elements.len(), 2);
    assert_eq!(document.warnings[0].code, "element-limit");
}

#[test]
fn latin1_bytes_are_read() {
    let text = IFC4.replace("Gr\\X2\\00FC\\X0\\n", "Gr\u{fc}n");
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let document = read(&bytes, "x.ifc", &Limits::default()).unwrap();
    assert!(document.elements.iter().any(|e| e.description == "Schulzimmer Grün"));
}

#[test]
fn chunks_are_what_a_person_searches() {
    let document = model(IFC4);
    let chunks = chunk(&document, &ChunkOptions::default());
    let with = |needle: &str| chunks.iter().find(|c| c.text.contains(needle)).unwrap();
    let door = with("Tür T-1.04");
    assert_eq!(door.locator, Locator::Ifc { global_id: "7YvctVUKr0kugbFTf53O9L".into() });
    assert!(door.text.contains("Breite (OverallWidth): 1 m"), "{}", door.text);
    let space = with("Raum 1.04 Schulzimmer Grün");
    assert!(space.text.contains("Nettobodenfläche (NetFloorArea): 72.4 m²"), "{}", space.text);
    let walls = with("2 Wände vom Typ AW-01");
    assert!(
        walls.text.contains("Geschoss: 1. OG") && walls.text.contains("NetSideArea): Summe 25 m²"),
        "{}",
        walls.text
    );
    let kind = with("Wandtyp AW-01");
    assert!(kind.text.contains("U-Wert (ThermalTransmittance): 0.17 W/(m²K)"), "{}", kind.text);
    assert!(kind.text.contains("Feuerwiderstand (FireRating): REI60 (1), REI90 (1)"), "{}", kind.text);
    assert!(kind.text.contains("eBKP-H C2.1 Aussenwandkonstruktion"), "{}", kind.text);
    let summary = with("Modellübersicht");
    assert!(summary.text.contains("2 Wände") && summary.text.contains("1. OG"), "{}", summary.text);
    assert_eq!(chunks, chunk(&document, &ChunkOptions::default()));
}
