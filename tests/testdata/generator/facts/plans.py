"""The plan list: numbers, titles, scales and every revision with its date and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Revision:
    index: str
    date: str
    note: str


@dataclass(frozen=True)
class Plan:
    number: str
    title: str
    scale: str
    size: str
    author: str
    revisions: tuple[Revision, ...]

    @property
    def current(self) -> Revision:
        return self.revisions[-1]


_PLANS = """
ARC-101|Grundriss Untergeschoss Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:07.11.2025:Schutzraum 2 vergrössert auf 52 Plätze; b:16.01.2026:Elektrohauptverteilung verschoben
ARC-102|Grundriss Erdgeschoss Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:07.11.2025:Windfang verlängert; b:16.01.2026:Küche mit Anlieferung Nord; c:13.03.2026:Türen T-0.07 und T-0.08 getauscht
ARC-103|Grundriss 1. Obergeschoss Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:16.01.2026:Gruppenräume angepasst; b:13.03.2026:Materialraum 1.17 neu
ARC-104|Grundriss 2. Obergeschoss Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:16.01.2026:Sammlung mit Tür EI60; b:13.03.2026:Musikzimmer mit Akustikpaneelen
ARC-105|Dachaufsicht Haus A|1:100|A1|-:12.09.2025:Erstausgabe; a:30.01.2026:Absturzsicherung ergänzt
ARC-111|Grundriss Untergeschoss Haus B|1:50|A1|-:26.09.2025:Erstausgabe; a:30.01.2026:Technik vergrössert auf 42 m²
ARC-112|Grundriss Erdgeschoss Haus B|1:50|A0|-:26.09.2025:Erstausgabe; a:21.11.2025:Geräteraumtore drei statt zwei; b:13.03.2026:WC IV gedreht
ARC-113|Grundriss Galerie Haus B|1:50|A0|-:26.09.2025:Erstausgabe; a:30.01.2026:Stuhllager für 220 Stühle
ARC-114|Dachaufsicht Haus B mit Photovoltaik|1:100|A1|-:26.09.2025:Erstausgabe; a:13.03.2026:240 Module, Wartungsgänge
ARC-201|Schnitt A-A Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:16.01.2026:Geschosshöhen 3.60 m
ARC-202|Schnitt B-B Haus A|1:50|A0|-:12.09.2025:Erstausgabe; a:16.01.2026:Geschosshöhen 3.60 m
ARC-203|Schnitte Haus B|1:50|A0|-:26.09.2025:Erstausgabe; a:30.01.2026:Lichte Hallenhöhe 7.00 m bestätigt
ARC-301|Ansicht Nord und Süd Haus A|1:100|A1|-:12.09.2025:Erstausgabe; a:07.11.2025:Foyerverglasung sechsteilig; b:27.02.2026:Farbkonzept Schalung
ARC-302|Ansicht Ost und West Haus A|1:100|A1|-:12.09.2025:Erstausgabe; a:27.02.2026:Klinkersockel Westseite
ARC-303|Ansichten Haus B|1:100|A1|-:26.09.2025:Erstausgabe; a:27.02.2026:Lärchenschalung horizontal
ARC-401|Detail Fensteranschlag FE-01|1:5|A3|-:10.10.2025:Erstausgabe; a:05.12.2025:Leibung gedämmt 40 mm; b:06.02.2026:Psi-Wert 0.06 nachgewiesen
ARC-402|Detail Sockel AW-01 und AW-03|1:5|A3|-:10.10.2025:Erstausgabe; a:06.02.2026:Spritzwasserzone 300 mm
ARC-403|Detail Dachrand DA-01|1:5|A3|-:10.10.2025:Erstausgabe; a:06.02.2026:Aufbordung 150 mm über Substrat
ARC-404|Detail Pfosten-Riegel-Fassade FE-03|1:5|A3|-:10.10.2025:Erstausgabe
ARC-405|Detail Prallwand und Geräteraumtor|1:10|A3|-:24.10.2025:Erstausgabe; a:06.02.2026:Fuge 8 mm prallschutzbündig
ARC-501|Türliste mit Anforderungen|ohne|A4|-:24.10.2025:Erstausgabe; a:16.01.2026:Brandschutz nachgeführt; b:13.03.2026:Türen 2. Obergeschoss ergänzt
ARC-502|Fensterliste mit Anforderungen|ohne|A4|-:24.10.2025:Erstausgabe; a:13.03.2026:FE-06 Treppenhaus ergänzt
ARC-601|Umgebungsplan|1:200|A0|-:07.11.2025:Erstausgabe; a:27.02.2026:64 Veloplätze im Untergeschoss, 36 im Freien
ING-101|Fundation und Bodenplatte Haus A|1:50|A0|-:26.09.2025:Erstausgabe; a:21.11.2025:Bodenplatte 300 mm; b:30.01.2026:Aussparungen Erdsonden
ING-102|Decke über Untergeschoss, Schalung|1:50|A0|-:26.09.2025:Erstausgabe; a:30.01.2026:Aussparung Steigzone 4 ergänzt
ING-103|Decke über Untergeschoss, Bewehrung|1:50|A0|-:21.11.2025:Erstausgabe; a:30.01.2026:Durchstanzbewehrung Stützen Achse 4
ING-201|Holzbau Wandelemente 1. Obergeschoss|1:50|A0|-:21.11.2025:Erstausgabe; a:20.02.2026:Stösse an Achse 3 verschoben
ING-202|Holz-Beton-Verbunddecke 1. Obergeschoss|1:50|A0|-:21.11.2025:Erstausgabe; a:20.02.2026:Kerven 150 × 30 mm
ING-203|Holzbau Wandelemente 2. Obergeschoss|1:50|A0|-:21.11.2025:Erstausgabe
ING-301|Hallentragwerk Haus B|1:50|A0|-:26.09.2025:Erstausgabe; a:12.12.2025:Binderabstand 5.14 m; b:20.02.2026:Auflager Photovoltaik
HLK-101|Heizung Prinzipschema|ohne|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Acht Erdsonden zu 180 m
HLK-201|Lüftung Untergeschoss und Zentrale|1:50|A0|-:24.10.2025:Erstausgabe; a:30.01.2026:Monoblock gedreht; b:13.03.2026:Brandschutzklappen nachgeführt
HLK-202|Lüftung Erdgeschoss|1:50|A0|-:24.10.2025:Erstausgabe; a:13.03.2026:Küchenabluft getrennt
HLK-203|Lüftung 1. Obergeschoss|1:50|A0|-:24.10.2025:Erstausgabe; a:13.03.2026:Volumenstromregler je Schulzimmer
HLK-204|Lüftung 2. Obergeschoss|1:50|A0|-:24.10.2025:Erstausgabe; a:13.03.2026:Späneabsaugung Werken getrennt
HLK-301|Sanitär Untergeschoss bis 2. Obergeschoss|1:50|A0|-:07.11.2025:Erstausgabe; a:27.02.2026:Zirkulation durch Begleitheizung ersetzt
HLK-302|Sanitär Haus B|1:50|A1|-:07.11.2025:Erstausgabe; a:27.02.2026:Duschen mit Hygienespülung
ELO-101|Prinzipschema Stark- und Schwachstrom|ohne|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Hauptsicherung 400 A
ELO-201|Elektro Untergeschoss und Erdgeschoss|1:50|A0|-:07.11.2025:Erstausgabe; a:27.02.2026:Badgeleser Aussentüren
ELO-202|Elektro 1. und 2. Obergeschoss|1:50|A0|-:07.11.2025:Erstausgabe; a:27.02.2026:Präsenzmelder je Schulzimmer zwei
ELO-301|Photovoltaik Hallendach|1:100|A1|-:21.11.2025:Erstausgabe; a:13.03.2026:96.0 kWp, Feuerwehrschalter
BSP-101|Brandschutzplan Untergeschoss|1:100|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Brandabschnitt Archiv EI60
BSP-102|Brandschutzplan Erdgeschoss|1:100|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Fluchtweg Mittagstisch direkt ins Freie
BSP-103|Brandschutzplan 1. und 2. Obergeschoss|1:100|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Sammlung Naturwissenschaften EI60; b:13.03.2026:Korridor 1.12 als Nutzungseinheit geklärt
BSP-104|Brandschutzplan Haus B|1:100|A1|-:24.10.2025:Erstausgabe; a:30.01.2026:Personenbelegung Halle 300
"""


def _plans() -> dict[str, Plan]:
    plans = {}
    for line in _PLANS.strip().splitlines():
        number, title, scale, size, revisions = line.split("|")
        parts = [r.strip().split(":", 2) for r in revisions.split(";")]
        plans[number] = Plan(number, title, scale, size, number[:3], tuple(Revision(*p) for p in parts))
    return plans


PLANS = _plans()


def superseded() -> int:
    return sum(len(p.revisions) - 1 for p in PLANS.values())
