"""The question file: what planners ask of this project, with every place that answers it."""

from __future__ import annotations

import json
import pathlib

import bcf_file
import rfi_files
from facts import energy
from facts.plans import PLANS
from facts.project import STOREYS
from facts.rfis import SERVICES, TRADES
from facts.rooms import DOORS, ROOMS, WINDOWS
from facts.walls import PARTS
from ifc_models import FILES, element_id
from pages import find

TARGET = "questions.jsonl"


def ifc(entity: str, *names: str) -> list[dict]:
    """Elements by entity and name; the model follows from the name's place in the facts."""
    places = []
    for name in names:
        storey = {"IfcDoor": DOORS, "IfcWindow": WINDOWS, "IfcSpace": ROOMS}.get(entity, {}).get(name)
        key = storey.storey if storey else next((p.storey for p in PARTS if p.name == name), "U")
        building = STOREYS[key].building
        places.append({"path": FILES[building][0], "global_id": element_id(building, entity, name)})
    return places


def parts(code: str) -> list[dict]:
    """All elements of a component."""
    places = []
    for p in PARTS:
        if p.component == code:
            building = STOREYS[p.storey].building
            kind = {"A": "IfcWall", "B": "IfcWallStandardCase"}[building] if code[:2] in ("AW", "IW") else "IfcRoof" if code[:2] == "DA" else "IfcSlab"
            places.append({"path": FILES[building][0], "global_id": element_id(building, kind, p.name)})
    return places


def device(tag: str, building: str = "A") -> list[dict]:
    return [{"path": FILES[building][0], "global_id": element_id(building, "IfcBuildingElementProxy", tag)}]


def windows(code: str) -> list[dict]:
    return ifc("IfcWindow", *(w.number for w in WINDOWS.values() if w.type == code))


def rfi(*numbers: str) -> list[dict]:
    path = {"RFI": rfi_files.CSV, "HT": rfi_files.XLSX}
    return [{"path": path[n.split("-")[0]], "record": n} for n in numbers]


def bcf(number: str) -> list[dict]:
    """A topic under both of its names: its GUID, and the number that its title starts with."""
    return [{"path": bcf_file.TARGET, "record": r} for t in bcf_file.topics() if t["number"] == number for r in (t["guid"], number)]


