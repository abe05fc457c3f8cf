"""Tokens and speed of other programs: Hugging Face tokenizers and tiktoken, with the vocabulary of a GGUF file.

Called with a folder that holds vocabulary.json, lines.json and strings.json; writes ids.bin (for each string the
number of its tokens and the tokens, 32 bits each; all bits set for a string that is not compared) and prints one JSON object.
"""

import array
import base64
import json
import os
import sys
import time
import unicodedata

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import tokenizers  # noqa: E402
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers  # noqa: E402

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
QWEN35 = QWEN2.replace(r"\p{L}+", r"[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
TEKKEN = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+",
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*",
        r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ]
)
GPT4O = (
    TEKKEN.replace(rf"{LOWER}+|", rf"{LOWER}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|")
    .replace(rf"{LOWER}*|", rf"{LOWER}*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|")
    .replace(r"|\p{N}|", r"|\p{N}{1,3}|")
)
# llama.cpp's rule where a file names none: one after the other.
DEFAULT = [r"[\p{P}$+<=>^~|]+", GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"]


def byte_level(use_regex):
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=use_regex)


def split(*patterns):
    splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    return pre_tokenizers.Sequence([*splits, byte_level(False)])


RULES = {
    "gpt-2": lambda: byte_level(True),
    "smollm": lambda: pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level(True)]),
    "llama-bpe": lambda: split(LLAMA3),
    "qwen2": lambda: split(QWEN2),
    "qwen35": lambda: split(QWEN35),
    "tekken": lambda: split(TEKKEN),
    "gpt-4o": lambda: split(GPT4O),
    "default": lambda: split(*DEFAULT),
}
TIKTOKEN = {"gpt-2": GPT2, "smollm": GPT2.replace(r" ?\p{N}+", r"\p{N}"), "llama-bpe": LLAMA3, "qwen2": QWEN2}
TIKTOKEN |= {"qwen35": QWEN35, "tekken": TEKKEN, "gpt-4o": GPT4O}


def merges_by_score(tokens, scores):
    """All ways to join two tokens to a third, the third with the best score first."""
    ids = {text: i for i, text in enumerate(tokens)}
    found = []
    for text in tokens:
        for at in range(1, len(text)):
            left, right = text[:at], text[at:]
            if left in ids and right in ids:
                found.append((-scores[ids[text]], ids[left], ids[right], left, right))
    found.sort(key=lambda m: m[:3])
    return [(m[3], m[4]) for m in found]


def sentencepiece_normaliser(blob):
    """The normalisation map as SentencePiece uses it: the longest key that the rest of the text begins with is replaced.

    The package's own `Precompiled` looks at whole grapheme clusters instead, so that a letter with two marks is not
    composed with the first.
    """
    size = int.from_bytes(blob[:4], "little")
    units, texts = array.array("I", blob[4 : 4 + size]), blob[4 + size :]

    def offset(unit):
        return (unit >> 10) << ((unit & (1 << 9)) >> 6)

    def normalise(text):
        data, out, at = text.encode(), bytearray(), 0
        while at < len(data):
            place, found = offset(units[0]), None
            for i in range(at, len(data)):
                place ^= data[i]
                if data[i] == 0 or place >= len(units) or units[place] & ((1 << 31) | 0xFF) != data[i]:
                    break
                unit = units[place]
                place ^= offset(unit)
                if unit & 256:
                    start = units[place] & 0x7FFFFFFF
                    found = (i + 1, texts[start : texts.index(b"\0", start)])
            if found:
                at, replacement = found
                out += replacement
            else:
                width = 1 if data[at] < 128 else 2 if data[at] < 224 else 3 if data[at] < 240 else 4
                out += data[at : at + width]
                at += width
        return out.decode()

    return normalise


