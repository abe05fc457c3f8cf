"""Compile the Typst sources to PDF."""

from __future__ import annotations

import json
import pathlib

import typst

from facts.export import export

HERE = pathlib.Path(__file__).parent / "typst"
PDFS = {
    "baubeschrieb": "dokumente/RM-2417-BB-01_Baubeschrieb.pdf",
    "energie": "dokumente/RM-2417-EN-01_Energienachweis.pdf",
    "brandschutz": "dokumente/RM-2417-BS-01_Brandschutzkonzept.pdf",
    "raumbuch": "dokumente/RM-2417-RB-01_Raumbuch.pdf",
    "tuerliste": "dokumente/RM-2417-ARC-501_Tuerliste.pdf",
    "fensterliste": "dokumente/RM-2417-ARC-502_Fensterliste.pdf",
    "planliste": "dokumente/RM-2417-PL-01_Planliste.pdf",
    "akustik": "dokumente/RM-2417-AK-01_Akustikbericht.pdf",
    "baugrund": "dokumente/RM-2417-GEO-01_Baugrundbericht.pdf",
    "kosten": "dokumente/RM-2417-KV-01_Kostenvoranschlag-eBKP-H.pdf",
    "betrieb": "dokumente/RM-2417-UB-01_Unterhalt-und-Betrieb.pdf",
    "ventilation_fr": "dokumente/RM-2417-VEN-01_Notice-ventilation.pdf",
    "serramenti_it": "dokumente/RM-2417-FEN-01_Relazione-serramenti.pdf",
    "sustainability_en": "dokumente/RM-2417-CX-01_Sustainability-Commissioning.pdf",
}
MEETINGS = ("05", "07", "09", "14", "22", "25")


def _jobs():
    for source, target in PDFS.items():
        yield source, target, {}
    for number in MEETINGS:
        yield "protokoll", f"protokolle/RM-2417-BS{number}_Protokoll-Bausitzung-{number}.pdf", {"meeting": number}


def write(folder: pathlib.Path, only: list[str] | None = None) -> None:
    facts = json.dumps(export(), ensure_ascii=False)
    for source, target, extra in _jobs():
        if only and source not in only:
            continue
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(typst.compile(str(HERE / f"{source}.typ"), root=str(HERE), sys_inputs={"facts": facts, **extra}))