def facts() -> list[tuple]:
    a, b = energy.balance("A"), energy.balance("B")
    class_rooms = [r.number for r in ROOMS.values() if r.use == "SZ" and r.area == 70.5]
    return [
        ("de", "Welchen U-Wert müssen wir für die hinterlüftete Aussenwand AW-01 am Schulhaus einhalten?", "0.15 W/(m²K)",
         find("EN-01", r"AW-01.{0,120}0\.15") + find("BB-01", r"AW-01.{0,700}0\.15|U-Wert beträgt 0\.15") + find("CX-01", r"AW-01.{0,90}0\.15") + parts("AW-01")),
        ("de", "Welcher U-Wert gilt für die Aussenwand Haus B?", "0.17 W/(m²K)",
         find("EN-01", r"AW-11.{0,120}0\.17") + find("BB-01", r"Aussenwand Haus B beträgt 0\.17|AW-11.{0,90}0\.17") + find("CX-01", r"AW-11.{0,90}0\.17") + parts("AW-11")),
        ("de", "Was muss die Tür zur Sammlung 2.08 brandschutztechnisch leisten?", "EI60",
         find("BS-01", r"Sammlung.{0,60}EI60|EI60 an der Tür zur Sammlung") + find("ARC-501", r"T-2\.10.{0,80}EI60") + find("BB-01", r"Sammlung 2\.08.{0,60}EI60|2\.08 und U\.05 mit EI60")
         + find("CX-01", r"2\.08.{0,40}EI60") + find("BS05", r"Sammlung.{0,80}EI60") + find("PL-01", r"Sammlung mit Tür EI60") + rfi("RFI-014") + bcf("K-03") + ifc("IfcDoor", "T-2.10")),
        ("de", "Wie gross ist die Energiebezugsfläche von Haus A?", "2'268 m²", find("EN-01", r"2'268") + find("CX-01", r"2'268")),
        ("de", "Wie hoch ist der Heizwärmebedarf der Turnhalle und was wäre der Grenzwert?", f"{b['qh']} kWh/m², Grenzwert {b['limit']} kWh/m²",
         find("EN-01", rf"{b['qh']} kWh.*{b['limit']}") + find("CX-01", rf"{b['qh']} kWh.*{b['limit']}")),
        ("de", "Mit welcher Nachhallzeit ist das Musikzimmer geplant?", "0.80 s",
         find("AK-01", r"0\.80") + find("BB-01", r"Nachhallzeit 0\.80") + find("RB-01", r"Musikraum.{0,200}0\.80") + ifc("IfcSpace", "2.09")),
        ("de", "Welche Heizleistung bringt die Sole-Wasser-Wärmepumpe?", "68 kW",
         find("BB-01", r"leistet 68 kW") + find("EN-01", r"68 kW") + find("KV-01", r"68 kW") + find("CX-01", r"68 kW") + device("WP-01")),
        ("de", "Mit welchem Kältemittel läuft die WP-01?", "R290",
         find("BB-01", r"R290") + find("BS05", r"R290") + find("CX-01", r"R290") + find("BS-01", r"R290") + rfi("HT-021") + device("WP-01")),
        ("de", "Wo ist der längste Fluchtweg und wie lang ist er?", "31.5 m aus dem Musikzimmer 2.09", find("BS-01", r"31\.5 m aus dem Musikzimmer 2\.09")),
        ("de", "Reicht bei der Festverglasung in den Treppenhäusern E30?", "Nein, EI30 bleibt verlangt",
         rfi("RFI-012") + find("BS-01", r"FE-06 in EI30") + find("BB-01", r"Brandschutzverglasung EI30") + find("FEN-01", r"resistenza al fuoco EI30") + find("BS09", r"FE-06 EI30") + windows("FE-06")),
        ("de", "Auf welches Mass muss die Aussparung bei Steigzone 4 vergrössert werden?", "0.60 × 0.90 m", rfi("RFI-021") + find("BS14", r"0\.60 × 0\.90")),
        ("de", "Was hat der Blower-Door-Test im Schulhaus ergeben?", "n50 = 0.48 h⁻¹", find("BS25", r"0\.48")),
        ("de", "Wie gross ist Schulzimmer 1.03?", "72.0 m²", find("RB-01", r"1\.03 Schulzimmer 3 72\.0") + find("VEN-01", r"1\.03 Schulzimmer 3 72\.0") + ifc("IfcSpace", "1.03")),
        ("de", "Was kommt im Raum Werken Holz auf den Boden?", "Hirnholzparkett",
         find("BB-01", r"Hirnholzparkett") + find("RB-01", r"Hirnholzparkett") + find("AK-01", r"Hirnholzparkett") + rfi("RFI-027") + ifc("IfcSpace", "2.04")),
        ("de", "Welcher Index des Plans ARC-102 ist auf der Baustelle gültig?", "Index c (ARC-102)",
         find("PL-01", r"ARC-102 Grundriss Erdgeschoss Haus A 1:50 A0 c 13|Index c, 13\.03\.2026") + find("BS09", r"ARC-102 gilt neu im Index c")),
        ("de", "Ab welcher Windgeschwindigkeit werden die Storen eingefahren?", "14 m/s", rfi("HT-030")),
        ("de", "In welcher Tiefe musste die Bohrung der Sonde 4 abgebrochen werden?", "176 m", find("BS14", r"176 m") + find("CX-01", r"176 m") + rfi("HT-002")),
        ("de", "Welche Mehrkosten entstehen durch das natürliche Kältemittel?", "CHF 14'500", find("BS05", r"14'500")),
        ("de", "Welchen Trittschallpegel muss die Holz-Beton-Verbunddecke erreichen?", "L'nT,w 48 dB",
         find("BB-01", r"Trittschall lautet L'nT,w 48 dB") + find("AK-01", r"48 dB, die Decke|L'nT,w 48") + parts("DE-01")),
        ("fr", "Quel est le débit d'air pulsé nominal du monobloc LA-01 ?", "13'400 m³/h",
         find("VEN-01", r"13'400") + find("BB-01", r"13'400") + find("CX-01", r"13'400") + device("LA-01")),
        ("fr", "À quelle fréquence faut-il changer les filtres de la ventilation ?", "deux fois par an", find("VEN-01", r"deux fois par an")),
        ("fr", "Quelle est la vitesse d'air maximale admise dans la zone de séjour des classes ?", "0.15 m/s", find("VEN-01", r"0\.15 m/s")),
        ("fr", "Quelles sont les dimensions de l'ouverture pour introduire le monobloc ?", "2.60 × 2.20 m", rfi("HT-004") + bcf("K-08")),
        ("fr", "Quelle est la valeur U du toit plat végétalisé DA-01 ?", "0.10 W/(m²K)",
         find("EN-01", r"DA-01.{0,120}0\.10|Total R und U-Wert DA-01") + find("BB-01", r"DA-01.{0,120}0\.10|U-Wert 0\.10 W") + find("CX-01", r"DA-01.{0,90}0\.10") + parts("DA-01")),
        ("fr", "Quelle classe de résistance au feu est exigée pour la porte T-U.01 de la chaufferie ?", "EI30-RF1",
         find("ARC-501", r"T-U\.01.{0,90}EI30-RF1") + find("BS-01", r"Heizzentrale U\.01.{0,60}EI30-RF1") + ifc("IfcDoor", "T-U.01")),
        ("fr", "Quel niveau sonore la ventilation peut-elle atteindre dans les salles de classe ?", "28 dB(A)",
         find("VEN-01", r"28 dB\(A\) dans les salles") + find("BB-01", r"28 dB\(A\)") + find("AK-01", r"28 dB\(A\)") + find("CX-01", r"28 dB\(A\)") + rfi("HT-018")),
        ("it", "Qual è il valore Uw della finestra FE-01?", "0.90 W/(m²K)",
         find("FEN-01", r"FE-01.{0,200}0\.90") + find("BB-01", r"Uw = 0\.90") + find("EN-01", r"FE-01.{0,120}0\.90") + find("ARC-502", r"FE-01.{0,90}0\.90") + find("CX-01", r"FE-01.{0,90}0\.90") + windows("FE-01")),
        ("it", "A quanto ammonta l'aggiudicazione dei serramenti?", "CHF 1'118'400", find("FEN-01", r"1'118'400") + find("BS09", r"1'118'400")),
        ("it", "A quale distanza massima vanno posate le viti che fissano il telaio?", "700 mm", find("FEN-01", r"700 mm")),
        ("it", "Che tensione hanno i motori delle finestre della palestra?", "24 V", rfi("HT-025")),
        ("it", "In quanto tempo deve aprirsi il lucernario per l'evacuazione del fumo?", "60 secondi", rfi("HT-012")),
        ("it", "Quale resistenza al fuoco ha la parete divisoria IW-02 tra le aule?", "EI30",
         find("BB-01", r"IW-02.{0,220}EI30") + parts("IW-02")),
        ("en", "What airtightness does the school building have to achieve?", "0.6 air changes per hour at 50 Pa",
         find("CX-01", r"0\.6 air changes per hour at 50 Pa") + find("BB-01", r"n50.{0,20}0\.6 h") + find("EN-01", r"n50 höchstens 0\.6") + find("BS25", r"Grenzwert 0\.6")),
        ("en", "What annual yield is expected from the photovoltaic array?", "91'200 kWh", find("CX-01", r"91'200") + find("BB-01", r"91'200") + device("PV-01", "B")),
        ("en", "Which fire class does the door to the archive in the basement need?", "EI60",
         find("CX-01", r"archive, room U\.05") + find("BS-01", r"Archiv U\.05.{0,60}EI60") + find("ARC-501", r"T-U\.05.{0,80}EI60") + find("BB-01", r"U\.05 .{0,40}EI60") + find("BS05", r"U\.05.{0,40}EI60") + find("PL-01", r"Archiv EI60") + rfi("RFI-014") + ifc("IfcDoor", "T-U.05")),
        ("en", "When is building A handed over to the client?", "28 June 2027", find("CX-01", r"28 June 2027") + find("BB-01", r"28\.06\.2027 05\.07\.2027") + find("BS25", r"Abnahme Haus A 28\.06\.2027")),
        ("en", "What tolerance applies when classroom airflow is measured?", "10 percent", rfi("HT-029") + find("CX-01", r"± 10 %") + find("VEN-01", r"± 10 %")),
        ("en", "What is the embodied carbon of the school per square metre and year?", "9.2 kg CO₂-equivalent", find("CX-01", r"9\.2 kg")),
        ("en", "How will the meter readings be exported?", "CSV", rfi("HT-017") + find("BB-01", r"Export als CSV")),
        ("en", "What is the volume of the rainwater cistern?", "12 m³", find("CX-01", r"12 m³ cistern") + find("BB-01", r"Zisterne von 12 m³") + rfi("HT-020")),
    ]


