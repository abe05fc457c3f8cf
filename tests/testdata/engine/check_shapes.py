"""Loads the files of shapes/ in llama.cpp and compares its logits, vectors and scores with those beside them.

    python check_shapes.py LIBRARY_FOLDER     (llama_cpp.py says which library)

Writes nothing. llama.cpp rounds activations to half precision where weights are, and its answers to Phi-3 leave the
window out, so they lie further away than the engine's.
"""

import json
import pathlib
import sys

import numpy
from llama_cpp import Library, Model

folder = pathlib.Path(__file__).parent / "shapes"


def text_model(model, facts, length, places):
    rows = []
    for place in places:
        context = model.context(length if length > 32 else 32)
        rows.append(model.logits(context, facts["ids"][: place + 1], facts["vocabulary"]))
    return numpy.array(rows)


if __name__ == "__main__":
    library = Library(sys.argv[1])
    for path in sorted(folder.glob("*.gguf")):
        facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        expected = numpy.fromfile(path.with_suffix(".f32"), "<f4")
        model = Model(library, path)
        if "ids" in facts:
            assert model.tokenize(facts["text"], True, False) == facts["ids"], path
            cases = zip(facts["lengths"], facts["positions"])
            found = numpy.concatenate([text_model(model, facts, *case) for case in cases]).ravel()
        elif "lines" in facts:
            found = []
            prefix = "search_document: " if path.stem == "nomic-bert" else ""
            for text in facts["passages"]:
                text = prefix + text
                context = model.context(256, embeddings=True)
                vector = model.embed(context, model.tokenize(text, True, False), expected.size // 4)
                found.append(vector / numpy.linalg.norm(vector))
            found = numpy.concatenate([expected[: expected.size // 4], *found])
        else:
            print(path.stem, "is left out: the library has no call for pairs")
            continue
        print(f"{path.stem:16} {abs(found - expected).max():.1e}", flush=True)
