"""Rooms with areas and finishes, and the doors and windows that belong to them."""

from __future__ import annotations

from dataclasses import dataclass

from .components import DOOR_TYPES, WINDOW_TYPES
from .project import STOREYS


@dataclass(frozen=True)
class Use:
    """What rooms of one use have in common."""

    name: str
    floor: str
    wall: str
    ceiling: str
    temperature: int
    lux: int
    air: float  # supply air in m3/h per m2
    reverberation: float | None = None


USES = {
    "SZ": Use("Schulzimmer", "Linoleum 4 mm, grau-grün", "Gipsfaserplatte gestrichen, Pinnwand Rückseite", "Akustikdecke Holzwolle 35 mm", 20, 500, 8.5, 0.55),
    "GR": Use("Gruppenraum", "Linoleum 4 mm, grau-grün", "Gipsfaserplatte gestrichen", "Akustikdecke Holzwolle 35 mm", 20, 500, 8.0, 0.50),
    "FA": Use("Fachraum", "Linoleum 4 mm, anthrazit", "Gipsfaserplatte gestrichen, abwaschbar", "Akustikdecke Holzwolle 35 mm", 20, 500, 9.0, 0.55),
    "WE": Use("Werkraum", "Hirnholzparkett Eiche 22 mm", "Dreischichtplatte Fichte", "Akustikdecke Holzwolle 35 mm", 18, 500, 10.0, 0.70),
    "MU": Use("Musikraum", "Eichenparkett 10 mm", "Akustikpaneele geschlitzt, Eiche", "Akustiksegel und Holzwolle 50 mm", 20, 500, 9.0, 0.80),
    "BE": Use("Betreuung", "Linoleum 4 mm, ockergelb", "Dreischichtplatte Fichte lasiert", "Akustikdecke Holzwolle 35 mm", 21, 300, 8.0, 0.50),
    "ES": Use("Mittagstisch", "Kautschukbelag 3.5 mm", "Abrieb 1.5 mm gestrichen", "Akustikbaffeln Filz 40 mm", 20, 300, 10.0, 0.60),
    "KU": Use("Küche", "Feinsteinzeug R12, 20 × 20 cm", "Wandplatten bis Decke", "Metallkassetten Hygiene", 18, 500, 25.0),
    "BU": Use("Büro", "Linoleum 4 mm, grau-grün", "Abrieb 1.5 mm gestrichen", "Akustikdecke Holzwolle 35 mm", 21, 500, 4.0, 0.60),
    "EH": Use("Eingangshalle", "Terrazzoplatten geschliffen", "Sichtbeton Typ 4", "Akustikputz 25 mm", 18, 200, 3.0, 0.90),
    "KO": Use("Korridor", "Terrazzoplatten geschliffen", "Sichtbeton Typ 4, Garderobenleiste Eiche", "Akustikputz 25 mm", 18, 150, 2.0, 1.00),
    "TH": Use("Treppenhaus", "Kunststein, Trittkanten kontrastreich", "Sichtbeton Typ 4", "Akustikputz 25 mm", 18, 150, 0.0),
    "WC": Use("WC-Anlage", "Feinsteinzeug R10, 30 × 30 cm", "Wandplatten bis 2.10 m", "Gipskarton imprägniert", 18, 200, -15.0),
    "PU": Use("Putzraum", "Feinsteinzeug R10, 30 × 30 cm", "Wandplatten bis 1.50 m", "Beton roh gestrichen", 15, 200, -10.0),
    "LA": Use("Lager", "Zementüberzug versiegelt", "Kalksandstein gestrichen", "Beton roh gestrichen", 12, 150, 1.0),
    "TE": Use("Technik", "Zementüberzug versiegelt, staubfrei", "Beton roh gestrichen", "Beton roh", 12, 200, 1.5),
    "SR": Use("Schutzraum", "Zementüberzug", "Beton roh", "Beton roh", 10, 100, 1.0),
    "TU": Use("Turnhalle", "Schwingboden flächenelastisch, Linoleum", "Prallwand IW-12 bis 2.80 m", "Hohlkasten gelocht, Akustikeinlage", 18, 300, 6.0, 1.60),
    "GA": Use("Garderobe", "Feinsteinzeug R11, 20 × 20 cm", "Wandplatten bis 2.10 m", "Metallkassetten gelocht", 22, 200, 12.0),
    "DU": Use("Dusche", "Feinsteinzeug R11 (B), 10 × 10 cm", "Wandplatten bis Decke", "Metallkassetten feuchtraumtauglich", 22, 200, -30.0),
    "GE": Use("Geräteraum", "Hartbetonbelag", "Dreischichtplatte bis 2.00 m", "Beton roh gestrichen", 15, 200, 1.0),
}