def counts() -> list[tuple]:
    def doors(test) -> list[str]:
        return [d.number for d in DOORS.values() if test(d)]

    first = doors(lambda d: d.storey == "1")
    hall = doors(lambda d: STOREYS[d.storey].building == "B")
    strict = doors(lambda d: d.fire == "EI60")
    hall_windows = [w.number for w in WINDOWS.values() if STOREYS[w.storey].building == "B"]
    hall_rooms = [r.number for r in ROOMS.values() if r.building == "B"]
    open_rfis = [r.number for r in TRADES if r.status == "offen"]
    in_b = [p.number for p in PLANS.values() if p.current.index == "b"]
    return [
        ("de", "count", "Wie viele Türen hat das 1. Obergeschoss von Haus A?", str(len(first)), ifc("IfcDoor", *first) + find("ARC-501", r"1\. Obergeschoss 17 |1\. Obergeschoss \(17 Türen\)")),
        ("de", "count", "Wie viele Fenster vom Typ FE-01 sind insgesamt zu liefern?", "79", windows("FE-01") + find("ARC-502", r"FE-01.{0,120} 79 ")),
        ("de", "list", "Welche Türen müssen EI60 erfüllen?", ", ".join(strict), ifc("IfcDoor", *strict)),
        ("de", "list", "Welche RFI im Bau-Register sind noch offen?", ", ".join(open_rfis), rfi(*open_rfis)),
        ("fr", "count", "Combien de locaux compte le bâtiment B ?", str(len(hall_rooms)), ifc("IfcSpace", *hall_rooms) + find("RB-01", rf"Haus B {len(hall_rooms)} Räume")),
        ("it", "count", "Quante finestre ha l'edificio B?", str(len(hall_windows)), ifc("IfcWindow", *hall_windows) + find("FEN-01", rf"{len(hall_windows)} nell'edificio B")),
        ("en", "count", "How many doors are there in the sports hall building?", str(len(hall)), ifc("IfcDoor", *hall) + find("ARC-501", rf"{len(hall)} in Haus B|und {len(hall)} in")),
        ("en", "list", "Which plans are currently valid in revision b?", ", ".join(in_b), find("PL-01", r"Gültige Pläne (Architektur|Bauingenieur|Heizung|Brandschutz)")),
    ]


