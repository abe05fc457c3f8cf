"""Building components: layers, U-values computed from them, fire and acoustic ratings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Layer:
    """A layer from outside to inside; `conductivity` is None where the layer does not count (ventilated, sealing)."""

    material: str
    thickness: float
    conductivity: float | None = None

    @property
    def resistance(self) -> float:
        return self.thickness / self.conductivity if self.conductivity else 0.0


@dataclass(frozen=True)
class Component:
    code: str
    building: str
    kind: str  # wall, slab, floor, roof
    name: str
    layers: tuple[Layer, ...]
    rse: float
    rsi: float
    external: bool
    bearing: bool
    fire: str
    acoustic: str
    ebkp: str
    note: str = ""

    @property
    def thickness(self) -> float:
        return round(sum(l.thickness for l in self.layers), 4)

    @property
    def resistance(self) -> float:
        return self.rse + self.rsi + sum(l.resistance for l in self.layers)

    @property
    def u(self) -> float | None:
        """Thermal transmittance in W/(m2.K), for components of the thermal envelope only."""
        return round(1 / self.resistance, 2) if self.external else None


def _c(code, building, kind, name, ebkp, layers, rse, rsi, external, bearing, fire, acoustic, note=""):
    parts = tuple(Layer(*l) for l in layers)
    return Component(code, building, kind, name, parts, rse, rsi, external, bearing, fire, acoustic, ebkp, note)


COMPONENTS = {
    c.code: c
    for c in (
        _c("AW-01", "A", "wall", "Aussenwand Holzelement hinterlüftet", "C2.1",
           [("Fichtenschalung vertikal, druckimprägniert", 0.024), ("Lattung, Hinterlüftung", 0.040),
            ("Holzfaserplatte", 0.060, 0.044), ("Ständer Fichte / Glaswolle", 0.240, 0.048),
            ("OSB-Platte luftdicht", 0.018, 0.13), ("Lattung, Installationsraum", 0.040),
            ("Gipsfaserplatte", 0.015, 0.32)],
           0.08, 0.13, True, True, "REI60", "R'w 48 dB"),
        _c("AW-02", "A", "wall", "Kellerwand gegen Erdreich", "C2.1",
           [("Sickerplatte", 0.050), ("Extrudierter Polystyrolschaum XPS", 0.160, 0.036),
            ("Stahlbeton C30/37", 0.250, 2.30)],
           0.0, 0.13, True, True, "REI90", ""),
        _c("AW-03", "A", "wall", "Sockelwand Stahlbeton mit Klinker", "C2.1",
           [("Klinkerriemchen", 0.020), ("Extrudierter Polystyrolschaum XPS", 0.200, 0.034),
            ("Stahlbeton C30/37", 0.200, 2.30)],
           0.04, 0.13, True, True, "REI60", "R'w 56 dB"),
        _c("IW-01", "A", "wall", "Innenwand Stahlbeton Treppenhaus", "C2.2",
           [("Weissputz", 0.010), ("Stahlbeton C30/37", 0.220, 2.30)],
           0.13, 0.13, False, True, "REI60", "R'w 58 dB"),
        _c("IW-02", "A", "wall", "Trennwand Schulzimmer, Doppelständer", "G1.1",
           [("Gipskartonplatte 2 × 12.5 mm", 0.025), ("Metallständer / Steinwolle", 0.155),
            ("Gipskartonplatte 2 × 12.5 mm", 0.025)],
           0.13, 0.13, False, False, "EI30", "R'w 54 dB"),
        _c("IW-03", "A", "wall", "Installationswand Nasszellen", "G1.1",
           [("Gipskartonplatte imprägniert", 0.025), ("Metallständer / Glaswolle", 0.100),
            ("Gipskartonplatte imprägniert", 0.025)],
           0.13, 0.13, False, False, "EI30", "R'w 47 dB"),
        _c("IW-04", "A", "wall", "Kalksandsteinwand Untergeschoss", "C2.2",
           [("Kalksandstein", 0.150, 1.00)],
           0.13, 0.13, False, False, "EI60", "R'w 46 dB"),
        _c("IW-05", "A", "wall", "Brettsperrholzwand tragend", "C2.2",
           [("Gipsfaserplatte", 0.015), ("Brettsperrholz Fichte", 0.140, 0.13), ("Gipsfaserplatte", 0.015)],
           0.13, 0.13, False, True, "REI60", "R'w 49 dB"),
        _c("DE-01", "A", "slab", "Geschossdecke Holz-Beton-Verbund", "C4.1",
           [("Linoleum", 0.004), ("Anhydrit-Unterlagsboden", 0.060), ("Trittschalldämmung Steinwolle", 0.030),
            ("Überbeton bewehrt", 0.120), ("Brettstapel Fichte", 0.160)],
           0.17, 0.17, False, True, "REI60", "L'nT,w 48 dB"),
        _c("DE-02", "A", "slab", "Decke über Untergeschoss", "C4.1",
           [("Stahlbeton C30/37", 0.240, 2.30), ("EPS-Dämmplatte", 0.120, 0.031),
            ("Trittschalldämmung EPS-T", 0.020, 0.032), ("Zementunterlagsboden", 0.080, 1.40),
            ("Linoleum", 0.004, 0.17)],
           0.17, 0.17, True, True, "REI60", "L'nT,w 45 dB", "gegen unbeheizt"),
        _c("BO-01", "A", "floor", "Bodenplatte Untergeschoss", "C1.4",
           [("Magerbeton", 0.050), ("Extrudierter Polystyrolschaum XPS", 0.120, 0.036),
            ("Stahlbeton C30/37 wasserdicht", 0.300, 2.30), ("Zementüberzug", 0.060, 1.40)],
           0.0, 0.17, True, True, "", ""),
        _c("DA-01", "A", "roof", "Flachdach extensiv begrünt", "C4.4",
           [("Vegetationssubstrat", 0.100), ("Polymerbitumen-Dichtungsbahn zweilagig", 0.010),
            ("EPS-Dämmplatte im Gefälle", 0.260, 0.030), ("Dampfbremse bituminös", 0.004),
            ("Brettsperrholz Fichte", 0.200, 0.13)],
           0.04, 0.10, True, True, "REI60", "R'w 47 dB"),
        _c("DA-02", "A", "roof", "Vordach Haupteingang", "C4.5",
           [("Chromstahlblech", 0.001), ("Dreischichtplatte", 0.042), ("Stahlträger IPE 200", 0.200)],
           0.04, 0.10, False, True, "R30", ""),
        _c("AW-11", "B", "wall", "Aussenwand Halle, Holzrahmenelement", "C2.1",
           [("Lärchenschalung horizontal", 0.027), ("Lattung, Hinterlüftung", 0.040),
            ("Weichfaserplatte", 0.040, 0.044), ("Rahmen Fichte / Zellulose", 0.220, 0.049),
            ("Dreischichtplatte Fichte", 0.027, 0.13)],
           0.08, 0.13, True, True, "REI30", "R'w 45 dB"),
        _c("AW-12", "B", "wall", "Kellerwand Turnhalle gegen Erdreich", "C2.1",
           [("Sickerplatte", 0.050), ("Extrudierter Polystyrolschaum XPS", 0.140, 0.036),
            ("Stahlbeton C25/30", 0.250, 2.30)],
           0.0, 0.13, True, True, "REI90", ""),
        _c("IW-11", "B", "wall", "Innenwand Stahlbeton Garderobentrakt", "C2.2",
           [("Stahlbeton C25/30 sichtbar", 0.200, 2.30)],
           0.13, 0.13, False, True, "REI30", "R'w 56 dB"),
        _c("IW-12", "B", "wall", "Prallwand ballwurfsicher", "G1.1",
           [("Perforierte Dreischichtplatte", 0.027), ("Akustikvlies, Steinwolle", 0.060), ("Lattenrost elastisch", 0.050)],
           0.13, 0.13, False, False, "", ""),
        _c("IW-13", "B", "wall", "Leichtbauwand Nebenräume", "G1.1",
           [("Gipskartonplatte 2 × 12.5 mm", 0.025), ("Metallständer / Glaswolle", 0.100),
            ("Gipskartonplatte 2 × 12.5 mm", 0.025)],
           0.13, 0.13, False, False, "EI30", "R'w 50 dB"),
        _c("DE-11", "B", "slab", "Galeriedecke Brettsperrholz", "C4.1",
           [("Linoleum", 0.004), ("Zementunterlagsboden", 0.070), ("Trittschalldämmung Steinwolle", 0.030),
            ("Brettsperrholz Fichte", 0.200)],
           0.17, 0.17, False, True, "REI30", "L'nT,w 50 dB"),
        _c("BO-11", "B", "floor", "Hallenboden gegen Erdreich", "C1.4",
           [("Magerbeton", 0.050), ("XPS-Dämmplatte", 0.160, 0.035), ("Stahlbeton C25/30", 0.250, 2.30),
            ("Schwingboden flächenelastisch mit Linoleum", 0.120, 0.20)],
           0.0, 0.17, True, True, "", ""),
        _c("DA-11", "B", "roof", "Hallendach mit Photovoltaik", "C4.4",
           [("Photovoltaik, Unterkonstruktion", 0.150), ("Kunststoff-Dichtungsbahn FPO", 0.002),
            ("Steinwolle-Dämmplatte", 0.240, 0.036), ("Dampfsperre", 0.002),
            ("Hohlkastenelement Fichte", 0.220, 0.24)],
           0.04, 0.10, True, True, "REI30", "R'w 45 dB"),
    )
}


@dataclass(frozen=True)
class WindowType:
    code: str
    building: str
    name: str
    width: float
    height: float
    uw: float
    ug: float
    g: float
    acoustic: int
    fire: str
    opening: str
    glass: str
    ebkp: str = "E3.1"


WINDOW_TYPES = {
    w.code: w
    for w in (
        WindowType("FE-01", "A", "Holz-Metall-Fenster Drehkipp", 1.40, 2.10, 0.90, 0.60, 0.50, 38, "", "Drehkipp", "3-fach 4/16/4/16/4, Argon"),
        WindowType("FE-02", "A", "Holz-Metall-Fenster Festverglasung", 1.80, 2.40, 0.80, 0.60, 0.50, 40, "", "fest", "3-fach VSG 44.2 innen, Argon"),
        WindowType("FE-03", "A", "Pfosten-Riegel-Verglasung Foyer", 2.40, 3.00, 0.95, 0.60, 0.45, 36, "", "fest", "3-fach ESG/VSG, Argon, Siebdruckpunkte gegen Vogelschlag"),
        WindowType("FE-04", "A", "Kellerfenster Kunststoff", 1.00, 0.60, 1.20, 0.70, 0.50, 30, "", "Kipp", "3-fach, einbruchhemmend RC2"),
        WindowType("FE-05", "A", "Dachoberlicht mit RWA", 1.20, 1.20, 1.10, 0.90, 0.48, 32, "", "RWA-Klappe 24 V", "3-fach, VSG innen"),
        WindowType("FE-06", "A", "Brandschutzverglasung Treppenhaus", 1.20, 2.10, 1.30, 1.00, 0.42, 37, "EI30", "fest", "Brandschutzglas EI30, Stahlrahmen thermisch getrennt"),
        WindowType("FE-11", "B", "Hallenfenster ballwurfsicher", 3.00, 1.80, 1.05, 0.70, 0.40, 35, "", "Kipp motorisch", "3-fach VSG beidseitig, ballwurfsicher nach DIN 18032-3"),
        WindowType("FE-12", "B", "Fenster Nebenräume", 1.20, 0.90, 1.00, 0.60, 0.50, 35, "", "Kipp", "3-fach, innen satiniert"),
        WindowType("FE-13", "B", "Galerieverglasung aussen", 2.40, 2.20, 0.85, 0.60, 0.48, 38, "", "fest", "3-fach VSG innen, Argon"),
    )
}


@dataclass(frozen=True)
class DoorType:
    code: str
    building: str
    name: str
    width: float
    height: float
    fire: str
    acoustic: int
    u: float | None
    leaves: int
    closer: bool
    material: str
    fitting: str


DOOR_TYPES = {
    d.code: d
    for d in (
        DoorType("TY-01", "A", "Schulzimmertür Holz mit Seitenverglasung", 1.00, 2.10, "", 37, None, 1, False, "Vollspan, Eiche furniert, Blockzarge", "Drückergarnitur Edelstahl, Zylinder 22 mm"),
        DoorType("TY-02", "A", "Brandschutztür Holz einflüglig", 1.00, 2.10, "EI30", 35, None, 1, True, "Holzwerkstoff beschichtet, Stahlzarge", "Türschliesser mit Gleitschiene"),
        DoorType("TY-03", "A", "Stahltür Technikraum", 1.00, 2.10, "EI30-RF1", 32, None, 1, True, "Stahlblech doppelwandig, nicht brennbar", "Türschliesser, Blindzylinder Technik"),
        DoorType("TY-04", "A", "Rahmentür verglast zweiflüglig", 2.00, 2.40, "EI30", 33, None, 2, True, "Stahlrohrrahmen, Brandschutzglas", "Haftmagnete, Freigabe über Brandmeldeanlage"),
        DoorType("TY-05", "A", "Haupteingangstür Metall-Glas zweiflüglig", 2.20, 2.50, "", 30, 1.20, 2, True, "Aluminium thermisch getrennt, VSG", "Automatischer Drehantrieb, Panikschloss EN 1125"),
        DoorType("TY-06", "A", "Nasszellentür Kunstharz", 0.90, 2.10, "", 27, None, 1, True, "Vollkernplatte HPL", "Riegel mit Anzeige, Notentriegelung"),
        DoorType("TY-07", "A", "Aussentür Fluchtweg einflüglig", 1.10, 2.30, "", 32, 1.30, 1, True, "Aluminium thermisch getrennt", "Panikstange EN 1125, Türzustandsüberwachung"),
        DoorType("TY-08", "A", "Schutzraum-Panzertür", 1.00, 1.85, "EI90", 45, None, 1, False, "Stahlbeton in Stahlrahmen", "Zentralverschluss, geprüft für Schutzräume"),
        DoorType("TY-11", "B", "Geräteraumtor schwenkbar", 4.50, 2.50, "", 25, None, 1, False, "Stahlrahmen mit Holzbeplankung, prallschutzbündig", "Gegengewicht, Quetschschutz EN 12604"),
        DoorType("TY-12", "B", "Garderobentür", 1.00, 2.10, "", 30, None, 1, True, "Vollkernplatte HPL, Nassraum", "Türschliesser, Edelstahlsockel"),
        DoorType("TY-13", "B", "Aussentür Halle zweiflüglig", 2.00, 2.40, "", 32, 1.30, 2, True, "Aluminium thermisch getrennt", "Panikstange EN 1125 beidflüglig"),
        DoorType("TY-14", "B", "Brandschutztür Turnhalle", 1.20, 2.10, "EI30", 35, None, 1, True, "Holzwerkstoff beschichtet, Stahlzarge", "Türschliesser, Haftmagnet"),
        DoorType("TY-15", "B", "Stahltür Technik Turnhalle", 1.00, 2.10, "EI30-RF1", 32, None, 1, True, "Stahlblech doppelwandig", "Türschliesser"),
    )
}
