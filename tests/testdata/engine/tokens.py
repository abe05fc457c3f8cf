"""Writes tokens_*.bin: what llama.cpp makes of the lines of lines.rs, as one number per line.

    DOSSIER_LINES=lines.json cargo test --test flows there_are_ten_thousand_lines
    python tokens.py LIBRARY_FOLDER lines.json NAME=VOCABULARY.gguf…

llama_cpp.py says which library. The number is the 64-bit FNV-1a hash of the token numbers (4 bytes each,
little-endian), with the model's begin and end tokens, control tokens not parsed.
The committed files come from: smollm2 and gemma3 (the model files), e5 (the imported file).
"""

import json
import pathlib
import struct
import sys

from llama_cpp import Library, Model


def fnv(tokens, value=0xCBF29CE484222325):
    for byte in struct.pack(f"<{len(tokens)}I", *tokens):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


library = Library(sys.argv[1])
lines = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
for job in sys.argv[3:]:
    name, path = job.split("=", 1)
    model = Model(library, path, vocab_only=True)
    tokens = [model.tokenize(line, True, False) for line in lines]
    hashes = [fnv(row) for row in tokens]
    out = pathlib.Path(__file__).with_name(f"tokens_{name}.bin")
    out.write_bytes(struct.pack(f"<{len(hashes)}Q", *hashes))
    # Next to the lines: the tokens themselves, to look at differences.
    pathlib.Path(sys.argv[2]).with_name(f"tokens_{name}.json").write_text(json.dumps(tokens), encoding="utf-8")
    print(name, sum(map(len, tokens)), "tokens")