NONE = [
    ("de", "Welchen Feuerwiderstand hat die Tür T-1.29?"),
    ("de", "Welcher U-Wert gilt für die Aussenwand AW-07?"),
    ("de", "Was wurde auf das RFI-095 geantwortet?"),
    ("fr", "Quelle est la surface de la salle 3.04 ?"),
    ("it", "Qual è il valore Uw della finestra FE-09?"),
    ("en", "What is shown on plan ARC-777?"),
    ("de", "Wie lange muss ein Risotto kochen?"),
    ("de", "Wer hat die letzte Fussball-Weltmeisterschaft gewonnen?"),
    ("fr", "Quelle est la capitale de l'Australie ?"),
    ("it", "A che ora parte l'ultimo treno per Milano?"),
    ("it", "Come si cura l'influenza?"),
    ("en", "How do I renew my passport?"),
]


def rows() -> list[dict]:
    found = [(lang, "fact", q, a, r) for lang, q, a, r in facts()] + counts() + [(lang, "none", q, "", []) for lang, q in NONE]
    return [{"id": f"S-{i:03d}", "set": "sample", "lang": lang, "kind": kind, "question": q, "relevant": r, "answer": a}
            for i, (lang, kind, q, a, r) in enumerate(found, 1)]


def write(folder: pathlib.Path) -> None:
    lines = [json.dumps(r, ensure_ascii=False) for r in rows()]
    (folder / TARGET).write_text("\n".join(lines) + "\n", encoding="utf-8")
