#!/usr/bin/env python3
"""Answers with planted errors, and right ones beside them, out of texts in four languages.

    plant_errors.py DATA OUT.jsonl [--seed N] [--each N]

DATA holds `squad/*.json` (paragraphs), `recht_de/docs/*.md` and `aec_fr/*.md`. Each line of OUT is one pair: `language`,
`sources` (passages, numbered from 1), `answer` (a sentence with its citation), `wrong`, `kind`, `half` (by the hash of the
passage that the answer is from, so that no passage is in both). Nothing here knows how answers are verified.
"""

import argparse
import hashlib
import json
import pathlib
import random
import re

UNITS = {
    "de": ["Prozent", "Meter", "Kilometer", "Kilogramm", "Tonnen", "Liter", "Franken", "Stunden", "Tage", "Jahre", "Grad"],
    "fr": ["pour cent", "mètres", "kilomètres", "kilogrammes", "tonnes", "litres", "francs", "heures", "jours", "ans", "degrés"],
    "it": ["per cento", "metri", "chilometri", "chilogrammi", "tonnellate", "litri", "franchi", "ore", "giorni", "anni", "gradi"],
    "en": ["percent", "metres", "kilometres", "kilograms", "tonnes", "litres", "francs", "hours", "days", "years", "degrees"],
}
SYMBOLS = ["%", "m", "km", "cm", "mm", "kg", "t", "m²", "m³", "km²", "°C", "kW"]
KNOWN = {
    "de": "Prozent|Meter|Metern|Kilometer|Kilometern|Kilogramm|Tonnen|Liter|Stunden|Tage|Tagen|Jahre|Jahren|Grad|Minuten|Monate|Monaten|Wochen|Euro|Millionen|Quadratkilometer|Einwohner",
    "fr": "mètres|kilomètres|kilogrammes|tonnes|litres|heures|jours|ans|années|degrés|minutes|mois|semaines|euros|millions|habitants|hectares",
    "it": "metri|chilometri|chilogrammi|tonnellate|litri|ore|giorni|anni|gradi|minuti|mesi|settimane|euro|milioni|abitanti|ettari",
    "en": "percent|metres|meters|kilometres|kilometers|miles|feet|kilograms|tons|tonnes|litres|hours|days|years|degrees|minutes|months|weeks|million|people|square",
}
REFERENCES = {
    "de": ["gemäss SIA 380/1", "nach EN 1992-1-1", "laut RFI-0815", "gemäss Art. 47", "nach DIN 18032-3", "laut Plan ARC-977", "laut Gutachten Musterplan AG"],
    "fr": ["selon SIA 380/1", "selon la norme EN 1992-1-1", "d'après le RFI-0815", "selon l'art. 47", "selon ISO 9001", "selon le plan ARC-977", "selon le rapport Exemplon SA"],
    "it": ["secondo SIA 380/1", "secondo la norma EN 1992-1-1", "come da RFI-0815", "ai sensi dell'art. 47", "secondo ISO 9001", "come da piano ARC-977", "secondo la perizia Esempion SA"],
    "en": ["according to SIA 380/1", "as per EN 1992-1-1", "see RFI-0815", "under Art. 47", "as required by ISO 9001", "see drawing ARC-977", "according to Exemplar Ltd"],
}
OPENINGS = {
    "de": ["Laut der Unterlage gilt:", "Im Dokument steht:", "Die Antwort lautet:"],
    "fr": ["Selon le document :", "Le texte indique :", "La réponse est la suivante :"],
    "it": ["Secondo il documento:", "Il testo indica:", "La risposta è la seguente:"],
    "en": ["According to the document:", "The text states:", "The answer is as follows:"],
}