def hugging_face(v):
    tokens, kind = v["tokens"], v["model"]
    ids = {text: i for i, text in enumerate(tokens)}
    if kind == "gpt2":
        merges = []
        for line in v["merges"]:
            at = line.index(" ", 1)
            merges.append((line[:at], line[at + 1 :]))
        made = Tokenizer(models.BPE(vocab=ids, merges=merges, ignore_merges=v["pre"] in ("llama-bpe", "tekken")))
        made.pre_tokenizer = RULES[v["pre"]]()
    elif kind == "llama":
        merges = merges_by_score(tokens, v["scores"])
        unknown = tokens[v["unknown"]]
        model = models.BPE(vocab=ids, merges=merges, byte_fallback=True, fuse_unk=True, unk_token=unknown)
        made = Tokenizer(model)
        made.normalizer = normalizers.Replace(" ", "\u2581")
    else:
        pairs = list(zip(tokens, v["scores"]))
        made = Tokenizer(models.Unigram(pairs, unk_id=v["unknown"], byte_fallback=False))
        made.normalizer = normalizers.Precompiled(base64.b64decode(v["charsmap"]))
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
        )
    made.add_tokens([AddedToken(tokens[i], normalized=False) for i, t in enumerate(v["types"]) if t == 4])
    return made


def median(work, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def tiktoken_speed(v, lines, size, runs):
    if v["model"] != "gpt2" or v["pre"] not in TIKTOKEN:
        return None
    import tiktoken

    chars = pre_tokenizers.ByteLevel.alphabet()
    to_byte, free = {}, 0
    for byte in range(256):
        printed = chr(byte) in chars and (33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255)
        to_byte[chr(byte) if printed else chr(256 + free)] = byte
        free += 0 if printed else 1
    ranks = {}
    for i, text in enumerate(v["tokens"]):
        if v["types"][i] == 1 and all(c in to_byte for c in text):
            ranks[bytes(to_byte[c] for c in text)] = i
    made = tiktoken.Encoding("peer", pat_str=TIKTOKEN[v["pre"]], mergeable_ranks=ranks, special_tokens={})
    seconds = median(lambda: [made.encode_ordinary(line) for line in lines], runs)
    return {"version": tiktoken.__version__, "mb_per_s": size / seconds / 1e6}


def unassigned(text):
    """Whether a character is none in the Unicode of this Python: each program has its own, and what it does not know is
    no letter to it."""
    return any(unicodedata.category(c) == "Cn" for c in text)


def main(folder, runs):
    read = lambda name: json.load(open(os.path.join(folder, name), encoding="utf-8"))
    vocabulary, lines, strings = read("vocabulary.json"), read("lines.json"), read("strings.json")
    size = sum(len(line.encode()) for line in lines)
    made = hugging_face(vocabulary)
    one = lambda: [made.encode(line, add_special_tokens=False) for line in lines]
    batch = lambda: made.encode_batch_fast(lines, add_special_tokens=False)
    seconds = min(median(one, runs), median(batch, runs))
    skipped = [unassigned(string) for string in strings]
    if vocabulary["charsmap"]:
        # For the comparison only: the speed above is that of the package as it is.
        normalise = sentencepiece_normaliser(base64.b64decode(vocabulary["charsmap"]))
        strings = [normalise(string) for string in strings]
        made.normalizer = normalizers.Sequence([])
    with open(os.path.join(folder, "ids.bin"), "wb") as out:
        for at in range(0, len(strings), 10_000):
            encodings = made.encode_batch_fast(strings[at : at + 10_000], add_special_tokens=False)
            for skip, encoding in zip(skipped[at : at + 10_000], encodings):
                ids = [] if skip else encoding.ids
                out.write(array.array("I", [0xFFFFFFFF if skip else len(ids)] + ids).tobytes())
    found = {
        "tokenizers": {"version": tokenizers.__version__, "mb_per_s": size / seconds / 1e6},
        "tiktoken": tiktoken_speed(vocabulary, lines, size, runs),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
