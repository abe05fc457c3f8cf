"""Writes tokens_pre_*.bin: what Hugging Face's tokenizers make of the lines of lines.rs with SmolLM2's vocabulary and the
rules of other models, as one number per 50 lines.

    DOSSIER_LINES=lines.json cargo test --test flows there_are_ten_thousand_lines
    python tokens_pre.py lines.json vocabulary.json

`vocabulary.json` is what `bench tokenizer` hands to the same peer: tokens, their types and merges of the GGUF file. The
number is that of tokens.py. The rules are those of `src/cli/bench/tokenizer/peer.py`, which are the models' own;
llama.cpp's differ from them in letters beyond ASCII (`tekken`, `gpt-4o`) and in bytes that a vocabulary lacks.
"""

import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[2] / "src/cli/bench/tokenizer"))

import peer  # noqa: E402

STEP = 50
lines, vocabulary = (json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3])


def fnv(tokens, value):
    for byte in struct.pack(f"<{len(tokens)}I", *tokens):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


for pre in ["default", "gpt-2", "llama-bpe", "qwen2", "qwen35", "tekken", "gpt-4o"]:
    made = peer.hugging_face(vocabulary | {"pre": pre})
    hashes = []
    for start in range(0, len(lines), STEP):
        value = 0xCBF29CE484222325
        for encoding in made.encode_batch(lines[start : start + STEP], add_special_tokens=False):
            value = fnv(encoding.ids, value)
        hashes.append(value)
    (HERE / f"tokens_pre_{pre}.bin").write_bytes(struct.pack(f"<{len(hashes)}Q", *hashes))
    print(pre)
