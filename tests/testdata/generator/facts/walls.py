"""Wall, slab and roof elements with the quantities that both the models and the energy proof use."""

from __future__ import annotations

from dataclasses import dataclass

from .components import COMPONENTS, DOOR_TYPES, WINDOW_TYPES
from .project import BUILDINGS, STOREYS
from .rooms import DOORS, ROOMS, WINDOWS

SIDES = {"N": "Nord", "O": "Ost", "S": "Süd", "W": "West"}


@dataclass(frozen=True)
class Part:
    """A wall, slab or roof: areas in m2, length in m."""

    name: str
    component: str
    storey: str
    side: str
    length: float
    gross: float
    net: float


def _openings(storey: str, side: str) -> float:
    area = sum(w.area for w in WINDOWS.values() if w.storey == storey and w.side == side)
    for d in DOORS.values():
        if d.storey == storey and d.external and (ROOMS[d.room].side or "N") == side:
            t = DOOR_TYPES[d.type]
            area += t.width * t.height
    return area


# External walls: storey, component per side, height of the wall, footprint (length along N/S, along O/W).
_OUTER = [
    ("U", dict.fromkeys("NOSW", "AW-02"), 3.20, 42.0, 18.0),
    ("0", {"N": "AW-01", "O": "AW-01", "S": "AW-01", "W": "AW-03"}, 3.60, 42.0, 18.0),
    ("1", dict.fromkeys("NOSW", "AW-01"), 3.60, 42.0, 18.0),
    ("2", dict.fromkeys("NOSW", "AW-01"), 3.60, 42.0, 18.0),
    ("BU", dict.fromkeys("NOSW", "AW-12"), 3.00, 12.0, 11.0),
    ("B0", dict.fromkeys("NOSW", "AW-11"), 4.20, 36.0, 24.0),
    ("B1", dict.fromkeys("NOSW", "AW-11"), 3.60, 36.0, 24.0),
]

# Inner walls: storey, component, lengths in m.
_INNER = [
    ("U", "IW-01", [18.0, 18.0, 12.4]), ("U", "IW-04", [9.6, 9.6, 7.2, 12.0, 6.4, 8.0]),
    ("0", "IW-01", [18.0, 18.0, 8.4]), ("0", "IW-02", [7.8, 7.8, 6.2, 6.2]), ("0", "IW-03", [4.6, 4.6, 5.2]), ("0", "IW-05", [36.0, 24.0]),
    ("1", "IW-01", [18.0, 18.0]), ("1", "IW-02", [7.8] * 8), ("1", "IW-03", [4.6, 4.6, 3.2]), ("1", "IW-05", [38.0, 38.0]),
    ("2", "IW-01", [18.0, 18.0]), ("2", "IW-02", [7.8] * 6), ("2", "IW-03", [4.6, 4.6, 3.2]), ("2", "IW-05", [38.0, 34.0]),
    ("BU", "IW-11", [9.0, 6.5]),
    ("B0", "IW-11", [24.0, 7.4, 7.4, 7.4]), ("B0", "IW-12", [28.0, 16.0, 16.0]), ("B0", "IW-13", [5.6, 5.6, 4.2]),
    ("B1", "IW-11", [9.6]), ("B1", "IW-13", [6.0, 6.0]),
]

_SLABS = [
    ("BO-01", "U", 756.0), ("DE-02", "0", 756.0), ("DE-01", "1", 756.0), ("DE-01", "2", 756.0),
    ("DA-01", "D", 756.0), ("DA-02", "0", 38.4),
    ("BO-11", "B0", 864.0), ("DE-11", "B1", 216.0), ("DA-11", "B1", 864.0),
]


def _parts() -> list[Part]:
    parts = []
    for storey, components, height, along, across in _OUTER:
        for side, code in components.items():
            length = along if side in "NS" else across
            gross = round(length * height, 2)
            net = round(gross - _openings(storey, side), 2)
            parts.append(Part(f"{code} {STOREYS[storey].name} {SIDES[side]}", code, storey, side, length, gross, net))
    for storey, code, lengths in _INNER:
        for i, length in enumerate(lengths, 1):
            gross = round(length * (STOREYS[storey].height - 0.35), 2)
            parts.append(Part(f"{code}-{storey}.{i:02d}", code, storey, "", length, gross, gross))
    for code, storey, area in _SLABS:
        lights = sum(w.area for w in WINDOWS.values() if w.storey == "D") if code == "DA-01" else 0.0
        name = f"{code} {STOREYS[storey].name}"
        parts.append(Part(name, code, storey, "", 0.0, area, round(area - lights, 2)))
    return parts


PARTS = _parts()


def net_area_of(component: str) -> float:
    return round(sum(p.net for p in PARTS if p.component == component), 1)


def window_area(code: str | None = None, building: str | None = None) -> float:
    return round(sum(w.area for w in WINDOWS.values()
                     if (code is None or w.type == code) and (building is None or WINDOW_TYPES[w.type].building == building)), 1)


def check() -> None:
    for storey in STOREYS.values():
        if storey.gross:
            net = sum(r.area for r in ROOMS.values() if r.storey == storey.key)
            assert net < storey.gross, storey.name
    assert all(p.net > 0 for p in PARTS)
    assert {p.component for p in PARTS} == set(COMPONENTS)
    assert BUILDINGS["A"]["length"] * BUILDINGS["A"]["width"] == STOREYS["1"].gross
