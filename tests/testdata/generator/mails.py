"""Three mails with attachments: a PDF page, a workbook, a picture."""

from __future__ import annotations

import datetime as dt
import io
import json
import pathlib
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime

import typst
from openpyxl import Workbook
from PIL import Image, ImageDraw, ImageFont

from facts.components import WINDOW_TYPES
from facts.export import export
from facts.project import FICTION, NAME, PARTIES
from facts.rooms import WINDOWS
from rfi_files import save_workbook

HERE = pathlib.Path(__file__).parent / "typst"


def _address(code: str) -> str:
    p = PARTIES[code]
    return f'"{p.person} ({code})" <{code.lower()}@beispiel.example>'


def _pdf() -> bytes:
    return typst.compile(str(HERE / "nachtrag.typ"), root=str(HERE), sys_inputs={"facts": json.dumps(export(), ensure_ascii=False)})


def _workbook() -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.title = "Fenstermengen"
    sheet.append(["Typ", "Bezeichnung", "Breite m", "Höhe m", "Anzahl", "Fläche m²", "Preis pro Stück CHF", "Betrag CHF"])
    prices = {"FE-01": 4850, "FE-02": 5900, "FE-03": 14200, "FE-04": 980, "FE-05": 6400, "FE-06": 9800, "FE-11": 17600, "FE-12": 2150, "FE-13": 10350}
    for t in WINDOW_TYPES.values():
        count = sum(1 for w in WINDOWS.values() if w.type == t.code)
        sheet.append([t.code, t.name, t.width, t.height, count, round(count * t.width * t.height, 2), prices[t.code], prices[t.code] * count])
    return save_workbook(book)


def _picture() -> bytes:
    """A drawn stand-in for a photo: a pane with two scratches and a scale."""
    image = Image.new("RGB", (640, 480), (206, 219, 226))
    draw = ImageDraw.Draw(image)
    draw.rectangle((60, 40, 580, 440), outline=(70, 74, 78), width=18)
    for points in ([(190, 120), (300, 168), (362, 171)], [(330, 300), (415, 262)]):
        draw.line(points, fill=(250, 250, 250), width=3)
    for i in range(11):
        draw.line((120 + i * 20, 400, 120 + i * 20, 412 if i % 5 else 420), fill=(30, 30, 30), width=2)
    font = ImageFont.load_default(18)
    draw.text((120, 372), "0           10 cm", fill=(30, 30, 30), font=font)
    draw.text((70, 448), f"F-1.07  22.09.2026  {FICTION['de']}", fill=(30, 30, 30), font=font)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


MAILS = (
    ("mail/2026-07-03_Nachtrag-Wasserhaltung.eml", "BL", ("BH", "ARC"), dt.datetime(2026, 7, 3, 14, 12), "Nachtragsofferte 3: Wasserhaltung Baugrube Haus A",
     """Guten Tag

Im Anhang erhalten Sie die Nachtragsofferte 3 für die verlängerte Wasserhaltung in der Baugrube von Haus A. Die Mehrkosten betragen CHF 46'300.00 exklusive Mehrwertsteuer. Grund ist der hohe Grundwasserstand im Juni; der Betrieb dauerte 31 Tage länger als im Werkvertrag vorgesehen.

Ich empfehle die Genehmigung zulasten der Reserve. Nach Abzug verbleiben in der Reserve rund CHF 250'000. Bitte geben Sie bis zum 17.07.2026 Bescheid, damit der Unternehmer die Filterbrunnen abrechnen kann.

Freundliche Grüsse
C. Exempel, Bauleitung""", ("RM-2417-NO-03_Nachtrag-Wasserhaltung.pdf", "application", "pdf", _pdf)),
    ("mail/2026-03-20_Mengen-Fenster.eml", "FEN", ("ARC", "BL"), dt.datetime(2026, 3, 20, 9, 41), "Quantità serramenti per il contratto d'appalto",
     """Buongiorno

in allegato trovate la tabella delle quantità per il contratto, aggiornata alla lista ARC-502 indice a. La finestra FE-01 costa CHF 4'850 al pezzo, la finestra della palestra FE-11 CHF 17'600. I prezzi si intendono senza IVA, fornitura e posa comprese; le lamelle sono escluse e vengono offerte a parte entro il 17.04.2026.

Vi prego di confermare il numero di lucernari FE-05: nella lista sono due, uno per ogni vano scala.

Cordiali saluti
K. Esempio, Finestresempio Sagl (ditta fittizia)""", ("RM-2417_Mengen-Fenster.xlsx", "application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet", _workbook)),
    ("mail/2026-09-22_Kratzer-Fenster.eml", "BL", ("FEN", "ARC"), dt.datetime(2026, 9, 22, 16, 5), "Mängelrüge: Kratzer an den Fenstern F-1.07 und F-1.08",
     """Guten Tag

Beim Rundgang von heute habe ich an den Fenstern F-1.07 und F-1.08 im Schulzimmer 2 (Raum 1.02) Kratzer auf der inneren Scheibe festgestellt, 9 cm und 5 cm lang, aus 1.5 m Abstand bei diffusem Licht deutlich sichtbar. Das Foto liegt bei.

Ich rüge den Mangel und verlange den Ersatz beider Isoliergläser bis zum 06.11.2026. Bis dahin sind die Scheiben mit Schutzfolie abzudecken. Die Kosten trägt der Unternehmer.

Freundliche Grüsse
C. Exempel, Bauleitung""", ("IMG_0922_F-1.07.png", "image", "png", _picture)),
)


def write(folder: pathlib.Path) -> None:
    for i, (target, sender, receivers, when, subject, body, (name, main, sub, make)) in enumerate(MAILS, 1):
        mail = EmailMessage(policy=policy.SMTP)
        mail["Message-ID"] = f"<rm2417-{i:04d}@beispiel.example>"
        mail["Date"] = format_datetime(when.replace(tzinfo=dt.timezone(dt.timedelta(hours=1 if when.month == 3 else 2))))
        mail["From"] = _address(sender)
        mail["To"] = ", ".join(_address(r) for r in receivers)
        mail["Subject"] = subject
        mail.set_content(f"{body}\n\n{NAME}. {FICTION['de']}.\n", cte="quoted-printable")
        mail.add_attachment(make(), maintype=main, subtype=sub, filename=name)
        mail.set_boundary(f"=_rm2417_{i:04d}")
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(mail.as_bytes())
