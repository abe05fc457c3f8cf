"""Names, parties and storeys. Everything here is invented; the names say so on purpose."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import datetime as dt

FICTION = {
    "de": "Fiktives Beispielprojekt",
    "fr": "Projet d'exemple fictif",
    "it": "Progetto d'esempio fittizio",
    "en": "Fictional sample project",
}

NAME = "Schulhaus Rosenmatt"
NUMBER = "RM-2417"
PLACE = "Beispikon"
CANTON = "Kanton Musterland"
STREET = "Rosenmattstrasse 12, 0000 Beispikon"

# Identifiers are derived from names below this namespace, so that a rerun gives the same files.
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:dossier:sample:schulhaus-rosenmatt")
MODEL_TIME = dt.datetime(2026, 3, 20, 8, 0, 0, tzinfo=dt.timezone.utc)


def uid(*parts: str) -> uuid.UUID:
    """The fixed UUID of a thing named by its parts."""
    return uuid.uuid5(NAMESPACE, "/".join(parts))


@dataclass(frozen=True)
class Party:
    code: str
    firm: str
    role: str
    person: str


# Neither firms nor persons exist: "Muster", "Beispiel", "Probe", "Exempel" and "Fiktiv" all mean "sample".
PARTIES = {
    p.code: p
    for p in (
        Party("BH", "Gemeinde Beispikon, Abteilung Hochbau", "Bauherrschaft", "A. Muster"),
        Party("ARC", "Exempelbau Architektur AG", "Architektur, Gesamtleitung", "B. Beispiel"),
        Party("BL", "Exempelbau Architektur AG", "Bauleitung", "C. Exempel"),
        Party("ING", "Musterstatik Ingenieure AG", "Bauingenieur, Holzbauingenieur", "D. Probe"),
        Party("HLK", "Fiktiva Haustechnik AG", "Heizung, Lüftung, Sanitär", "E. Fiktiv"),
        Party("ELO", "Probestrom Elektroplanung GmbH", "Elektro, Gebäudeautomation", "F. Muster"),
        Party("BPH", "Probewerk Bauphysik GmbH", "Bauphysik, Akustik", "G. Beispiel"),
        Party("BSP", "Exempel Brandschutz GmbH", "Brandschutz QSS 2", "H. Probe"),
        Party("HOL", "Musterholz Montage AG", "Holzbau, Fassade", "I. Exempel"),
        Party("VEN", "Ventilexemple SA", "Lüftungsanlagen", "J. Exemple"),
        Party("FEN", "Finestresempio Sagl", "Fenster, Aussentüren", "K. Esempio"),
        Party("CX", "Sampleton Consulting Ltd", "Nachhaltigkeit, Inbetriebsetzung", "L. Sample"),
        Party("GEO", "Beispielgrund Geotechnik GmbH", "Geologie, Baugrund", "M. Probe"),
    )
}


@dataclass(frozen=True)
class Storey:
    key: str
    name: str
    building: str
    elevation: float
    height: float
    gross: float
    heated: bool


STOREYS = {
    s.key: s
    for s in (
        Storey("U", "Untergeschoss", "A", -3.40, 3.20, 756.0, False),
        Storey("0", "Erdgeschoss", "A", 0.00, 3.60, 756.0, True),
        Storey("1", "1. Obergeschoss", "A", 3.60, 3.60, 756.0, True),
        Storey("2", "2. Obergeschoss", "A", 7.20, 3.60, 756.0, True),
        Storey("D", "Dachgeschoss", "A", 10.80, 0.60, 0.0, False),
        Storey("BU", "Untergeschoss Turnhalle", "B", -3.20, 3.00, 132.0, False),
        Storey("B0", "Erdgeschoss Turnhalle", "B", 0.00, 4.20, 864.0, True),
        Storey("B1", "Obergeschoss Turnhalle", "B", 4.20, 3.60, 216.0, True),
    )
}

BUILDINGS = {
    "A": {"name": "Haus A", "long": "Schulhaus", "length": 42.0, "width": 18.0},
    "B": {"name": "Haus B", "long": "Turnhalle", "length": 36.0, "width": 24.0},
}
