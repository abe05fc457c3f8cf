"""The two models: Haus A as IFC4 and Haus B (sports hall) as IFC2X3."""

from __future__ import annotations

from facts.components import COMPONENTS, DOOR_TYPES, WINDOW_TYPES
from facts.equipment import DEVICES, building_of
from facts.project import BUILDINGS, FICTION, PLACE, STOREYS
from facts.rooms import DOORS, ROOMS, USES, WINDOWS, net_area
from facts.walls import PARTS
from ifc_builder import Builder, global_id

FILES = {
    "A": ("modelle/RM-2417_ARC_HausA_Schulhaus_IFC4.ifc", "IFC4"),
    "B": ("modelle/RM-2417_ARC_HausB_Turnhalle_IFC2X3.ifc", "IFC2X3"),
}
EBKP = {
    "C1.4": "Bodenplatte", "C2.1": "Aussenwandkonstruktion", "C2.2": "Innenwandkonstruktion", "C4.1": "Decke",
    "C4.4": "Dachkonstruktion", "C4.5": "Vordach", "C3.1": "Aussenstütze, Innenstütze", "E3.1": "Fenster",
    "E3.2": "Aussentür, Aussentor", "G1.1": "Fest stehende Trennwand", "G1.4": "Innentür, Innentor",
    "D5.2": "Wärmeerzeugung", "D7.2": "Luftaufbereitung", "D1.2": "Stark- und Schwachstromanlage", "D8.1": "Wasseranlage",
    "D9.1": "Transportanlage", "C4.3": "Treppe",
}
ENTITY = {"wall": "IfcWall", "slab": "IfcSlab", "floor": "IfcSlab", "roof": "IfcRoof"}
U_VALUE = "IfcThermalTransmittanceMeasure"


def element_id(building: str, entity: str, key: str) -> str:
    """GlobalId of an element by its entity and number, for records and questions."""
    return global_id(building, entity, key)


