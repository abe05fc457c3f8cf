"""Check the committed sample against its facts: `python check.py`. Reads only the written files and the facts."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import zipfile
from collections import Counter

import ifcopenshell
import ifcopenshell.util.element
import openpyxl

import rfi_files
from bcf_file import TARGET as BCF
from facts import energy
from facts.components import COMPONENTS
from facts.project import STOREYS
from ifc_models import FILES
from pages import SAMPLE, normal, pages, pdf

problems: list[str] = []


def expect(true: bool, message: str) -> None:
    if not true:
        problems.append(message)


def records() -> dict[str, dict[str, str]]:
    """Number → text of each record, per file."""
    found: dict[str, dict[str, str]] = {}
    text = (SAMPLE / rfi_files.CSV).read_bytes().decode("cp1252")
    table = found.setdefault(rfi_files.CSV, {})
    for row in csv.DictReader(io.StringIO(text), delimiter=";"):
        table[row["Nummer"]] = table.get(row["Nummer"], "") + " " + " ".join(row.values())
    sheet = openpyxl.load_workbook(SAMPLE / rfi_files.XLSX)["RFI-Register"]
    found[rfi_files.XLSX] = {r[0]: " ".join(str(v) for v in r if v is not None) for r in sheet.iter_rows(min_row=6, values_only=True)}
    with zipfile.ZipFile(SAMPLE / BCF) as archive:
        found[BCF] = {n.split("/")[0]: archive.read(n).decode() for n in archive.namelist() if n.endswith("markup.bcf")}
    for text in list(found[BCF].values()):
        found[BCF][re.search(r"<Title>(\S+)", text)[1]] = text
    return found


def check_models(models: dict) -> None:
    total = 0
    door_pages = " ".join(pages(pdf("ARC-501")))
    room_pages = " ".join(pages(pdf("RB-01")))
    plain = {s.name: s for s in STOREYS.values()}
    for path, model in models.items():
        products = [p for p in model.by_type("IfcProduct") if not p.is_a("IfcSpatialStructureElement") or p.is_a("IfcSpace")]
        total += len(products)
        ids = [e.GlobalId for e in model.by_type("IfcRoot")]
        expect(len(ids) == len(set(ids)), f"{path}: GlobalIds repeat")
        for storey in model.by_type("IfcBuildingStorey"):
            inside = [e for rel in storey.ContainsElements for e in rel.RelatedElements]
            doors = [e for e in inside if e.is_a("IfcDoor")]
            if doors:
                expect(f"{storey.Name} ({len(doors)} Türen)" in door_pages, f"door list: {storey.Name} has {len(doors)} doors in the model")
            for d in doors:
                fire = (ifcopenshell.util.element.get_psets(d)["Pset_DoorCommon"]).get("FireRating", "–")
                expect(bool(re.search(rf"{re.escape(d.Name)} .{{0,90}}? {re.escape(fire)} ", door_pages)), f"door list: {d.Name} {fire}")
            spaces = [s for rel in storey.IsDecomposedBy for s in rel.RelatedObjects if s.is_a("IfcSpace")]
            area = 0.0
            for s in spaces:
                psets = ifcopenshell.util.element.get_psets(s)
                value = psets.get("Qto_SpaceBaseQuantities", psets.get("BaseQuantities"))["NetFloorArea"]
                area += value
                expect(f"{s.Name} {s.LongName} {value:.1f}" in room_pages or bool(re.search(rf"{re.escape(s.Name)} .{{0,60}}{value:.1f}", room_pages)),
                       f"room schedule: {s.Name} {value:.1f}")
            if spaces:
                expect(abs(area - float(f"{area:.1f}")) < 1e-6 and f"Nettogeschossfläche {area:.1f}" in room_pages, f"room schedule: {storey.Name} {area:.1f}")
                expect(plain[storey.Name].gross > area, f"{storey.Name}: net above gross")
        check_u_values(path, model)
    expect(total >= 300, f"only {total} elements")
    print(f"{total} elements in two models")


def check_u_values(path: str, model) -> None:
    text = " ".join(pages(pdf("EN-01")))
    for kind in model.by_type("IfcWallType") + model.by_type("IfcSlabType") + model.by_type("IfcRoof"):
        common = next((v for k, v in ifcopenshell.util.element.get_psets(kind).items() if k.startswith("Pset_") and k.endswith("Common")), {})
        u = common.get("ThermalTransmittance")
        if u is not None:
            code = common["Reference"]
            layers = sum(l.thickness / l.conductivity for l in COMPONENTS[code].layers if l.conductivity)
            by_hand = 1 / (layers + COMPONENTS[code].rsi + COMPONENTS[code].rse)
            expect(abs(by_hand - u) <= 0.0051, f"{code}: {u} in the model, {by_hand:.3f} from the layers")
            expect(f"U-Wert {code} " in text and f"U = {u:.2f}" in text, f"energy proof: {code} {u:.2f}")


def check_envelope(models: dict) -> None:
    """Window and wall areas of the models equal those of the energy balance."""
    for building, (path, _) in FILES.items():
        areas: Counter = Counter()
        for e in models[path].by_type("IfcWindow") + models[path].by_type("IfcWall") + models[path].by_type("IfcRoof") + models[path].by_type("IfcSlab"):
            for name, q in ifcopenshell.util.element.get_psets(e, qtos_only=True).items():
                areas[e.ObjectType.split()[0]] += q.get("NetSideArea", q.get("NetArea", q.get("Area", 0.0)))
        for row in energy.lines(building):
            if not row["code"].startswith("TY"):
                expect(abs(areas[row["code"]] - row["area"]) < 0.11, f"{row['code']}: {areas[row['code']]:.1f} in the model, {row['area']} in the balance")


def check_questions(models: dict) -> None:
    rows = [json.loads(l) for l in (SAMPLE / "questions.jsonl").read_text().splitlines()]
    found, ids = records(), {p: {e.GlobalId for e in m.by_type("IfcRoot")} for p, m in models.items()}
    kinds, langs = Counter(r["kind"] for r in rows), Counter(r["lang"] for r in rows)
    expect(len(rows) == 60 and kinds["fact"] == 40 and kinds["none"] == 12 and kinds["count"] + kinds["list"] == 8, f"wrong mix {kinds}")
    expect(all(langs[l] >= 10 for l in ("de", "fr", "it", "en")), f"too few of a language {langs}")
    expect(len({r["id"] for r in rows}) == 60 and len({r["question"] for r in rows}) == 60, "ids or questions repeat")
    for r in rows:
        expect((r["kind"] == "none") == (not r["relevant"]), f"{r['id']}: places")
        tokens = re.findall(r"[A-Za-z]*\d[\w.'/-]*", normal(r["answer"])) if r["kind"] == "fact" else []
        needed = tokens or ([normal(r["answer"])] if r["kind"] == "fact" else [])
        for place in r["relevant"]:
            if "page" in place:
                text = pages(place["path"])[place["page"] - 1]
                missing = [t for t in needed if t not in text]
                expect(not missing, f"{r['id']}: {place} lacks {missing}")
            elif "global_id" in place:
                expect(place["global_id"] in ids[place["path"]], f"{r['id']}: {place} is not in the model")
            else:
                text = normal(found[place["path"]].get(place["record"], ""))
                expect(bool(text), f"{r['id']}: {place} does not exist")
                expect(all(t in text for t in needed), f"{r['id']}: {place} lacks {needed}")
    everything = " ".join(t for p in SAMPLE.rglob("*.pdf") for t in pages(p.relative_to(SAMPLE).as_posix()))
    everything += " ".join(t for table in found.values() for t in table.values())
    everything += " ".join((SAMPLE / p).read_text() for p in models)
    for r in rows:
        for name in re.findall(r"[A-Z]*-?\d[\d.]*\d", r["question"]) if r["kind"] == "none" else []:
            expect(not re.search(rf"(?<![\w.]){re.escape(name)}(?![\d.])", everything), f"{r['id']}: {name} exists after all")
    print(f"{len(rows)} questions: {dict(kinds)} {dict(langs)}")


def main() -> int:
    models = {path: ifcopenshell.open(str(SAMPLE / path)) for path, _ in FILES.values()}
    check_models(models)
    check_envelope(models)
    check_questions(models)
    found = records()
    print({k.split("/")[-1]: len(v) for k, v in found.items()})
    count = sum(len(pages(p.relative_to(SAMPLE).as_posix())) for p in SAMPLE.rglob("*.pdf"))
    size = sum(p.stat().st_size for p in SAMPLE.rglob("*") if p.is_file())
    print(f"{count} PDF pages, {size / 1e6:.2f} MB")
    expect(count >= 60, f"only {count} PDF pages")
    expect(size < 5_000_000, f"{size} bytes")
    for p in SAMPLE.rglob("*.pdf"):
        for i, text in enumerate(pages(p.relative_to(SAMPLE).as_posix()), 1):
            if "Scan" not in p.name:
                expect(bool(re.search(r"Fiktives Beispielprojekt|exemple fictif|esempio fittizio|Fictional sample project", text)), f"{p.name} page {i} does not say that it is invented")
    for problem in problems:
        print("PROBLEM", problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
