"""Write the whole sample project: `python build.py [document …]` rewrites ../sample."""

from __future__ import annotations

import pathlib
import sys

import bcf_file
import ifc_models
import mails
import pdfs
import questions
import rfi_files
import scan
from facts import walls

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "sample"


def main(only: list[str]) -> None:
    walls.check()
    pdfs.write(SAMPLE, only)
    if not only:
        scan.write(SAMPLE)
        rfi_files.write(SAMPLE)
        bcf_file.write(SAMPLE)
        mails.write(SAMPLE)
        ifc_models.write(SAMPLE)
        questions.write(SAMPLE)


if __name__ == "__main__":
    main(sys.argv[1:])
