"""A thin layer over IfcOpenShell: entities with fixed GlobalIds, property sets, quantities, one relation per group."""

from __future__ import annotations

from collections import defaultdict

import ifcopenshell
import ifcopenshell.guid

from facts.project import FICTION, MODEL_TIME, NAME, uid

ASPECT = {"wall": "Wall", "slab": "Slab", "floor": "Slab", "roof": "Roof"}


def global_id(*parts: str) -> str:
    """The 22-character GlobalId of a thing, the same in every run."""
    return ifcopenshell.guid.compress(uid("ifc", *parts).hex)


class Builder:
    """Collects relations while elements are made and writes them, sorted, at the end."""

    def __init__(self, schema: str, model: str):
        self.f = ifcopenshell.file(schema=schema)
        self.schema, self.model = schema, model
        self._classes: dict[str, object] = {}
        self._materials: dict[str, object] = {}
        self._contained, self._types = defaultdict(list), defaultdict(list)
        self._aggregated, self._layers = defaultdict(list), defaultdict(list)
        self._classified = defaultdict(list)
        self.history = self._history()

    def id(self, *parts: str) -> str:
        return global_id(self.model, *parts)

    def make(self, entity: str, **values):
        return self.f.create_entity(entity, **values)

    def root(self, entity: str, key: str, **values):
        return self.make(entity, GlobalId=self.id(entity, key), OwnerHistory=self.history, **values)

    def _history(self):
        person = self.make("IfcPerson", FamilyName="Beispiel", GivenName="B.")
        firm = self.make("IfcOrganization", Name="Exempelbau Architektur AG", Description=FICTION["de"])
        both = self.make("IfcPersonAndOrganization", ThePerson=person, TheOrganization=firm)
        app = self.make("IfcApplication", ApplicationDeveloper=firm, Version="1.0",
                        ApplicationFullName="Mustermodell-Generator", ApplicationIdentifier="MUSTER")
        return self.make("IfcOwnerHistory", OwningUser=both, OwningApplication=app, ChangeAction="ADDED",
                         CreationDate=int(MODEL_TIME.timestamp()))

    def project(self):
        def si(kind, name, prefix=None):
            return self.make("IfcSIUnit", UnitType=kind, Name=name, Prefix=prefix)

        watt, metre, kelvin = si("POWERUNIT", "WATT"), si("LENGTHUNIT", "METRE"), si("THERMODYNAMICTEMPERATUREUNIT", "KELVIN")
        u_value = self.make("IfcDerivedUnit", UnitType="THERMALTRANSMITTANCEUNIT", Elements=[
            self.make("IfcDerivedUnitElement", Unit=u, Exponent=e) for u, e in ((watt, 1), (metre, -2), (kelvin, -1))])
        units = self.make("IfcUnitAssignment", Units=[
            metre, si("AREAUNIT", "SQUARE_METRE"), si("VOLUMEUNIT", "CUBIC_METRE"), si("MASSUNIT", "GRAM", "KILO"),
            si("PLANEANGLEUNIT", "RADIAN"), kelvin, watt, u_value])
        origin = self.make("IfcAxis2Placement3D", Location=self.make("IfcCartesianPoint", Coordinates=(0.0, 0.0, 0.0)))
        context = self.make("IfcGeometricRepresentationContext", ContextType="Model", CoordinateSpaceDimension=3,
                            Precision=1e-5, WorldCoordinateSystem=origin)
        return self.root("IfcProject", "project", Name=NAME, LongName=f"{NAME}, {FICTION['de']}",
                         Phase="Ausführungsprojekt", RepresentationContexts=[context], UnitsInContext=units)

    def value(self, value):
        if isinstance(value, tuple):
            return self.f.create_entity(value[0], value[1])
        if isinstance(value, bool):
            return self.f.create_entity("IfcBoolean", value)
        if isinstance(value, int):
            return self.f.create_entity("IfcInteger", value)
        if isinstance(value, float):
            return self.f.create_entity("IfcReal", value)
        return self.f.create_entity("IfcLabel", value) if len(value) < 200 else self.f.create_entity("IfcText", value)

    def pset(self, thing, key: str, name: str, values: dict):
        """Attach a property set; values that are None or empty are left out, as an authoring program does."""
        props = [self.make("IfcPropertySingleValue", Name=k, NominalValue=self.value(v))
                 for k, v in values.items() if v is not None and v != ""]
        if not props:
            return
        pset = self.root("IfcPropertySet", f"{key}/{name}", Name=name, HasProperties=props)
        if thing.is_a("IfcTypeObject"):
            thing.HasPropertySets = (thing.HasPropertySets or ()) + (pset,)
        else:
            self.root("IfcRelDefinesByProperties", f"{key}/{name}", RelatedObjects=[thing], RelatingPropertyDefinition=pset)

    def quantities(self, thing, key: str, name: str, values: dict):
        made = []
        for k, (kind, v) in values.items():
            made.append(self.make(f"IfcQuantity{kind}", Name=k, **{f"{kind}Value": round(float(v), 3)}))
        q = self.root("IfcElementQuantity", f"{key}/{name}", Name=name, MethodOfMeasurement="SIA 416", Quantities=made)
        self.root("IfcRelDefinesByProperties", f"{key}/{name}", RelatedObjects=[thing], RelatingPropertyDefinition=q)

    def contain(self, storey, thing):
        self._contained[storey].append(thing)

    def aggregate(self, parent, thing):
        self._aggregated[parent].append(thing)

    def typed(self, kind, thing):
        self._types[kind].append(thing)

    def classify(self, thing, code: str, name: str):
        self._classified[(code, name)].append(thing)

    def layers(self, component, things):
        made = []
        for layer in component.layers:
            material = self._materials.get(layer.material)
            if material is None:
                material = self._materials[layer.material] = self.make("IfcMaterial", Name=layer.material)
            made.append(self.make("IfcMaterialLayer", Material=material, LayerThickness=layer.thickness,
                                  IsVentilated="Hinterlüftung" in layer.material))
        layer_set = self.make("IfcMaterialLayerSet", MaterialLayers=made, LayerSetName=f"{component.code} {component.name}")
        self.root("IfcRelAssociatesMaterial", component.code, RelatedObjects=things, RelatingMaterial=layer_set)

    def _classification(self):
        return self.make("IfcClassification", Source="CRB", Edition="2020", Name="eBKP-H")

    def finish(self):
        for label, entity, whole, parts, groups in (
            ("agg", "IfcRelAggregates", "RelatingObject", "RelatedObjects", self._aggregated),
            ("cont", "IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements", self._contained),
            ("type", "IfcRelDefinesByType", "RelatingType", "RelatedObjects", self._types),
        ):
            for thing, members in groups.items():
                self.root(entity, f"{label}/{thing.GlobalId}", **{whole: thing, parts: members})
        system = self._classification()
        for (code, name), members in sorted(self._classified.items()):
            field = "Identification" if self.schema == "IFC4" else "ItemReference"
            ref = self.make("IfcClassificationReference", Name=name, ReferencedSource=system, **{field: code})
            self.root("IfcRelAssociatesClassification", code, RelatedObjects=members, RelatingClassification=ref)

    def write(self, path, file_name: str):
        self.finish()
        header = self.f.header
        header.file_name.name = file_name
        header.file_name.time_stamp = MODEL_TIME.strftime("%Y-%m-%dT%H:%M:%S")
        header.file_name.author = ("B. Beispiel",)
        header.file_name.organization = ("Exempelbau Architektur AG",)
        header.file_name.preprocessor_version = "Mustermodell-Generator"
        header.file_name.originating_system = "Mustermodell-Generator 1.0"
        header.file_name.authorization = FICTION["de"]
        header.file_description.description = ("ViewDefinition [CoordinationView]", f"Comment [{FICTION['de']}]")
        self.f.write(str(path))
