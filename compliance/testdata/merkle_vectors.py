"""Computes Merkle roots and proofs straight from the recursive definitions of RFC 6962, section 2.1.

The eight leaves are those of the public Certificate Transparency test suites. Writes JSON for the tests:
    python3 merkle_vectors.py > merkle_vectors.json
"""

import hashlib
import json

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
# The same leaves again and again with a counter, to get past one tile of 256.
LONG = [(LEAVES[i % 8] + f"{i:08x}") for i in range(600)]


def sha(data):
    return hashlib.sha256(data).digest()


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def root(d):
    if not d:
        return sha(b"")
    if len(d) == 1:
        return sha(b"\x00" + d[0])
    k = split(len(d))
    return sha(b"\x01" + root(d[:k]) + root(d[k:]))


def path(m, d):
    if len(d) == 1:
        return []
    k = split(len(d))
    if m < k:
        return path(m, d[:k]) + [root(d[k:])]
    return path(m - k, d[k:]) + [root(d[:k])]


def subproof(m, d, complete):
    if m == len(d):
        return [] if complete else [root(d)]
    k = split(len(d))
    if m <= k:
        return subproof(m, d[:k], complete) + [root(d[k:])]
    return subproof(m - k, d[k:], False) + [root(d[:k])]


def hexes(hashes):
    return [h.hex() for h in hashes]


def cases(leaves, sizes, inclusion, consistency):
    data = [bytes.fromhex(leaf) for leaf in leaves]
    return {
        "leaves": leaves,
        "roots": [{"size": n, "root": root(data[:n]).hex()} for n in sizes],
        "inclusion": [{"size": n, "seq": m, "proof": hexes(path(m, data[:n]))} for n, m in inclusion],
        "consistency": [{"old": m, "new": n, "proof": hexes(subproof(m, data[:n], True))} for m, n in consistency],
    }


short = cases(
    LEAVES,
    range(9),
    [(n, m) for n in range(1, 9) for m in range(n)],
    [(m, n) for n in range(1, 9) for m in range(1, n + 1)],
)
long = cases(
    LONG,
    [255, 256, 257, 511, 512, 513, 600],
    [(600, m) for m in (0, 1, 255, 256, 511, 512, 599)],
    [(m, 600) for m in (1, 255, 256, 257, 511, 512, 513, 599, 600)],
)
print(json.dumps({"short": short, "long": long}, indent=1))
