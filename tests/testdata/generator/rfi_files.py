"""Write the two registers: a semicolon CSV in cp1252, and a workbook with a title block above its header."""

from __future__ import annotations

import csv
import datetime as dt
import io
import pathlib
import re
import zipfile

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill

from facts.project import FICTION, NAME, NUMBER
from facts.rfis import SERVICES, TRADES

CSV = "rfi/RM-2417_RFI-Register_Bau.csv"
XLSX = "rfi/RM-2417_RFI-Register_Haustechnik.xlsx"
HEADER = ["Nummer", "Revision", "Betreff", "Frage", "Antwort", "Status", "Priorität", "Fachbereich",
          "Erstellt am", "Fällig am", "Beantwortet am", "Von", "An", "Planbezug"]
ZIP_TIME = (2026, 11, 20, 8, 0, 0)
# cp1252 has no subscript two and no comparison or minus sign; a spreadsheet export would write the same.
CP1252 = str.maketrans({"₂": "2", "≥": ">", "≤": "<", "−": "-"})


def _row(r) -> list:
    return [r.number, r.revision, r.subject, r.question, r.answer, r.status, r.priority, r.discipline,
            r.created, r.due, r.answered, r.sender, r.receiver, r.plan]


def write_csv(path: pathlib.Path) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    writer.writerow(HEADER)
    for r in TRADES:
        row = [str(v).translate(CP1252) for v in _row(r)]
        # As in real exports, longer answers hold line breaks inside their cell.
        row[4] = row[4].replace(". ", ".\n", 1) if len(row[4]) > 150 else row[4]
        writer.writerow(row)
    path.write_bytes(out.getvalue().encode("cp1252"))


def _date(text: str):
    return dt.datetime.strptime(text, "%d.%m.%Y") if text else None


def freeze_zip(data: bytes, replace: dict[str, list[tuple[str, str]]] | None = None) -> bytes:
    """The same archive with fixed times, so that a rerun gives the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            content = old.read(name)
            for pattern, value in (replace or {}).get(name, []):
                content = re.sub(pattern, value, content.decode()).encode()
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content)
    return out.getvalue()


def save_workbook(book: Workbook, path: pathlib.Path | None = None) -> bytes:
    book.properties.creator = "Exempelbau Architektur AG"
    book.properties.created = dt.datetime(*ZIP_TIME)
    raw = io.BytesIO()
    book.save(raw)
    stamp = dt.datetime(*ZIP_TIME).strftime("%Y-%m-%dT%H:%M:%SZ")
    data = freeze_zip(raw.getvalue(), {"docProps/core.xml": [(r"(<dcterms:modified[^>]*>)[^<]*", r"\g<1>" + stamp)]})
    if path:
        path.write_bytes(data)
    return data


def write_xlsx(path: pathlib.Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "RFI-Register"
    sheet["A1"] = f"RFI-Register Haustechnik, {NAME} ({NUMBER})"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet["A2"] = FICTION["de"]
    sheet["A3"], sheet["B3"] = "Stand", dt.datetime(2026, 11, 20)
    sheet["B3"].number_format = "DD.MM.YYYY"
    sheet.append([])
    sheet.append(HEADER)
    for cell in sheet[5]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDE6E0")
    for r in SERVICES:
        row = _row(r)
        row[8:11] = [_date(v) for v in row[8:11]]
        sheet.append(row)
        for cell in sheet[sheet.max_row]:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        for column in "IJK":
            sheet[f"{column}{sheet.max_row}"].number_format = "DD.MM.YYYY"
    for column, width in zip("ABCDEFGHIJKLMN", (9, 9, 28, 52, 52, 13, 10, 16, 12, 12, 14, 18, 18, 12)):
        sheet.column_dimensions[column].width = width
    sheet.freeze_panes = "A6"
    legend = book.create_sheet("Legende")
    for row in (["Status", "Bedeutung"], ["offen", "Frage gestellt, Frist läuft"], ["überfällig", "Frist abgelaufen, keine Antwort"],
                ["beantwortet", "Antwort liegt vor, noch nicht bestätigt"], ["geschlossen", "Antwort bestätigt"]):
        legend.append(row)
    save_workbook(book, path)


def write(folder: pathlib.Path) -> None:
    (folder / "rfi").mkdir(parents=True, exist_ok=True)
    write_csv(folder / CSV)
    write_xlsx(folder / XLSX)