@dataclass(frozen=True)
class Room:
    number: str
    storey: str
    name: str
    use: str
    area: float
    side: str  # facade orientation N, O, S, W or "" for inner rooms
    doors: tuple[str, ...]
    windows: tuple[tuple[str, int], ...]
    remark: str = ""

    @property
    def building(self) -> str:
        return STOREYS[self.storey].building

    @property
    def air(self) -> int:
        """Supply (positive) or exhaust (negative) air in m3/h, rounded to 5."""
        return int(5 * round(self.area * USES[self.use].air / 5))


# storey | number | name | use | area | facade | doors | windows | remark
_ROOMS = """
U|01|Heizzentrale|TE|38.0||TY-03||Sole-Wasser-Wärmepumpe, Pufferspeicher
U|02|Lüftungszentrale|TE|64.0|N|TY-03|FE-04:2|Monoblock Haus A
U|03|Sanitärverteilung|TE|14.0||TY-03||Wasserzähler, Enthärtung
U|04|Elektrohauptverteilung|TE|16.0||TY-03||Hauptverteilung, USV
U|05|Archiv Schulverwaltung|LA|32.0||TY-02||Rollregalanlage
U|06|Lager Schulmobiliar|LA|58.0|S|TY-02|FE-04:2|
U|07|Werkstatt Hauswart|LA|36.0|S|TY-02|FE-04:2|
U|08|Schutzraum 1|SR|68.0||TY-08||68 Schutzplätze, im Frieden Lager
U|09|Schutzraum 2|SR|52.0||TY-08||52 Schutzplätze, im Frieden Lager
U|10|Schleuse|SR|6.0||TY-08||
U|11|Treppenhaus Ost|TH|28.5||TY-04||
U|12|Treppenhaus West|TH|28.5||TY-04||
U|13|Korridor Untergeschoss|KO|54.0||||
U|14|Waschküche|PU|18.0|S|TY-02|FE-04:1|Waschmaschine, Trockner
U|15|ICT-Raum|TE|12.0||TY-03||Gebäudeverteiler, Kühlung 3.5 kW
U|16|Velokeller|LA|86.0|S|TY-02 TY-07|FE-04:3|64 Abstellplätze
0|01|Eingangshalle|EH|84.0|S|TY-05 TY-05|FE-03:6|Windfang mit Schmutzschleuse 6 m
0|02|Treppenhaus Ost|TH|28.5|O|TY-04 TY-07|FE-06:1|
0|03|Treppenhaus West|TH|28.5|W|TY-04 TY-07|FE-06:1|
0|04|Korridor Erdgeschoss|KO|84.0|N||FE-02:2|
0|05|Mittagstisch|ES|96.0|S|TY-02 TY-07|FE-03:4|80 Sitzplätze
0|06|Regenerierküche|KU|32.0|N|TY-02 TY-07|FE-01:2|Anlieferung Nord
0|07|Vorratsraum|LA|9.5||TY-06||Kühlzelle 4 m²
0|08|Schulleitung|BU|24.0|S|TY-01|FE-01:2|
0|09|Sekretariat|BU|28.0|S|TY-01|FE-01:2|Schalter zur Eingangshalle
0|10|Besprechung|BU|18.0|N|TY-01|FE-01:1|
0|11|Lehrerzimmer|BU|62.0|N|TY-01|FE-01:4|Teeküche
0|12|Kopierraum|BU|11.0||TY-02||Abluft 150 m³/h
0|13|WC Mädchen|WC|15.5||TY-06||4 WC
0|14|WC Knaben|WC|15.5||TY-06||2 WC, 3 Urinale
0|15|WC IV|WC|5.2||TY-06||rollstuhlgerecht nach SIA 500
0|16|Putzraum|PU|4.8||TY-06||
0|17|Betreuungsraum 1|BE|58.0|S|TY-01|FE-01:4|
0|18|Betreuungsraum 2|BE|46.0|N|TY-01|FE-01:3|
0|19|Garderobe Betreuung|BE|14.0||TY-01||
0|20|Sanitätszimmer|BU|12.0|N|TY-01|FE-01:1|Liege, Waschbecken
0|21|Elektrounterverteilung|TE|4.5||TY-03||
1|01|Schulzimmer 1|SZ|70.5|S|TY-01|FE-01:4|
1|02|Schulzimmer 2|SZ|70.5|S|TY-01|FE-01:4|
1|03|Schulzimmer 3|SZ|72.0|S|TY-01|FE-01:4|
1|04|Schulzimmer 4|SZ|72.0|N|TY-01|FE-01:4|
1|05|Schulzimmer 5|SZ|70.5|N|TY-01|FE-01:4|
1|06|Schulzimmer 6|SZ|70.5|N|TY-01|FE-01:4|
1|07|Gruppenraum 1|GR|21.0|S|TY-01|FE-01:2|
1|08|Gruppenraum 2|GR|24.5|N|TY-01|FE-01:2|
1|09|Gruppenraum 3|GR|21.0|N|TY-01|FE-01:2|
1|10|Treppenhaus Ost|TH|28.5|O|TY-04|FE-06:2|
1|11|Treppenhaus West|TH|28.5|W|TY-04|FE-06:2|
1|12|Korridor 1. Obergeschoss|KO|78.0|S||FE-02:2|
1|13|WC Mädchen|WC|14.5||TY-06||4 WC
1|14|WC Knaben|WC|14.5||TY-06||2 WC, 3 Urinale
1|15|WC Lehrpersonen|WC|5.0||TY-06||
1|16|Putzraum|PU|4.8||TY-06||
1|17|Materialraum|LA|12.0||TY-02||
1|18|Elektrounterverteilung|TE|4.5||TY-03||
2|01|Schulzimmer 7|SZ|70.5|S|TY-01|FE-01:4|
2|02|Schulzimmer 8|SZ|70.5|S|TY-01|FE-01:4|
2|03|Gruppenraum 4|GR|21.0|S|TY-01|FE-01:2|
2|04|Werken Holz|WE|84.0|N|TY-02 TY-02|FE-01:5|Späneabsaugung, Not-Aus
2|05|Maschinenraum|WE|22.0|N|TY-02|FE-01:1|Zutritt nur Lehrpersonen
2|06|Textiles Gestalten|FA|78.0|N|TY-01|FE-01:4|
2|07|Naturwissenschaften|FA|82.0|S|TY-01 TY-02|FE-01:5|Kapelle, Gasanschluss entfällt
2|08|Sammlung Naturwissenschaften|LA|20.0|S|TY-02|FE-01:1|Chemikalienschrank EI90
2|09|Musikzimmer|MU|74.0|N|TY-01|FE-01:4|
2|10|Treppenhaus Ost|TH|28.5|O|TY-04|FE-06:2|Oberlicht RWA
2|11|Treppenhaus West|TH|28.5|W|TY-04|FE-06:2|Oberlicht RWA
2|12|Korridor 2. Obergeschoss|KO|66.0|S||FE-02:2|
2|13|WC Mädchen|WC|14.5||TY-06||4 WC
2|14|WC Knaben|WC|14.5||TY-06||2 WC, 3 Urinale
2|15|WC Lehrpersonen|WC|5.0||TY-06||
2|16|Putzraum|PU|4.8||TY-06||
2|17|Elektrounterverteilung|TE|4.5||TY-03||
BU|01|Technik Turnhalle|TE|42.0||TY-15||Lüftung, Boiler 800 l
BU|02|Lager Vereine|LA|38.0||TY-14||
BU|03|Korridor Untergeschoss|KO|18.0||||
BU|04|Treppe|TH|12.0||TY-14||
B0|01|Turnhalle|TU|448.0|S|TY-13 TY-13 TY-14|FE-11:12|Spielfeld 28 × 16 m, lichte Höhe 7.00 m
B0|02|Geräteraum innen|GE|82.0||TY-11 TY-11 TY-11||
B0|03|Aussengeräteraum|GE|34.0|O|TY-13||Rasentraktor, Spielgeräte
B0|04|Foyer Turnhalle|EH|48.0|W|TY-13|FE-13:2|
B0|05|Garderobe Mädchen|GA|28.0|N|TY-12|FE-12:3|
B0|06|Dusche Mädchen|DU|18.5|N|TY-12|FE-12:1|6 Duschen
B0|07|Garderobe Knaben|GA|28.0|N|TY-12|FE-12:3|
B0|08|Dusche Knaben|DU|18.5|N|TY-12|FE-12:1|6 Duschen
B0|09|Garderobe Lehrpersonen|GA|9.5|N|TY-12|FE-12:1|
B0|10|WC Damen|WC|9.0||TY-12||2 WC
B0|11|WC Herren|WC|9.0||TY-12||1 WC, 2 Urinale
B0|12|WC IV|WC|5.0||TY-12||rollstuhlgerecht nach SIA 500
B0|13|Korridor Garderoben|KO|36.0|||FE-12:2|
B0|14|Putzraum|PU|5.0||TY-12||Reinigungsautomat
B0|15|Treppe|TH|12.0||TY-14||
B1|01|Galerie Zuschauer|EH|98.0|W|TY-14|FE-13:5|120 Stehplätze
B1|02|Mehrzweckraum|FA|56.0|W|TY-14|FE-13:3|
B1|03|Teeküche|BU|9.0|N|TY-12|FE-12:1|
B1|04|Stuhllager|LA|16.0||TY-14||220 Stapelstühle
B1|05|Treppe|TH|12.0||TY-14||
"""


