#!/usr/bin/env python3
"""Writes blocks.bin: random blocks of every tensor type with the values that PyPI's `gguf` gives them.

Run with `pip install gguf==0.19.0 numpy`, in this folder. Little endian; for each type: u32 type number of the
GGUF tensor table, u32 number of weights, the blocks, the weights as f32.
"""

import struct

import numpy as np
from gguf import GGMLQuantizationType as T
from gguf import GGML_QUANT_SIZES
from gguf.quants import dequantize

# Byte offsets of the half-precision scales in a block; random bits there could be infinite or not a number.
HALVES = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0],
    T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.F16: [0],
}
TYPES = [T.F32, T.F16, T.BF16, *[t for t in HALVES if t != T.F16]]


def blocks(kind, rng):
    length, size = GGML_QUANT_SIZES[kind]
    count = 512 // length
    if kind == T.F32:
        return rng.normal(size=count).astype("<f4").view(np.uint8).reshape(1, -1)
    if kind == T.BF16:
        words = rng.normal(size=count).astype("<f4").view("<u4") >> 16
        return words.astype("<u2").view(np.uint8).reshape(1, -1)
    raw = rng.integers(0, 256, size=(count, size), dtype=np.uint8)
    for at in HALVES[kind]:
        # Small scales of both signs, subnormal ones among them.
        scale = (rng.normal(size=count) * 10.0 ** rng.uniform(-7, 0, size=count)).astype("<f2")
        raw[:, at : at + 2] = scale.view(np.uint8).reshape(count, 2)
    return raw.reshape(1, -1)


def main():
    rng = np.random.default_rng(20)
    with open("blocks.bin", "wb") as out:
        for kind in TYPES:
            raw = blocks(kind, rng)
            values = dequantize(raw, kind).astype("<f4").reshape(-1)
            out.write(struct.pack("<II", int(kind), values.size))
            out.write(raw.tobytes())
            out.write(values.tobytes())


if __name__ == "__main__":
    main()
