//! ifcXML of both generations, as small documents with known contents.

use std::io::Write;

use crate::model::{Document, Element};
use crate::{Limits, ReadError, read, sniff};

/// A storey with a wall and a door in it, as IFC4 writes it: relations inside of what they relate.
const IFC4: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<ifc:ifcXML xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:ifc="http://www.buildingsmart-tech.org/ifcXML/IFC4/Add2" xmlns="http://www.buildingsmart-tech.org/ifcXML/IFC4/Add2">
<header><time_stamp>2026-03-01T10:00:00</time_stamp><originating_system>Modeller 3.1</originating_system></header>
<IfcProject id="i1" GlobalId="0YvctVUKr0kugbFTf53O9L" Name="P-1" LongName="Schulhaus &amp; Turnhalle">
 <OwnerHistory id="i2" ChangeAction="added" CreationDate="1143659950">
  <OwningUser><ThePerson FamilyName="Muster"/><TheOrganization id="i3" Name="Muster AG"/></OwningUser>
  <OwningApplication Version="3.1" ApplicationFullName="Modeller" ApplicationIdentifier="M">
   <ApplicationDeveloper xsi:nil="true" href="i3"/></OwningApplication>
 </OwnerHistory>
 <IsDecomposedBy><IfcRelAggregates GlobalId="a0vctVUKr0kugbFTf53O9L"><RelatedObjects>
  <IfcBuildingStorey id="i4" GlobalId="3YvctVUKr0kugbFTf53O9L" Name="1. OG" CompositionType="element" Elevation="3600">
   <ObjectPlacement xsi:type="IfcLocalPlacement"><RelativePlacement><IfcAxis2Placement3D>
    <Location Coordinates="0 0 0"/></IfcAxis2Placement3D></RelativePlacement></ObjectPlacement>
   <ContainsElements><IfcRelContainedInSpatialStructure GlobalId="a1vctVUKr0kugbFTf53O9L"><RelatedElements>
    <IfcWall id="i5" GlobalId="5YvctVUKr0kugbFTf53O9L" Name="Wand 1" Tag="W-77" PredefinedType="solidwall">
     <OwnerHistory xsi:nil="true" href="i2"/>
     <IsDefinedBy><IfcRelDefinesByProperties GlobalId="b0vctVUKr0kugbFTf53O9L"><RelatingPropertyDefinition>
      <IfcPropertySet GlobalId="b1vctVUKr0kugbFTf53O9L" Name="Pset_WallCommon"><HasProperties>
       <IfcPropertySingleValue Name="ThermalTransmittance"><NominalValue>
        <IfcThermalTransmittanceMeasure-wrapper>0.17</IfcThermalTransmittanceMeasure-wrapper></NominalValue>
       </IfcPropertySingleValue>
       <IfcPropertySingleValue Name="IsExternal"><NominalValue><IfcBoolean-wrapper>true</IfcBoolean-wrapper>
       </NominalValue></IfcPropertySingleValue>
       <IfcPropertySingleValue Name="FireRating"><NominalValue><IfcLabel-wrapper>60</IfcLabel-wrapper>
       </NominalValue></IfcPropertySingleValue>
      </HasProperties></IfcPropertySet></RelatingPropertyDefinition></IfcRelDefinesByProperties>
      <IfcRelDefinesByProperties GlobalId="b2vctVUKr0kugbFTf53O9L"><RelatingPropertyDefinition>
      <IfcElementQuantity GlobalId="b3vctVUKr0kugbFTf53O9L" Name="Qto_WallBaseQuantities"><Quantities>
       <IfcQuantityLength Name="Length" LengthValue="4500"/></Quantities></IfcElementQuantity>
      </RelatingPropertyDefinition></IfcRelDefinesByProperties></IsDefinedBy>
     <HasAssociations><IfcRelAssociatesMaterial GlobalId="c0vctVUKr0kugbFTf53O9L"><RelatingMaterial>
      <IfcMaterialLayerSetUsage LayerSetDirection="axis2" DirectionSense="positive" OffsetFromReferenceLine="0">
       <ForLayerSet LayerSetName="AW-01"><MaterialLayers>
        <IfcMaterialLayer LayerThickness="200"><Material Name="Beton"/></IfcMaterialLayer>
       </MaterialLayers></ForLayerSet></IfcMaterialLayerSetUsage></RelatingMaterial></IfcRelAssociatesMaterial>
     </HasAssociations>
     <HasOpenings><IfcRelVoidsElement GlobalId="d0vctVUKr0kugbFTf53O9L">
      <RelatedOpeningElement xsi:type="IfcOpeningElement" GlobalId="d1vctVUKr0kugbFTf53O9L" Name="Loch">
       <HasFillings><IfcRelFillsElement GlobalId="d2vctVUKr0kugbFTf53O9L">
        <RelatedBuildingElement xsi:type="IfcDoor" xsi:nil="true" href="i6"/></IfcRelFillsElement></HasFillings>
      </RelatedOpeningElement></IfcRelVoidsElement></HasOpenings>
    </IfcWall>
    <IfcDoor id="i6" GlobalId="7YvctVUKr0kugbFTf53O9L" Name="T-1" OverallHeight="2100" OverallWidth="1000"/>
   </RelatedElements></IfcRelContainedInSpatialStructure></ContainsElements>
  </IfcBuildingStorey></RelatedObjects></IfcRelAggregates></IsDecomposedBy>
 <UnitsInContext><Units><IfcSIUnit UnitType="lengthunit" Prefix="milli" Name="metre"/></Units></UnitsInContext>
