//! What ifcXML leaves to its schema: the classes of attributes, and where inverse attributes lead back.

/// Class of an attribute that is one entity and whose element does not name its class.
pub(super) fn of_attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "OwnerHistory" => "IfcOwnerHistory",
        "OwningUser" | "LastModifyingUser" => "IfcPersonAndOrganization",
        "ThePerson" => "IfcPerson",
        "TheOrganization" | "ApplicationDeveloper" => "IfcOrganization",
        "OwningApplication" | "LastModifyingApplication" => "IfcApplication",
        "UnitsInContext" => "IfcUnitAssignment",
        "ConversionFactor" => "IfcMeasureWithUnit",
        "Dimensions" => "IfcDimensionalExponents",
        "ForLayerSet" => "IfcMaterialLayerSet",
        "ForProfileSet" => "IfcMaterialProfileSet",
        "Material" => "IfcMaterial",
        "RelatingGroup" => "IfcGroup",
        "RelatedOpeningElement" | "RelatingOpeningElement" => "IfcOpeningElement",
        "TargetCRS" => "IfcProjectedCRS",
        "BuildingAddress" | "SiteAddress" => "IfcPostalAddress",
        _ => return None,
    })
}

/// The attribute by which the relations inside of an inverse attribute lead back.
pub(super) fn of_inverse(name: &str) -> Option<&'static str> {
    Some(match name {
        "IsDecomposedBy" | "IsNestedBy" => "RelatingObject",
        "ContainsElements" => "RelatingStructure",
        "ContainedInStructure" => "RelatedElements",
        "IsDefinedBy" | "IsTypedBy" | "HasAssociations" | "HasAssignments" | "Decomposes" | "Nests" => {
            "RelatedObjects"
        }
        "Types" | "ObjectTypeOf" => "RelatingType",
        "DefinesOccurrence" | "PropertyDefinitionOf" => "RelatingPropertyDefinition",
        "IsGroupedBy" => "RelatingGroup",
        "HasOpenings" => "RelatingBuildingElement",
        "VoidsElements" => "RelatedOpeningElement",
        "HasFillings" => "RelatingOpeningElement",
        "FillsVoids" => "RelatedBuildingElement",
        "HasProjections" => "RelatingElement",
        "HasCoordinateOperation" => "SourceCRS",
        _ => return None,
    })
}
