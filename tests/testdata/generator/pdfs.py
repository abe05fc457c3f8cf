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
}


def write(folder: pathlib.Path, only: list[str] | None = None) -> None:
    inputs = {"facts": json.dumps(export(), ensure_ascii=False)}
    for source, target in PDFS.items():
        if only and source not in only:
            continue
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(typst.compile(str(HERE / f"{source}.typ"), root=str(HERE), sys_inputs=inputs))