</IfcProject>
</ifc:ifcXML>"#;

/// A wall on a storey as 2x3 writes it: every attribute an element, relations on their own.
const IFC2X3: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ex:iso_10303_28 xmlns:ex="urn:iso.org:standard:10303:part(28):version(2):xmlschema:common"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://www.iai-tech.org/ifcXML/IFC2x3/FINAL" version="2.0">
<ex:iso_10303_28_header><ex:author>A. Muster</ex:author></ex:iso_10303_28_header>
<uos id="uos_1" xmlns="http://www.iai-tech.org/ifcXML/IFC2x3/FINAL">
 <IfcProject id="i1"><GlobalId>0YvctVUKr0kugbFTf53O9L</GlobalId><Name>P-1</Name>
  <UnitsInContext><IfcUnitAssignment xsi:nil="true" ref="i2"/></UnitsInContext></IfcProject>
 <IfcUnitAssignment id="i2"><Units ex:cType="set"><IfcSIUnit pos="0" xsi:nil="true" ref="i3"/></Units></IfcUnitAssignment>
 <IfcSIUnit id="i3"><UnitType>lengthunit</UnitType><Prefix>milli</Prefix><Name>metre</Name></IfcSIUnit>
 <IfcBuildingStorey id="i4"><GlobalId>3YvctVUKr0kugbFTf53O9L</GlobalId><Name>EG</Name>
  <CompositionType>element</CompositionType><Elevation>400.</Elevation></IfcBuildingStorey>
 <IfcRelAggregates id="i5"><GlobalId>a0vctVUKr0kugbFTf53O9L</GlobalId>
  <RelatingObject><IfcProject xsi:nil="true" ref="i1"/></RelatingObject>
  <RelatedObjects ex:cType="set"><IfcBuildingStorey pos="0" xsi:nil="true" ref="i4"/></RelatedObjects></IfcRelAggregates>
 <IfcWallStandardCase id="i6"><GlobalId>5YvctVUKr0kugbFTf53O9L</GlobalId><Name>Gr&#252;ne Wand &apos;A&apos;</Name>
  <Representation><IfcProductDefinitionShape xsi:nil="true" ref="i99"/></Representation></IfcWallStandardCase>
 <IfcRelContainedInSpatialStructure id="i7"><GlobalId>a1vctVUKr0kugbFTf53O9L</GlobalId>
  <RelatedElements ex:cType="set"><IfcWallStandardCase pos="0" xsi:nil="true" ref="i6"/></RelatedElements>
  <RelatingStructure><IfcBuildingStorey xsi:nil="true" ref="i4"/></RelatingStructure></IfcRelContainedInSpatialStructure>
 <IfcPropertySet id="i8"><GlobalId>b1vctVUKr0kugbFTf53O9L</GlobalId><Name>Pset_WallCommon</Name>
  <HasProperties ex:cType="set"><IfcPropertySingleValue pos="0"><Name>LoadBearing</Name>
   <NominalValue><IfcBoolean>false</IfcBoolean></NominalValue></IfcPropertySingleValue></HasProperties></IfcPropertySet>
 <IfcRelDefinesByProperties id="i9"><GlobalId>b0vctVUKr0kugbFTf53O9L</GlobalId>
  <RelatedObjects ex:cType="set"><IfcWallStandardCase pos="0" xsi:nil="true" ref="i6"/></RelatedObjects>
  <RelatingPropertyDefinition><IfcPropertySet xsi:nil="true" ref="i8"/></RelatingPropertyDefinition></IfcRelDefinesByProperties>