def _rooms() -> dict[str, Room]:
    rooms = {}
    for line in _ROOMS.strip().splitlines():
        storey, nr, name, use, area, side, doors, windows, remark = line.split("|")
        wins = tuple((w.split(":")[0], int(w.split(":")[1])) for w in windows.split())
        room = Room(f"{storey}.{nr}", storey, name, use, float(area), side, tuple(doors.split()), wins, remark)
        rooms[room.number] = room
    return rooms


ROOMS = _rooms()


@dataclass(frozen=True)
class Door:
    number: str
    storey: str
    room: str
    type: str
    fire: str
    acoustic: int
    escape: bool
    panic: bool
    badge: bool
    external: bool

    @property
    def clear_width(self) -> float:
        return DOOR_TYPES[self.type].width


@dataclass(frozen=True)
class Window:
    number: str
    storey: str
    room: str
    type: str
    side: str

    @property
    def area(self) -> float:
        t = WINDOW_TYPES[self.type]
        return round(t.width * t.height, 2)


# Doors that depart from their type: the reason stands in the fire-protection concept and in RFI-014.
DOOR_FIRE = {("2.08", "TY-02"): "EI60", ("U.05", "TY-02"): "EI60"}
DOOR_ACOUSTIC = {"2.09": 42, "0.08": 42}


