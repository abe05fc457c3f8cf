"""A monthly heating balance in the manner of SIA 380/1, on an invented climate station."""

from __future__ import annotations

from dataclasses import dataclass

from .components import COMPONENTS, DOOR_TYPES, WINDOW_TYPES
from .project import STOREYS
from .rooms import DOORS, WINDOWS
from .walls import net_area_of, window_area

MONTHS = ("Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez")
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
STATION = "Beispikon (fiktiv), 512 m ü. M."
TEMPERATURE = (0.3, 1.2, 5.0, 8.9, 13.3, 16.6, 18.8, 18.2, 14.2, 9.6, 4.3, 1.3)
# Global radiation per facade in MJ/m2 and month.
RADIATION = {
    "S": (180, 240, 330, 330, 320, 310, 340, 370, 350, 270, 180, 140),
    "O": (80, 120, 210, 270, 310, 330, 350, 310, 230, 140, 80, 60),
    "W": (80, 120, 210, 270, 310, 330, 350, 310, 230, 140, 80, 60),
    "N": (45, 65, 105, 140, 180, 200, 200, 160, 115, 75, 45, 35),
    "H": (110, 170, 310, 420, 510, 550, 570, 480, 340, 200, 110, 80),
}


@dataclass(frozen=True)
class Standard:
    """Standard use and limit values of a building category."""

    category: str
    theta_i: float
    people: float  # m2 per person
    watt: float
    hours: float
    electricity: float  # kWh/m2
    air: float  # m3/(h.m2)
    limit_base: float  # kWh/m2
    limit_slope: float


STANDARDS = {
    "A": Standard("IV Schulen", 20.0, 10.0, 70.0, 4.0, 11.1, 0.7, 14.0, 15.0),
    "B": Standard("XI Sportbauten", 18.0, 20.0, 100.0, 6.0, 5.6, 0.7, 16.0, 14.0),
}

ENVELOPE = {
    # component: reduction factor b
    "A": {"AW-01": 1.0, "AW-03": 1.0, "DE-02": 0.7, "DA-01": 1.0},
    "B": {"AW-11": 1.0, "BO-11": 0.6, "DA-11": 1.0},
}
BRIDGES = {
    # name: psi in W/(m.K), length in m
    "A": [("Sockelanschluss", 0.12, 120.0), ("Dachrand", 0.05, 120.0), ("Deckenstirn Geschossdecke", 0.04, 240.0), ("Fensteranschlag", 0.06, 780.0)],
    "B": [("Sockelanschluss", 0.14, 120.0), ("Dachrand", 0.06, 120.0), ("Fensteranschlag", 0.06, 240.0)],
}
SHADING = 0.68
FRAME = 0.72
HEAT_RECOVERY = {"A": 0.80, "B": 0.75}
TAU = {"A": 90.0, "B": 65.0}


def reference_area(building: str) -> float:
    """Energiebezugsfläche A_E in m2: gross area of the heated storeys."""
    return sum(s.gross for s in STOREYS.values() if s.building == building and s.heated)


def lines(building: str) -> list[dict]:
    """Every row of the envelope: name, area, U, b and heat loss coefficient in W/K."""
    rows = []
    for code, b in ENVELOPE[building].items():
        c = COMPONENTS[code]
        rows.append(dict(code=code, name=c.name, area=net_area_of(code), u=c.u, b=b))
    for t in WINDOW_TYPES.values():
        if t.building == building and t.code != "FE-04":
            rows.append(dict(code=t.code, name=t.name, area=window_area(t.code), u=t.uw, b=1.0))
    for t in DOOR_TYPES.values():
        count = sum(1 for d in DOORS.values() if d.type == t.code and STOREYS[d.storey].heated)
        if t.building == building and t.u is not None:
            rows.append(dict(code=t.code, name=t.name, area=round(count * t.width * t.height, 1), u=t.u, b=1.0))
    for r in rows:
        r["h"] = round(r["area"] * r["u"] * r["b"], 1)
    return rows


def balance(building: str) -> dict:
    """The monthly balance and the comparison with the limit, all specific values in kWh per m2 of A_E."""
    std, area = STANDARDS[building], reference_area(building)
    rows = lines(building)
    bridges = round(sum(psi * length for _, psi, length in BRIDGES[building]), 1)
    h_t = round(sum(r["h"] for r in rows) + bridges, 1)
    h_v = round(area * std.air * 0.32, 1)
    a = 1 + TAU[building] / 15
    months, total = [], dict(qt=0.0, qv=0.0, qi=0.0, qs=0.0, qh=0.0)
    for m, name in enumerate(MONTHS):
        hours = DAYS[m] * 24 / 1000
        dt = max(0.0, std.theta_i - TEMPERATURE[m])
        qt, qv = h_t * dt * hours, h_v * dt * hours
        inner = (area / std.people * std.watt * std.hours / 24 + area * std.electricity * 0.9 / 8.76) * hours
        solar = sum(
            w.area * FRAME * SHADING * 0.9 * WINDOW_TYPES[w.type].g * RADIATION[w.side][m] / 3.6
            for w in WINDOWS.values()
            if WINDOW_TYPES[w.type].building == building and w.type != "FE-04"
        )
        loss, gain = qt + qv, inner + solar
        gamma = gain / loss if loss > 0 else 99.0
        eta = a / (a + 1) if abs(gamma - 1) < 1e-9 else (1 - gamma**a) / (1 - gamma ** (a + 1))
        qh = max(0.0, loss - eta * gain)
        row = dict(month=name, qt=qt / area, qv=qv / area, qi=inner / area, qs=solar / area, eta=eta, qh=qh / area)
        for k in total:
            total[k] += row[k]
        months.append({k: (v if k == "month" else round(v, 2 if k == "eta" else 1)) for k, v in row.items()})
    envelope = round(sum(r["area"] * r["b"] for r in rows), 1)
    mean = sum(t * d for t, d in zip(TEMPERATURE, DAYS)) / 365
    factor = 1 + (9.4 - mean) * 0.06
    limit = (std.limit_base + std.limit_slope * envelope / area) * factor
    return dict(
        category=std.category, area=area, envelope=envelope, ratio=round(envelope / area, 2), h_t=h_t, h_v=h_v,
        bridges=bridges, months=months, total={k: round(v, 1) for k, v in total.items()},
        qh=round(total["qh"], 1), limit=round(limit, 1), percent=round(100 * total["qh"] / limit),
        mean=round(mean, 1), factor=round(factor, 3), annual_kwh=round(total["qh"] * area, -1),
    )