</uos></ex:iso_10303_28>"#;

fn model(text: &str) -> Document {
    read(text.as_bytes(), "haus.ifcxml", &Limits::default()).unwrap()
}

fn element<'d>(document: &'d Document, name: &str) -> &'d Element {
    document.elements.iter().find(|e| e.name == name).unwrap()
}

#[test]
fn ifc4_with_everything_nested() {
    let document = model(IFC4);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    assert_eq!(document.title, "Schulhaus & Turnhalle");
    assert_eq!(
        (document.metadata["schema"].as_str(), document.metadata["application"].as_str()),
        ("IFC4", "Modeller 3.1")
    );
    assert_eq!(document.spatial[1].elevation_m, Some(3.6));
    let names: Vec<&str> = document.elements.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let wall = element(&document, "Wand 1");
    assert_eq!(
        (wall.tag.as_str(), wall.predefined_type.as_str(), wall.storey.as_str()),
        ("W-77", "SOLIDWALL", "1. OG")
    );
    let u = &wall.properties["Pset_WallCommon"]["ThermalTransmittance"];
    assert_eq!((u.value.as_str(), u.unit.as_str()), ("0.17", "W/(m2.K)"));
    assert_eq!(wall.properties["Pset_WallCommon"]["IsExternal"].value, "true");
    assert_eq!(wall.properties["Pset_WallCommon"]["FireRating"].value, "60", "a label stays text");
    assert_eq!((wall.quantities["Length"].value, wall.quantities["Length"].unit.as_str()), (4500.0, "mm"));
    assert_eq!(
        (wall.materials.as_slice(), wall.build_up.as_str()),
        (&["Beton 0.2 m".to_string()][..], "AW-01 0.2 m")
    );
    assert_eq!(
        (wall.history.owner.as_str(), wall.history.application.as_str()),
        ("Muster, Muster AG", "Modeller 3.1")
    );
    let door = element(&document, "T-1");
    assert_eq!(
        (door.dimensions["OverallWidth"].value, door.host.as_str()),
        (1000.0, wall.global_id.as_str())
    );
}

#[test]
fn ifc2x3_with_relations_on_their_own() {
    let document = model(IFC2X3);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    assert_eq!(
        (document.metadata["schema"].as_str(), document.metadata["author"].as_str()),
        ("IFC2X3", "A. Muster")
    );
    assert_eq!((document.spatial[1].name.as_str(), document.spatial[1].elevation_m), ("EG", Some(0.4)));
    let wall = element(&document, "Grüne Wand 'A'");
    assert_eq!((wall.class.as_str(), wall.storey.as_str()), ("IfcWallStandardCase", "EG"));
    assert_eq!(wall.properties["Pset_WallCommon"]["LoadBearing"].value, "false");
}

#[test]
fn zipped_cut_and_foreign_xml() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("haus.ifcxml", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(IFC2X3.as_bytes()).unwrap();
    let zipped = zip.finish().unwrap().into_inner();
    assert_eq!(read(&zipped, "haus.ifczip", &Limits::default()).unwrap().elements.len(), 1);

    let cut = IFC4.find("<IfcDoor").unwrap();
    let document = model(&format!("{}<", &IFC4[..cut]));
    assert_eq!(document.warnings.last().unwrap().code, "broken-xml");
    assert!(document.elements.iter().any(|e| e.name == "Wand 1"), "what came before the cut is kept");

    let foreign = read(b"<html><body/></html>", "x.ifcxml", &Limits::default());
    assert!(matches!(foreign, Err(ReadError::Damaged { .. })));
    let deep = format!("<ifcXML>{}", "<IfcWall><a>".repeat(5_000));
    assert!(read(deep.as_bytes(), "x.ifcxml", &Limits::default()).is_ok_and(|d| !d.warnings.is_empty()));
    let small = Limits { max_expanded_bytes: 500, ..Limits::default() };
    assert!(matches!(read(IFC4.as_bytes(), "x.ifcxml", &small), Err(ReadError::TooLarge { .. })));
}

#[test]
fn ifc5_is_named_and_not_read() {
    let text = br#"{"header": {"ifcxVersion": "ifcx_alpha"}, "data": []}"#;
    for name in ["haus.ifcx", "haus.json"] {
        assert_eq!(sniff(text, name), None);
        let error = read(text, name, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("IFC5"), "{error}");
    }
}
