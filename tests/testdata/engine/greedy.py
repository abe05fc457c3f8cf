"""Writes greedy_smollm2.json and greedy_gemma3.json: what llama.cpp says next, 64 times, after 20 prompts.

    python greedy.py LIBRARY_FOLDER MODEL_FOLDER        (llama_cpp.py says which library)

Per prompt: its text, whether names of control tokens count in it, its token ids, the 64 ids of greedy decoding
and, at each of the 64 positions, the five best ids with their logits in full precision. Decoding goes on over
end tokens. KV cache f16, no flash attention, plain kernels, CPU.
"""

import json
import pathlib
import sys

import numpy
from llama_cpp import Library, Model

here = pathlib.Path(__file__).parent
TEXTS = json.loads((here / "texts.json").read_text(encoding="utf-8"))

QUESTIONS = [
    "What is the U-value of the external wall of block B?",
    "How thick is the insulation below the slab, and of which material?",
    "Who inspects the reinforcement before the concrete is poured?",
    "List three reasons why a basement wall can become damp.",
    "Explain in two sentences what a fire compartment is.",
    "Which rooms need mechanical ventilation?",
    "Convert 42.5 square metres to square feet.",
    "Write a short note to the contractor about the open joint in block B.",
    "Is a threshold of 25 mm step-free?",
    "Name the parts of a flat roof from top to bottom.",
]


def passages(language, count):
    """`count` sentences and longer texts of one language, one after the other."""
    texts = [row["text"] for row in TEXTS if row["lang"] == language and row["kind"] == "passage"]
    return texts[:count]


def plain():
    """Ten prompts without a template, in four languages; the longest pass Gemma's window of 512 tokens."""
    yield "The three most important things when pouring concrete in winter are"
    yield "def area(length, width):\n    "
    yield "Der Wärmedurchgangskoeffizient einer Aussenwand gibt an,"
    yield "L'isolation thermique d'une toiture plate se compose"
    yield "Il permesso di costruzione viene rilasciato"
    yield "1. Excavation\n2. Foundations\n3."
    yield "Room | Area | Floor\n2.11 | 38.0 m² | linoleum\n2.12 |"
    yield "\n".join(passages("de", 18)) + "\nZusammengefasst:"
    yield "\n".join(passages("en", 30)) + "\nIn short,"
    yield " ".join(passages("fr", 20)) + "\n\nEn résumé,"


def chat(system, user):
    return f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}<|im_end|>\n<|im_start|>assistant\n"


def turn(user):
    return f"<start_of_turn>user\n{user}<end_of_turn>\n<start_of_turn>model\n"


def prompts(name):
    system = "Answer from the numbered passages only."
    numbered = "\n".join(f"[{i}] {text}" for i, text in enumerate(passages("en", 20), 1))
    for number, question in enumerate(QUESTIONS):
        user = f"{numbered}\n\n{question}" if number % 4 == 0 else question
        yield (chat(system, user) if name == "smollm2" else turn(user)), True
    for text in plain():
        yield text, False


def run(library, name, path, vocabulary):
    model = Model(library, path)
    context = model.context(2048)
    rows = []
    for text, parse_special in prompts(name):
        ids = model.tokenize(text, True, parse_special)
        model.clear(context)
        logits, tokens, top = model.logits(context, ids, vocabulary), [], []
        for position in range(64):
            best = numpy.argsort(-logits, kind="stable")[:5].tolist()
            # The shortest decimal that is this float32.
            top.append([[i, float(str(logits[i]))] for i in best])
            tokens.append(best[0])
            if position < 63:
                logits = model.logits(context, [best[0]], vocabulary)
        rows.append({"text": text, "parse_special": parse_special, "ids": ids, "tokens": tokens, "top": top})
        print(name, len(rows), len(ids), flush=True)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    (here / f"greedy_{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    library = Library(sys.argv[1])
    models = pathlib.Path(sys.argv[2])
    run(library, "smollm2", models / "SmolLM2-135M-Instruct.Q4_1.gguf", 49152)
    run(library, "gemma3", models / "gemma-3-270m-q4_k_m.gguf", 262144)
