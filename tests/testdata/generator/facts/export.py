"""The facts as plain data, for the Typst documents."""

from __future__ import annotations

from dataclasses import asdict

from . import components, costs, energy, equipment, plans, project, rooms, walls


def export() -> dict:
    comps = {c.code: {**asdict(c), "u": c.u, "thickness": c.thickness, "r": round(c.resistance, 2), "area": walls.net_area_of(c.code),
                      "layers": [{**asdict(l), "r": round(l.resistance, 3)} for l in c.layers]} for c in components.COMPONENTS.values()}
    windows = {w.code: {**asdict(w), "area": walls.window_area(w.code), "count": sum(1 for x in rooms.WINDOWS.values() if x.type == w.code)}
               for w in components.WINDOW_TYPES.values()}
    doors = {d.code: {**asdict(d), "count": sum(1 for x in rooms.DOORS.values() if x.type == d.code)} for d in components.DOOR_TYPES.values()}
    return {
        "fiction": project.FICTION,
        "project": {"name": project.NAME, "number": project.NUMBER, "place": project.PLACE, "canton": project.CANTON, "street": project.STREET},
        "parties": {k: asdict(p) for k, p in project.PARTIES.items()},
        "storeys": {k: {**asdict(s), "net": rooms.net_area(k), "rooms": len(rooms.rooms_of(k)), "doors": len(rooms.doors_of(k)), "windows": len(rooms.windows_of(k))}
                    for k, s in project.STOREYS.items()},
        "components": comps, "window_types": windows, "door_types": doors,
        "uses": {k: asdict(u) for k, u in rooms.USES.items()},
        "rooms": [{**asdict(r), "air": r.air, "building": r.building, "use_name": rooms.USES[r.use].name} for r in rooms.ROOMS.values()],
        "doors": [{**asdict(d), "room_name": rooms.ROOMS[d.room].name} for d in rooms.DOORS.values()],
        "windows": [{**asdict(w), "area": w.area, "room_name": rooms.ROOMS[w.room].name} for w in rooms.WINDOWS.values()],
        "energy": {b: {**energy.balance(b), "lines": energy.lines(b), "bridge_rows": [list(x) for x in energy.BRIDGES[b]],
                       "standard": asdict(energy.STANDARDS[b]), "tau": energy.TAU[b], "recovery": energy.HEAT_RECOVERY[b]} for b in "AB"},
        "climate": {"station": energy.STATION, "months": energy.MONTHS, "temperature": energy.TEMPERATURE, "radiation": energy.RADIATION},
        "plans": [{"number": p.number, "title": p.title, "scale": p.scale, "size": p.size, "author": p.author,
                   "revisions": [asdict(r) for r in p.revisions]} for p in plans.PLANS.values()],
        "devices": {d.tag: {"name": d.name, "room": d.room, **dict(d.values)} for d in equipment.DEVICES},
        "costs": {"groups": costs.groups(), **costs.summary()},
        "air": {b: equipment.supply_air(b) for b in "AB"},
    }
