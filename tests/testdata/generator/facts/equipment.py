"""Building services and structure that the documents speak of: devices with their rated values."""

from __future__ import annotations

from dataclasses import dataclass

from .rooms import ROOMS
from .project import STOREYS


def supply_air(building: str) -> int:
    return sum(r.air for r in ROOMS.values() if r.building == building and r.air > 0)


@dataclass(frozen=True)
class Device:
    tag: str
    name: str
    room: str
    values: tuple[tuple[str, object], ...]

    @property
    def storey(self) -> str:
        return ROOMS[self.room].storey if self.room in ROOMS else self.room


DEVICES = (
    Device("WP-01", "Sole-Wasser-Wärmepumpe", "U.01", (
        ("Heizleistung B0/W35 in kW", 68.0), ("COP B0/W35", 4.7), ("Kältemittel", "R290 (Propan)"), ("Vorlauftemperatur in °C", 35.0))),
    Device("SP-01", "Pufferspeicher Heizung", "U.01", (("Inhalt in l", 1500.0), ("Dämmung in mm", 120.0))),
    Device("BO-SP-01", "Brauchwarmwasserspeicher", "U.01", (("Inhalt in l", 500.0), ("Ladetemperatur in °C", 60.0))),
    Device("LA-01", "Lüftungsmonoblock Haus A", "U.02", (
        ("Zuluft in m³/h", float(100 * round(supply_air("A") / 100))), ("Wärmerückgewinnung in %", 80.0),
        ("SFP in W/(m³/h)", 0.38), ("Filter Zuluft", "ePM1 60 %"))),
    Device("EN-01", "Enthärtungsanlage", "U.03", (("Resthärte in °fH", 15.0),)),
    Device("HV-01", "Elektrohauptverteilung", "U.04", (("Bemessungsstrom in A", 400.0), ("Reserveplätze in %", 25.0))),
    Device("USV-01", "Unterbrechungsfreie Stromversorgung", "U.04", (("Leistung in kVA", 10.0), ("Überbrückung in min", 30.0))),
    Device("BMZ-01", "Brandmeldezentrale", "0.09", (("Melder Haus A", 94.0), ("Übermittlung", "Feuerwehr Beispikon"))),
    Device("AU-01", "Personenaufzug rollstuhlgängig", "0.01", (("Nutzlast in kg", 675.0), ("Haltestellen", 4.0), ("Türbreite in m", 0.9))),
    Device("LB-01", "Lüftungsmonoblock Turnhalle", "BU.01", (
        ("Zuluft in m³/h", float(100 * round(supply_air("B") / 100))), ("Wärmerückgewinnung in %", 75.0), ("SFP in W/(m³/h)", 0.42), ("Filter Zuluft", "ePM1 50 %"))),
    Device("BO-SP-02", "Brauchwarmwasserspeicher Turnhalle", "BU.01", (("Inhalt in l", 800.0), ("Ladetemperatur in °C", 60.0))),
    Device("PV-01", "Photovoltaikanlage Hallendach", "B1", (
        ("Leistung in kWp", 96.0), ("Module", 240.0), ("Modulleistung in Wp", 400.0), ("Jahresertrag in kWh", 91200.0))),
)

DEVICE = {d.tag: d for d in DEVICES}


def building_of(device: Device) -> str:
    return STOREYS[device.storey].building
