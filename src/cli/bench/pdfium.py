"""Reads PDFs with pdfium through pypdfium2.

Paths come on stdin, one a line; for each, one line of JSON goes to stdout: {"pages": [text, ...]} or
{"error": message}. With --shown, annotations and form fields are made part of the page first, because a
reader sees them and the other programs count them.
"""

import json
import sys
from collections import Counter

try:
    import pypdfium2
except ImportError as error:
    sys.exit(f"missing: {error}")

SHOWN = "--shown" in sys.argv


def page_text(document, index):
    page = document[index]
    plain = page.get_textpage().get_text_bounded()
    if not SHOWN:
        return plain
    pypdfium2.raw.FPDFPage_Flatten(page, pypdfium2.raw.FLAT_NORMALDISPLAY)
    # What was flattened shows after the page is loaded again.
    page.close()
    shown = document[index].get_textpage().get_text_bounded()
    # Flattening mixes up the fonts of some pages: then the page's own words are gone.
    words = Counter(plain.split())
    kept = (words & Counter(shown.split())).total()
    return shown if kept >= 0.9 * words.total() else plain


def read(path):
    try:
        document = pypdfium2.PdfDocument(path)
        if SHOWN:
            # Without its form environment pdfium knows no fields to flatten.
            document.init_forms()
    except Exception as error:
        return {"error": str(error)}
    pages = []
    for index in range(len(document)):
        try:
            pages.append(page_text(document, index))
        except Exception:
            pages.append("")
    return {"pages": pages}


for line in sys.stdin:
    print(json.dumps(read(line.rstrip("\n"))), flush=True)
