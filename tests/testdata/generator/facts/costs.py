"""Cost estimate by eBKP-H, in CHF including value added tax."""

from __future__ import annotations

from .project import STOREYS

_COSTS = """
B|Vorbereitung|B1 Untersuchung, Aufnahme, Messung:78000;B3 Provisorium:214000;B4 Erschliessung durch Werkleitungen:186000;B5 Rückbau Pavillon mit Schadstoffsanierung:232000;B6 Baugrube:350000
C|Konstruktion Gebäude|C1 Bodenplatte, Fundament:742000;C2 Wandkonstruktion:2136000;C3 Stützenkonstruktion:288000;C4 Deckenkonstruktion, Dachkonstruktion:2490000;C5 Ergänzende Leistung zu Konstruktion:224000
D|Technik Gebäude|D1 Elektroanlage:1412000;D2 Gebäudeautomation:386000;D3 Sicherheitsanlage:214000;D5 Wärmetechnische Anlage:918000;D7 Lufttechnische Anlage:1065000;D8 Wassertechnische Anlage:587000;D9 Transportanlage:128000
E|Äussere Wandbekleidung Gebäude|E1 Äussere Wandbekleidung unter Terrain:164000;E2 Äussere Wandbekleidung über Terrain:706000;E3 Einbauten zu Aussenwand (Fenster, Türen, Storen):1280000
F|Bedachung Gebäude|F1 Dachhaut mit Begrünung:652000;F2 Einbauten zu Dach (Oberlichter, Absturzsicherung):128000
G|Ausbau Gebäude|G1 Trennwand, Tür, Tor:968000;G2 Bodenbelag:614000;G3 Wandbekleidung:372000;G4 Deckenbekleidung:438000;G5 Einbauten, Schutzeinrichtung:113000
H|Nutzungsspezifische Anlage|H1 Küchenanlage Regenerierküche:196000;H4 Absaugung Werkräume:114000
I|Umgebung Gebäude|I1 Geländebearbeitung:168000;I2 Belag, Pausenplatz und Allwetterplatz:392000;I3 Bepflanzung:122000;I4 Ausstattung Umgebung:108000
J|Ausstattung Gebäude|J1 Mobiliar:388000;J2 Sportgeräte mit Kletterwand:132000
V|Planungskosten|V1 Planer:1742000;V2 Bauherrenleistung:138000
W|Nebenkosten zu Erstellung|W1 Bewilligung, Gebühr:184000;W2 Versicherung:96000;W3 Bemusterung, Dokumentation:58000;W4 Finanzierung vor Nutzungsbeginn:92000
Y|Reserve, Teuerung|Y1 Reserve:385000
"""


def groups() -> list[dict]:
    """Main groups with their elements; amounts in CHF."""
    found = []
    for line in _COSTS.strip().splitlines():
        code, name, elements = line.split("|")
        rows = []
        for e in elements.split(";"):
            title, amount = e.rsplit(":", 1)
            number, label = title.split(" ", 1)
            rows.append({"code": number, "name": label, "amount": int(amount)})
        found.append({"code": code, "name": name, "rows": rows, "amount": sum(r["amount"] for r in rows)})
    return found


def summary() -> dict:
    """Total, building costs C to G, and characteristic values per m2 of storey area (GF, SIA 416)."""
    total = sum(g["amount"] for g in groups())
    assert total == 21_400_000, total
    building = sum(g["amount"] for g in groups() if g["code"] in "CDEFG")
    area = sum(s.gross for s in STOREYS.values())
    return {"total": total, "building": building, "area": area, "per_area": round(building / area), "all_per_area": round(total / area)}
