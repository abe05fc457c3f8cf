"""Writes exact_smollm2.json and exact_gemma3.json: llama.cpp's logits without its 8-bit activations.

    python exact.py LIBRARY_FOLDER MODEL_FOLDER WORK_FOLDER     (llama_cpp.py says which library)

With quantised weights llama.cpp also rounds activations to 8 bits, which moves its logits by some tenths. Here every
weight is first turned into the 32-bit number that it stands for, so that llama.cpp computes with the same weights
and without that rounding. Along the prompts and tokens of greedy_*.json, at each of the 64 positions, the five best
ids and their logits are written. WORK_FOLDER takes the widened models, 1.6 GB. Needs `pip install gguf numpy`.
"""

import json
import pathlib
import struct
import sys

import numpy
from gguf import GGUFReader
from gguf.quants import dequantize
from llama_cpp import Library, Model

here = pathlib.Path(__file__).parent
ALIGNMENT = 32


def widen(source, target):
    """Copies a GGUF file with every tensor as F32; the metadata stay byte for byte."""
    reader = GGUFReader(source)
    raw = source.read_bytes()
    first = min(t.field.offset for t in reader.tensors)
    infos, offset = b"", 0
    for tensor in reader.tensors:
        name, dims = tensor.name.encode(), [int(d) for d in tensor.shape]
        infos += struct.pack("<Q", len(name)) + name + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, 0, offset)
        offset += -(-4 * int(tensor.n_elements) // ALIGNMENT) * ALIGNMENT
    with open(target, "wb") as out:
        out.write(raw[:first] + infos)
        for tensor in reader.tensors:
            out.write(b"\0" * (-out.tell() % ALIGNMENT))
            out.write(dequantize(tensor.data, tensor.tensor_type).astype("<f4").tobytes())


def run(library, name, path, vocabulary):
    model = Model(library, path)
    context = model.context(2048)
    rows = []
    for prompt in json.loads((here / f"greedy_{name}.json").read_text(encoding="utf-8")):
        model.clear(context)
        logits, top = model.logits(context, prompt["ids"], vocabulary), []
        for token in prompt["tokens"]:
            best = numpy.argsort(-logits, kind="stable")[:5].tolist()
            top.append([[i, float(str(logits[i]))] for i in best])
            if len(top) < 64:
                logits = model.logits(context, [token], vocabulary)
        rows.append(top)
        print(name, len(rows), flush=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (here / f"exact_{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    library, models, work = Library(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for name, file, vocabulary in [
        ("smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", 49152),
        ("gemma3", "gemma-3-270m-q4_k_m.gguf", 262144),
    ]:
        wide = work / f"{name}-f32.gguf"
        widen(models / file, wide)
        run(library, name, wide, vocabulary)