def paragraphs(data):
    """Texts of at least two sentences by language."""
    out = {"de": [], "fr": [], "it": [], "en": []}
    for path in sorted(data.glob("squad/*.json")):
        language = path.name.split(".")[1]
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for p in article["paragraphs"]:
                out[language].append(p["context"].strip())
    for language, pattern in (("de", "recht_de/docs/*.md"), ("fr", "aec_fr/*.md")):
        for path in sorted(data.glob(pattern)):
            text = re.sub(r"\A---.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.S)
            for block in text.split("\n\n"):
                block = " ".join(block.split())
                if not block.startswith(("#", "|", "-", "*", ">")) and 150 <= len(block) <= 1500 and "](" not in block:
                    out[language].append(block)
    return {l: sorted(set(t for t in texts if "à´" not in t and "à³" not in t)) for l, texts in out.items()}


def sentences(text):
    parts = re.split(r"(?<=[a-zà-ÿäöü)»\"]\.)\s+(?=[A-ZÀ-ÝÄÖÜ])", text)
    plain = lambda s: 8 <= len(s.split()) <= 32 and s.endswith(".") and not re.search(r"[\[\]\"«»„“”?:;]", s)
    return [s for s in parts if plain(s)]


def half(text):
    return "a" if hashlib.sha256(text.encode()).digest()[0] % 2 == 0 else "b"


# -- wrong ---------------------------------------------------------------------------------------------------------

def digit(s, language, rng, other, passage):
    spots = [m for m in re.finditer(r"\d", s)]
    rng.shuffle(spots)
    for m in spots:
        new = str((int(m.group()) + rng.randint(1, 8)) % 10)
        changed = s[: m.start()] + new + s[m.end():]
        number = re.search(r"[\d.,’']*$", changed[: m.start()]).group() + new + re.match(r"[\d.,’']*", changed[m.end():]).group()
        number = number.strip(".,’'")
        if new != m.group() and not (new == "0" and not re.search(r"\d", s[max(0, m.start() - 1): m.start()])) \
                and not re.search(r"(?<!\d)" + re.escape(number) + r"(?!\d)", passage):
            return changed
    return None


def unit(s, language, rng, other, passage):
    words = re.search(r"(\d[\d.,]*\s)(" + KNOWN[language] + r")\b", s)
    symbol = re.search(r"(\d\s?)(%|km²|km|cm|mm|m²|m³|kg|°C|m)(?![\w²³])", s)
    if words:
        new = rng.choice([u for u in UNITS[language] if u.lower()[:4] != words.group(2).lower()[:4]])
        return s[: words.start(2)] + new + s[words.end(2):]
    if symbol:
        new = rng.choice([u for u in SYMBOLS if u != symbol.group(2)])
        return s[: symbol.start(2)] + new + s[symbol.end(2):]
    return None


def reference(s, language, rng, other, passage):
    return s[:-1] + " " + rng.choice(REFERENCES[language]) + "."


def negation(s, language, rng, other, passage):
    gone = {
        "de": [(r"\bnicht\s", ""), (r"\bkeine(?=\s)", "eine"), (r"\bkein(?=\s)", "ein")],
        "fr": [(r"\bn['’](est|était|a|ont|avait) pas\b", r"\1"), (r"\bne (\w+) pas\b", r"\1")],
        "it": [(r"\bnon\s", "")],
        "en": [(r"\bnot\s", "")],
    }[language]
    for pattern, new in gone:
        if re.search(pattern, s):
            return re.sub(pattern, new, s, count=1)
    verbs = {
        "de": (r"\b(ist|sind|war|waren|wird|werden|wurde|wurden|kann|können|konnte|darf|dürfen|muss|müssen|soll|sollen|hat|haben)\b", r"\1 nicht"),
        "fr": (r"\b(sont|fut|furent|peut|peuvent|doit|doivent|sera|seront|devient|permet|comporte)\b", r"ne \1 pas"),
        "it": (r"\b(è|sono|era|erano|può|possono|deve|devono|fu|furono|ha|hanno|viene|vengono)\b", r"non \1"),
        "en": (r"\b(is|are|was|were|can|could|will|would|must|should|may|has|have|had)\b", r"\1 not"),
    }[language]
    changed = re.sub(verbs[0], verbs[1], s, count=1)
    if changed == s and language == "fr":
        changed = re.sub(r"(?<!['’])\b(est|était|étaient)\b(?!-)", lambda m: "n'" + m.group(1) + " pas", s, count=1)
    return changed if changed != s else None


def names(s):
    """Capitalised words (German nouns too) behind the first word."""
    return [m for m in re.finditer(r"(?<=[a-zà-ÿ,)] )[A-ZÄÖÜÀ-Ý][\w’'-]{3,}(?: [A-ZÄÖÜÀ-Ý][\w’'-]{2,})*", s)]


def put_name(s, new, rng):
    spots = names(s)
    if not spots:
        return None
    m = rng.choice(spots)
    if m.group() == new or new in s:
        return None
    return s[: m.start()] + new + s[m.end():]


def subject(s, language, rng, other, passage):
    pool = [m.group() for t in sentences(other) for m in names(t) if m.group() not in passage]
    return put_name(s, rng.choice(pool), rng) if pool else None


def subject_near(s, language, rng, other, passage):
    """A name of another sentence of the same passage."""
    pool = [m.group() for t in sentences(passage) if t != s for m in names(t) if m.group() not in s]
    return put_name(s, rng.choice(pool), rng) if pool else None


WRONG = {"digit": digit, "unit": unit, "reference": reference, "negation": negation, "subject": subject, "subject-near": subject_near}


# -- right ---------------------------------------------------------------------------------------------------------

def verbatim(s, language, rng):
    return s


def trimmed(s, language, rng):
    """Without its last part behind a comma, or without what stands in brackets."""
    if re.search(r" \([^)]*\)", s):
        return re.sub(r" \([^)]*\)", "", s, count=1)
    head, comma, tail = s.rpartition(", ")
    return head + "." if comma and len(head.split()) >= 7 and len(tail.split()) >= 3 else None


def converted(s, language, rng):
    m = re.search(r"(?<![\d.,])(\d{1,3}) (km|Kilometer|kilomètres|chilometri|kilometres|kilometers|m|cm)(?![\w²³])", s)
    if m:
        to = {"km": (1000, "m"), "m": (100, "cm"), "cm": (10, "mm")}.get(m.group(2), (1000, UNITS[language][1]))
        return s[: m.start()] + f"{int(m.group(1)) * to[0]} {to[1]}" + s[m.end():]
    m = re.search(r"(\d)\s?%", s)
    if m:
        return s[: m.end(1)] + " " + UNITS[language][0] + s[m.end():]
    m = re.search(r"(\d) (Prozent|percent|per cento|pour cent)\b", s)
    return s[: m.end(1)] + " %" + s[m.end():] if m else None


def opening(s, language, rng):
    return rng.choice(OPENINGS[language]) + " " + s


RIGHT = {"verbatim": verbatim, "trimmed": trimmed, "converted": converted, "opening": opening}


def pair(language, passage, answer, wrong, kind, texts, rng, cite_other=False):
    others = rng.sample([t for t in texts if t != passage], 2)
    sources = [passage] + others
    rng.shuffle(sources)
    own = sources.index(passage) + 1
    cited = own if not cite_other else rng.choice([n for n in (1, 2, 3) if n != own])
    marked = answer[:-1] + f" [{cited}]." if answer.endswith(".") else answer + f" [{cited}]"
    return {"language": language, "sources": sources, "answer": marked, "wrong": wrong, "kind": kind, "half": half(passage)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data", type=pathlib.Path)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--each", type=int, default=25, help="pairs of each kind and language")
    a = p.parse_args()
    rng = random.Random(a.seed)
    pairs = []
    for language, texts in paragraphs(a.data).items():
        pool = [(t, s) for t in texts for s in sentences(t)]
        for kind, plant in WRONG.items():
            rng.shuffle(pool)
            done = 0
            for passage, s in pool:
                answer = plant(s, language, rng, rng.choice(texts), passage)
                if answer and answer != s and done < a.each:
                    pairs.append(pair(language, passage, answer, True, kind, texts, rng))
                    done += 1
        rng.shuffle(pool)
        pairs += [pair(language, t, s, True, "citation", texts, rng, cite_other=True) for t, s in pool[: a.each]]
        for passage, s in pool[a.each: 2 * a.each]:
            home = rng.choice([t for t in texts if t != passage and s not in t])
            made = pair(language, home, s, True, "other-project", [t for t in texts if t != passage], rng)
            pairs.append(made)
        for kind, write in RIGHT.items():
            rng.shuffle(pool)
            done = 0
            for passage, s in pool:
                answer = write(s, language, rng)
                if answer and done < 2 * a.each:
                    pairs.append(pair(language, passage, answer, False, kind, texts, rng))
                    done += 1
    with a.out.open("w", encoding="utf-8") as f:
        for one in pairs:
            f.write(json.dumps(one, ensure_ascii=False) + "\n")
    print(f"{len(pairs)} pairs, {sum(x['wrong'] for x in pairs)} wrong")


if __name__ == "__main__":
    main()
