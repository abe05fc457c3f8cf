"""Writes a Llama-shaped model of random weights, for measuring speed at sizes that no test model has.

    python3 random_gguf.py 1b smollm2.gguf out.gguf     # the vocabulary is taken from the second file

Needs the package gguf of PyPI. The weights are F16; llama.cpp's llama-quantize makes the other kinds:

    for kind in Q4_0 Q4_K_M Q5_K_M Q6_K Q8_0; do llama-quantize out.gguf out-$kind.gguf $kind; done
"""

import argparse
from pathlib import Path

import gguf
import numpy as np

# Layers, width, feed-forward width, heads, key-value heads: Llama 3.2's.
SHAPES = {"1b": (16, 2048, 8192, 32, 8), "3b": (28, 3072, 8192, 24, 8)}


def copy_vocabulary(source: Path, writer: gguf.GGUFWriter) -> int:
    """Copies the keys of the tokenizer; gives the number of tokens."""
    reader = gguf.GGUFReader(source)
    for field in reader.fields.values():
        if field.name.startswith("tokenizer."):
            inner = field.types[1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), field.types[0], inner)
    return len(reader.fields["tokenizer.ggml.tokens"].data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("vocabulary", type=Path, help="GGUF file whose tokenizer is taken")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    layers, width, ffn, heads, kv_heads = SHAPES[args.shape]
    kv_width = width // heads * kv_heads

    writer = gguf.GGUFWriter(args.out, "llama", use_temp_file=True)
    writer.add_name(f"random {args.shape}")
    tokens = copy_vocabulary(args.vocabulary, writer)
    writer.add_block_count(layers)
    writer.add_context_length(16384)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(ffn)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_rope_dimension_count(width // heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)

    random = np.random.default_rng(1)

    def matrix(name: str, rows: int, columns: int) -> None:
        weights = random.standard_normal((rows, columns), dtype=np.float32) / np.sqrt(columns)
        writer.add_tensor(f"{name}.weight", weights.astype(np.float16))

    def norm(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(width, dtype=np.float32))

    matrix("token_embd", tokens, width)
    norm("output_norm")
    for i in range(layers):
        norm(f"blk.{i}.attn_norm")
        norm(f"blk.{i}.ffn_norm")
        for name, rows, columns in [
            ("attn_q", width, width),
            ("attn_k", kv_width, width),
            ("attn_v", kv_width, width),
            ("attn_output", width, width),
            ("ffn_gate", ffn, width),
            ("ffn_up", ffn, width),
            ("ffn_down", width, ffn),
        ]:
            matrix(f"blk.{i}.{name}", rows, columns)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