class Model:
    def __init__(self, building: str):
        self.b, self.key = Builder(FILES[building][1], building), building
        self.ifc4 = self.b.schema == "IFC4"
        self.storeys, self.types = {}, {}

    def build(self):
        self._spatial()
        self._spaces()
        self._components()
        self._doors()
        self._windows()
        self._columns_and_stairs()
        self._devices()
        return self.b

    def _spatial(self):
        b = self.b
        project = b.project()
        site = b.root("IfcSite", "site", Name=f"Areal Rosenmatt, {PLACE}", CompositionType="ELEMENT")
        info = BUILDINGS[self.key]
        building = b.root("IfcBuilding", "building", Name=info["name"], LongName=f"{info['long']} ({FICTION['de']})", CompositionType="ELEMENT")
        b.aggregate(project, site)
        b.aggregate(site, building)
        b.pset(building, "building", "Pset_BuildingCommon", {
            "NumberOfStoreys": sum(1 for s in STOREYS.values() if s.building == self.key and s.gross),
            "YearOfConstruction": "2027", "IsLandmarked": False})
        for s in STOREYS.values():
            if s.building != self.key:
                continue
            storey = b.root("IfcBuildingStorey", s.key, Name=s.name, Elevation=s.elevation, CompositionType="ELEMENT")
            self.storeys[s.key] = storey
            b.aggregate(building, storey)
            if s.gross:
                b.quantities(storey, f"storey/{s.key}", "BaseQuantities" if not self.ifc4 else "Qto_BuildingStoreyBaseQuantities", {
                    "GrossFloorArea": ("Area", s.gross), "NetFloorArea": ("Area", net_area(s.key)), "GrossHeight": ("Length", s.height)})
            b.pset(storey, f"storey/{s.key}", "Geschossdaten", {"Beheizt": s.heated, "Geschosscode": s.key})

    def _spaces(self):
        b = self.b
        kind = {"PredefinedType": "INTERNAL"} if self.ifc4 else {"InteriorOrExteriorSpace": "INTERNAL"}
        for r in ROOMS.values():
            if r.building != self.key:
                continue
            use, s = USES[r.use], STOREYS[r.storey]
            space = b.root("IfcSpace", r.number, Name=r.number, LongName=r.name, ObjectType=use.name, CompositionType="ELEMENT", **kind)
            b.aggregate(self.storeys[r.storey], space)
            height = s.height - 0.60
            b.quantities(space, f"space/{r.number}", "Qto_SpaceBaseQuantities" if self.ifc4 else "BaseQuantities", {
                "NetFloorArea": ("Area", r.area), "Height": ("Length", height if r.use != "TU" else 7.0),
                "NetVolume": ("Volume", r.area * (height if r.use != "TU" else 7.0)), "NetPerimeter": ("Length", 4.2 * r.area**0.5)})
            b.pset(space, f"space/{r.number}", "Pset_SpaceCommon", {"Reference": r.use, "IsExternal": False, "PubliclyAccessible": r.use in ("EH", "KO", "WC")})
            b.pset(space, f"space/{r.number}", "Raumdaten", {
                "Bodenbelag": use.floor, "Wandbekleidung": use.wall, "Deckenbekleidung": use.ceiling,
                "Raumtemperatur in °C": float(use.temperature), "Beleuchtungsstärke in lx": use.lux,
                "Zuluft in m³/h": r.air if r.air > 0 else None, "Abluft in m³/h": -r.air if r.air < 0 else None,
                "Nachhallzeit in s": use.reverberation, "Bemerkung": r.remark})

    def _common(self, c):
        return {"Reference": c.code, "FireRating": c.fire, "AcousticRating": c.acoustic, "IsExternal": c.external,
                "LoadBearing": c.bearing, "ThermalTransmittance": (U_VALUE, c.u) if c.u else None}

    def _components(self):
        b, made = self.b, {}
        for c in COMPONENTS.values():
            if c.building != self.key:
                continue
            entity = ENTITY[c.kind]
            values = dict(Name=f"{c.code} {c.name}", Description=c.note or None)
            if entity == "IfcRoof":
                kind = b.root("IfcRoofType", c.code, PredefinedType="FLAT_ROOF", **values) if self.ifc4 else None
            elif entity == "IfcSlab":
                kind = b.root("IfcSlabType", c.code, PredefinedType="BASESLAB" if c.kind == "floor" else "FLOOR", **values)
            else:
                kind = b.root("IfcWallType", c.code, PredefinedType="STANDARD" if self.ifc4 or c.code == "" else "STANDARD", **values)
            if kind is not None:
                b.pset(kind, f"type/{c.code}", f"Pset_{'Wall' if entity == 'IfcWall' else entity[3:]}Common", self._common(c))
                b.pset(kind, f"type/{c.code}", "Bauteilangaben", {
                    "Bauteilcode": c.code, "Gesamtdicke in m": c.thickness, "Ausführung": c.note,
                    "Brandverhalten": "RF1" if "Stahlbeton" in str(c.layers) else "RF3"})
            self.types[c.code], made[c.code] = kind, []
        for p in PARTS:
            c = COMPONENTS[p.component]
            if c.building == self.key:
                made[c.code].append(self._part(p, c))
        for code, things in made.items():
            b.layers(COMPONENTS[code], things)

    def _part(self, p, c):
        b, entity = self.b, ENTITY[c.kind]
        extra = {}
        if entity == "IfcWall" and not self.ifc4:
            entity = "IfcWallStandardCase"
        if entity == "IfcSlab":
            extra["PredefinedType"] = "BASESLAB" if c.kind == "floor" else "FLOOR"
        if entity == "IfcRoof":
            extra = {"PredefinedType": "FLAT_ROOF"} if self.ifc4 else {"ShapeType": "FLAT_ROOF"}
        thing = b.root(entity, p.name, Name=p.name, ObjectType=f"{c.code} {c.name}", Tag=p.name.split()[0], **extra)
        b.contain(self.storeys[p.storey], thing)
        if self.types[c.code] is not None:
            b.typed(self.types[c.code], thing)
        else:
            b.pset(thing, f"part/{p.name}", "Pset_RoofCommon", self._common(c))
        if entity.startswith("IfcWall"):
            q = {"Length": ("Length", p.length), "Width": ("Length", c.thickness), "GrossSideArea": ("Area", p.gross),
                 "NetSideArea": ("Area", p.net), "NetVolume": ("Volume", p.net * c.thickness)}
            name = "Qto_WallBaseQuantities"
        else:
            q = {"Width": ("Length", c.thickness), "GrossArea": ("Area", p.gross), "NetArea": ("Area", p.net)}
            name = "Qto_RoofBaseQuantities" if entity == "IfcRoof" else "Qto_SlabBaseQuantities"
        b.quantities(thing, f"part/{p.name}", name if self.ifc4 else "BaseQuantities", q)
        b.classify(thing, c.ebkp, EBKP[c.ebkp])
        return thing

    def _opening_type(self, entity, t, common_name, values, own_name, own):
        b = self.b
        if self.ifc4:
            extra = {"PredefinedType": entity[3:].upper(), "OperationType": "DOUBLE_DOOR_SINGLE_SWING" if getattr(t, "leaves", 1) == 2 else "SINGLE_SWING_LEFT"} if entity == "IfcDoor" else {"PredefinedType": "WINDOW", "PartitioningType": "SINGLE_PANEL"}
            kind = b.root(f"{entity}Type", t.code, Name=f"{t.code} {t.name}", **extra)
        else:
            extra = {"OperationType": "DOUBLE_DOOR_SINGLE_SWING" if getattr(t, "leaves", 1) == 2 else "SINGLE_SWING_LEFT"} if entity == "IfcDoor" else {"OperationType": "SINGLE_PANEL"}
            kind = b.root(f"{entity}Style", t.code, Name=f"{t.code} {t.name}", ConstructionType="NOTDEFINED", ParameterTakesPrecedence=False, Sizeable=False, **extra)
        b.pset(kind, f"type/{t.code}", common_name, values)
        b.pset(kind, f"type/{t.code}", own_name, own)
        self.types[t.code] = kind

    def _doors(self):
        b = self.b
        for t in DOOR_TYPES.values():
            if t.building == self.key:
                self._opening_type("IfcDoor", t, "Pset_DoorCommon", {
                    "Reference": t.code, "FireRating": t.fire, "AcousticRating": f"Rw {t.acoustic} dB", "IsExternal": t.u is not None,
                    "SelfClosing": t.closer, "ThermalTransmittance": (U_VALUE, t.u) if t.u else None},
                    "Türangaben", {"Material": t.material, "Beschlag": t.fitting, "Flügel": t.leaves})
        for d in DOORS.values():
            if STOREYS[d.storey].building != self.key:
                continue
            t, room = DOOR_TYPES[d.type], ROOMS[d.room]
            door = b.root("IfcDoor", d.number, Name=d.number, ObjectType=f"{t.code} {t.name}", Tag=d.number, OverallHeight=t.height, OverallWidth=t.width,
                          Description=f"zu Raum {room.number} {room.name}")
            b.contain(self.storeys[d.storey], door)
            b.typed(self.types[d.type], door)
            b.pset(door, f"door/{d.number}", "Pset_DoorCommon", {
                "Reference": t.code, "FireRating": d.fire, "AcousticRating": f"Rw {d.acoustic} dB", "IsExternal": d.external,
                "FireExit": d.escape, "SelfClosing": t.closer})
            b.pset(door, f"door/{d.number}", "Türliste", {
                "Türnummer": d.number, "Raumnummer": room.number, "Raumbezeichnung": room.name, "Fluchtweg": d.escape,
                "Panikfunktion": d.panic, "Zutrittskontrolle": "Badge" if d.badge else "Schlüssel"})
            b.quantities(door, f"door/{d.number}", "Qto_DoorBaseQuantities" if self.ifc4 else "BaseQuantities", {
                "Width": ("Length", t.width), "Height": ("Length", t.height), "Area": ("Area", t.width * t.height)})
            code = "E3.2" if d.external else "G1.4"
            b.classify(door, code, EBKP[code])

    def _windows(self):
        b = self.b
        for t in WINDOW_TYPES.values():
            if t.building == self.key:
                self._opening_type("IfcWindow", t, "Pset_WindowCommon", {
                    "Reference": t.code, "FireRating": t.fire, "AcousticRating": f"Rw {t.acoustic} dB", "IsExternal": True,
                    "ThermalTransmittance": (U_VALUE, t.uw)},
                    "Fensterangaben", {"Verglasung": t.glass, "Ug-Wert in W/(m²K)": t.ug, "g-Wert": t.g, "Öffnungsart": t.opening})
        for w in WINDOWS.values():
            if STOREYS[w.storey].building != self.key:
                continue
            t, room = WINDOW_TYPES[w.type], ROOMS[w.room]
            window = b.root("IfcWindow", w.number, Name=w.number, ObjectType=f"{t.code} {t.name}", Tag=w.number, OverallHeight=t.height, OverallWidth=t.width,
                            Description=f"Raum {room.number} {room.name}")
            b.contain(self.storeys[w.storey], window)
            b.typed(self.types[w.type], window)
            side = {"N": "Nord", "O": "Ost", "S": "Süd", "W": "West", "H": "horizontal"}[w.side]
            b.pset(window, f"window/{w.number}", "Fensterliste", {
                "Fensternummer": w.number, "Raumnummer": room.number, "Ausrichtung": side,
                "Sonnenschutz": "Rafflamellenstore 90 mm, motorisch" if w.side in "SOW" and t.code in ("FE-01", "FE-02", "FE-13") else "keiner"})
            b.quantities(window, f"window/{w.number}", "Qto_WindowBaseQuantities" if self.ifc4 else "BaseQuantities", {
                "Width": ("Length", t.width), "Height": ("Length", t.height), "Area": ("Area", w.area)})
            b.classify(window, "E3.1", EBKP["E3.1"])

    def _columns_and_stairs(self):
        b = self.b
        columns = {"A": [("0", 8, "Stütze Stahlbeton rund 300 mm", "R60"), ("1", 6, "Stütze Brettschichtholz 240 × 240 mm", "R60"), ("2", 6, "Stütze Brettschichtholz 240 × 240 mm", "R60")],
                   "B": [("B0", 14, "Stütze Brettschichtholz GL28h 200 × 600 mm", "R30")]}[self.key]
        for storey, count, name, fire in columns:
            for i in range(1, count + 1):
                key = f"ST-{storey}.{i:02d}"
                column = b.root("IfcColumn", key, Name=key, ObjectType=name, Tag=key)
                b.contain(self.storeys[storey], column)
                b.pset(column, key, "Pset_ColumnCommon", {"Reference": name, "FireRating": fire, "LoadBearing": True, "IsExternal": False})
                b.classify(column, "C3.1", EBKP["C3.1"])
        flights = {"A": [(s, n) for s in "U01" for n in ("Ost", "West")], "B": [("BU", "Turnhalle"), ("B0", "Turnhalle")]}[self.key]
        for storey, name in flights:
            key = f"TR-{storey} {name}"
            stair = b.root("IfcStair", key, Name=f"Treppe {name} {STOREYS[storey].name}", ObjectType="Kunststeintreppe vorfabriziert",
                           **({"PredefinedType": "TWO_STRAIGHT_RUN_STAIR"} if self.ifc4 else {"ShapeType": "TWO_STRAIGHT_RUN_STAIR"}))
            b.contain(self.storeys[storey], stair)
            b.pset(stair, key, "Pset_StairCommon", {"FireRating": "REI60" if self.key == "A" else "REI30", "NumberOfRiser": 20 if storey != "B0" else 24,
                                                     "RiserHeight": ("IfcPositiveLengthMeasure", 0.18 if storey not in ("U", "BU", "B0") else 0.17 if storey == "U" else 0.16 if storey == "BU" else 0.175),
                                                     "TreadLength": ("IfcPositiveLengthMeasure", 0.29), "RequiredHeadroom": ("IfcPositiveLengthMeasure", 2.1)})
            b.classify(stair, "C4.3", EBKP["C4.3"])

    def _devices(self):
        b = self.b
        ebkp = {"WP": "D5.2", "SP": "D5.2", "BO": "D8.1", "LA": "D7.2", "LB": "D7.2", "EN": "D8.1", "HV": "D1.2", "US": "D1.2", "BM": "D1.2", "AU": "D9.1", "PV": "D1.2"}
        for d in DEVICES:
            if building_of(d) != self.key:
                continue
            entity = "IfcTransportElement" if d.tag.startswith("AU") else "IfcBuildingElementProxy"
            thing = b.root(entity, d.tag, Name=d.tag, Description=d.name, ObjectType=d.name, Tag=d.tag)
            b.contain(self.storeys[d.storey], thing)
            b.pset(thing, f"device/{d.tag}", "Gerätedaten", {"Bezeichnung": d.name, "Standort": d.room, **dict(d.values)})
            code = ebkp[d.tag[:2]]
            b.classify(thing, code, EBKP[code])


def write(folder) -> None:
    for building, (path, _) in FILES.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        Model(building).build().write(target, target.name)