def _doors() -> dict[str, Door]:
    doors, counters = {}, {}
    for room in ROOMS.values():
        for code in room.doors:
            t = DOOR_TYPES[code]
            counters[room.storey] = n = counters.get(room.storey, 0) + 1
            external = t.u is not None
            doors[f"T-{room.storey}.{n:02d}"] = Door(
                number=f"T-{room.storey}.{n:02d}",
                storey=room.storey,
                room=room.number,
                type=code,
                fire=DOOR_FIRE.get((room.number, code), t.fire),
                acoustic=DOOR_ACOUSTIC.get(room.number, t.acoustic),
                escape=external or code in ("TY-04", "TY-14"),
                panic="EN 1125" in t.fitting,
                badge=external or room.use in ("TE", "BU", "WE") or room.number == "2.08",
                external=external,
            )
    return doors


def _windows() -> dict[str, Window]:
    windows, counters = {}, {}

    def add(storey: str, room: str, code: str, side: str) -> None:
        counters[storey] = n = counters.get(storey, 0) + 1
        number = f"F-{storey}.{n:02d}"
        windows[number] = Window(number, storey, room, code, side)

    for room in ROOMS.values():
        for code, count in room.windows:
            for _ in range(count):
                add(room.storey, room.number, code, room.side or "N")
    add("D", "2.10", "FE-05", "H")
    add("D", "2.11", "FE-05", "H")
    return windows


DOORS = _doors()
WINDOWS = _windows()


def rooms_of(storey: str) -> list[Room]:
    return [r for r in ROOMS.values() if r.storey == storey]


def net_area(storey: str) -> float:
    return round(sum(r.area for r in rooms_of(storey)), 1)


def doors_of(storey: str) -> list[Door]:
    return [d for d in DOORS.values() if d.storey == storey]


def windows_of(storey: str) -> list[Window]:
    return [w for w in WINDOWS.values() if w.storey == storey]
