"""Reads IFC files with IfcOpenShell: one path a line on stdin, one JSON object a line on stdout.

A line that starts with '=' asks for every value, one that starts with '+' for the time alone.
"""

import json
import sys
import time

import ifcopenshell
from ifcopenshell.util.element import get_parent, get_psets

ELEMENTS = ("IfcElement", "IfcSpace", "IfcSpatialZone", "IfcProxy", "IfcAlignment", "IfcReferent")
SPATIAL = ("IfcProject", "IfcSpatialStructureElement", "IfcSpatialElement")


def instances(model, classes, without):
    found = {}
    for name in classes:
        try:
            of_class = model.by_type(name)
        except RuntimeError:  # the schema has no such class
            continue
        for entity in of_class:
            if not any(entity.is_a(other) for other in without):
                found[entity.id()] = entity
    return [found[number] for number in sorted(found)]


def read(path):
    started = time.perf_counter()
    model = ifcopenshell.open(path)
    elements = instances(model, ELEMENTS, ("IfcVirtualElement",))
    spatial = instances(model, SPATIAL, ("IfcSpace", "IfcSpatialZone"))
    sets = [get_psets(entity) for entity in elements]
    parents = {}
    for entity in elements + spatial:
        parents[entity.id()] = None if entity.is_a("IfcProject") else get_parent(entity)
    return (time.perf_counter() - started) * 1000, model, elements, spatial, sets, parents


def text(value):
    return " ".join(str(value).split())


def plain(value):
    """A value without IfcOpenShell's wrappers; None where there is nothing to compare."""
    if isinstance(value, ifcopenshell.entity_instance):
        return plain(value.wrappedValue) if len(value) == 1 and value.id() == 0 else None
    if isinstance(value, (list, tuple)):
        members = [plain(member) for member in value]
        return [member for member in members if member is not None] or None
    if isinstance(value, str):
        return text(value) or None
    return value


def flatten(name, value, out):
    name = text(name or "")
    if not name:
        return
    if not isinstance(value, dict):
        value = plain(value)
    elif "properties" in value:
        for inner, member in value["properties"].items():
            flatten(f"{name}.{inner}", member, out)
        return
    elif value.get("type") == "IfcPropertyTableValue":
        pairs = zip(value.get("DefiningValues") or (), value.get("DefinedValues") or ())
        value = [plain(side) for pair in pairs for side in pair] or None
    else:
        bounds = [plain(value.get(key)) for key in ("LowerBoundValue", "UpperBoundValue")]
        bounds = [bound for bound in bounds if bound is not None]
        value = bounds or plain(value.get("SetPointValue"))
    if value is not None:
        out[name] = value


def place(entity, parents):
    chain = []
    at = parents.get(entity.id())
    while at is not None and len(chain) < 64:
        chain.append(at.GlobalId)
        at = parents[at.id()] if at.id() in parents else get_parent(at)
    return chain[::-1]


def everything(model, elements, spatial, sets, parents):
    out = []
    for entity, own in zip(elements, sets):
        properties, quantities = {}, {}
        for name, values in own.items():
            definition = model.by_id(values.pop("id"))
            name = text(name or "") or definition.is_a()
            target = quantities if definition.is_a("IfcElementQuantity") else properties
            flat = {}
            for key, value in values.items():
                flatten(key, value, flat)
            if flat:
                target[name] = flat
        out.append({
            "global_id": entity.GlobalId,
            "class": entity.is_a(),
            "name": text(entity.Name or ""),
            "parents": place(entity, parents),
            "properties": properties,
            "quantities": quantities,
        })
    nodes = [{"global_id": node.GlobalId, "class": node.is_a(), "parents": place(node, parents)} for node in spatial]
    return {"elements": out, "spatial": nodes}


def main():
    print(json.dumps({"version": ifcopenshell.version}), flush=True)
    for line in sys.stdin:
        mode, path = line[0], line[1:].rstrip("\n")
        try:
            elapsed, *found = read(path)
            answer = {"ms": elapsed}
            if mode == "=":
                answer["model"] = everything(*found)
            del found
        except Exception as error:  # whatever it is, the file counts as not opened
            answer = {"error": f"{type(error).__name__}: {text(error)}"[:300]}
        print(json.dumps(answer), flush=True)


main()
