"""Page texts through poppler's pdftotext, normalised for comparison."""

from __future__ import annotations

import functools
import pathlib
import re
import subprocess

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "sample"


def normal(text: str) -> str:
    """One line, plain apostrophes and hyphens, single blanks."""
    text = text.replace("’", "'").replace("−", "-").replace("\u00ad", "").replace("\u00a0", " ").replace("\u202f", " ")
    return re.sub(r"\s+", " ", text)


@functools.cache
def pages(path: str) -> tuple[str, ...]:
    """The pages of a PDF of the sample: each in layout order, then in reading order (a cell that wraps reads right there)."""
    both = []
    for mode in (["-layout"], []):
        run = subprocess.run(["pdftotext", *mode, str(SAMPLE / path), "-"], check=True, capture_output=True)
        text = re.sub(r"(\w)[-\u00ad\u2010]\n(?=[a-zäöüàéè])", r"\1", run.stdout.decode())
        both.append([normal(p) for p in text.split("\f")[:-1]])
    return tuple(f"{a} ¶ {b}" for a, b in zip(*both, strict=True))


@functools.cache
def pdf(key: str) -> str:
    """Path of the PDF whose number ends with the key, relative to the sample."""
    found = [p for p in SAMPLE.rglob("*.pdf") if f"-{key}_" in p.name]
    assert len(found) == 1, (key, found)
    return found[0].relative_to(SAMPLE).as_posix()


def find(key: str, pattern: str) -> list[dict]:
    """Every page of a PDF that matches, as places of a question file."""
    path = pdf(key)
    hits = [{"path": path, "page": i} for i, text in enumerate(pages(path), 1) if re.search(pattern, text, re.I)]
    assert hits, f"{key}: no page matches {pattern!r}"
    return hits
