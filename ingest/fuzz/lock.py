#!/usr/bin/env python3
"""Fails where the fuzz targets' Cargo.lock has other versions than the product's: what is fuzzed is what ships."""

import sys
import tomllib
from pathlib import Path

FUZZ = Path(__file__).resolve().parent


def versions(path):
    out = {}
    for package in tomllib.loads(path.read_text())["package"]:
        out.setdefault(package["name"], set()).add(package["version"])
    return out


product, fuzz = versions(FUZZ.parents[1] / "Cargo.lock"), versions(FUZZ / "Cargo.lock")
wrong = [
    f"{name} {', '.join(sorted(found - product[name]))} (the product has {', '.join(sorted(product[name]))})"
    for name, found in sorted(fuzz.items())
    if name in product and found - product[name]
]
if wrong:
    sys.exit("fuzz: ingest/fuzz/Cargo.lock differs from Cargo.lock: " + "; ".join(wrong) + "; copy Cargo.lock over it")
