"""Writes tests/testdata/engine/shapes: tiny random models of every architecture, and what transformers makes of them.

    python shapes.py CONVERTER WORK [NAME …]

CONVERTER is the folder vendor/llama.cpp of PyPI's llama-cpp-python 0.3.36 archive (`pip download --no-deps
--no-binary :all: llama-cpp-python==0.3.36`, then unpack it), whose converter writes the GGUF files. WORK is an empty
folder for what lies between. Needs `pip install torch transformers numpy sentencepiece protobuf pyyaml requests`;
made with torch 2.15.0 and transformers 5.24.0 on a CPU.

Weights are random, rounded to half precision so that files hold them exactly. The reference is transformers' own
model in 32-bit floats with eager attention, in which keys and values are rounded to half precision, as the engine's
cache (and llama.cpp's) holds them. NAME.json has the texts, token numbers and, for text models, the positions whose
logits are compared; NAME.f32 has the numbers, little-endian. Printed beside each name: how far those are from the
model's without any rounding.
"""

import inspect
import json
import pathlib
import shutil
import sys

import numpy
import sentencepiece
from sentencepiece import sentencepiece_model_pb2
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

here = pathlib.Path(__file__).parent
data = here.parent / "testdata/engine"
target = data / "shapes"
texts = [row["text"] for row in json.loads((data / "texts.json").read_text(encoding="utf-8"))]

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace("{1,3}", "")

ROUND = True


def attention(module, query, key, value, mask, scaling=None, dropout=0.0, **_):
    """Eager attention over keys and values in half precision."""
    if ROUND:
        key, value = key.half().to(key.dtype), value.half().to(value.dtype)
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
    weights = query @ key.transpose(2, 3) * scaling
    if mask is not None:
        weights = weights + mask[..., : key.shape[-2]]
    return (weights.softmax(-1) @ value).transpose(1, 2).contiguous(), weights


AttentionInterface.register("rounded", attention)
AttentionMaskInterface.register("rounded", eager_mask)


# Vocabularies, learned from the texts beside.


def byte_level(pattern, special, begin=None, end=None):
    """Byte-level BPE as Llama 3 and Qwen have it; `begin` and `end` stand around a text where they are given."""
    model = tokenizers.Tokenizer(models.BPE())
    model.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    model.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320 - len(special), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    model.train_from_iterator(texts + ["yes", "no"] * 500, trainer)
    model.add_special_tokens(special)
    marks = [(mark, model.token_to_id(mark)) for mark in (begin, end) if mark]
    if marks:
        model.post_processor = processors.TemplateProcessing(f"{begin or ''} $A {end or ''}".strip(), None, marks)
    names = {"eos_token": end or special[-1], **({"bos_token": begin} if begin else {})}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=model, **names)


def word_piece():
    """WordPiece as BERT has it, for lower-case text without accents."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    model = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    model.normalizer = normalizers.BertNormalizer()
    model.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    model.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=320, special_tokens=special, show_progress=False)
    model.train_from_iterator(texts, trainer)
    model.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip("pad_token unk_token cls_token sep_token mask_token".split(), special))
    return transformers.BertTokenizerFast(tokenizer_object=model, **names)


def sentence_piece(folder, name, **options):
    """A SentencePiece vocabulary in `folder`/`name`."""
    folder.mkdir(parents=True, exist_ok=True)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(folder / "sp"), minloglevel=2, **options
    )
    (folder / "sp.model").rename(folder / name)
    (folder / "sp.vocab").unlink()
    return sentencepiece.SentencePieceProcessor(model_file=str(folder / name))


def bpe_pieces(folder, **options):
    """SentencePiece BPE with bytes, as Mistral, Phi-3 and Gemma have it."""
    options = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1, **options}
    size = {"vocab_size": 380, "model_type": "bpe", "byte_fallback": True}
    as_it_is = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
    return sentence_piece(folder, "tokenizer.model", **size, **options, **as_it_is)


def gemma_pieces(folder):
    """As Gemma has it: no blank in front, numbers of its own for the marks."""
    return bpe_pieces(folder, pad_id=0, eos_id=1, bos_id=2, unk_id=3, add_dummy_prefix=False)


def phi_pieces(folder):
    """With the mark that llama.cpp looks for in files of this name."""
    return bpe_pieces(folder, control_symbols=["<|endoftext|>"])


def xlm_roberta(folder):
    """Unigram as XLM-RoBERTa has it: SentencePiece's numbers moved by one, four marks in front."""
    folder.mkdir(parents=True)
    # A few characters that are read as others; the real model's map takes 240 kB.
    (folder / "map.tsv").write_text("B2\t32\nA0\t20\nE0\t61 300\nE9\t65 301\nBD\t31 2F 32\nA\t20\n")
    rules = {"normalization_rule_tsv": str(folder / "map.tsv")}
    sp = sentence_piece(folder, "sentencepiece.bpe.model", vocab_size=316, model_type="unigram", **rules)
    scores = [(sp.id_to_piece(i), sp.get_score(i)) for i in range(3, sp.vocab_size())]
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *scores, ("<mask>", 0.0)]
    model = tokenizers.Tokenizer(models.Unigram(pieces, unk_id=3))
    charsmap = sentencepiece_model_pb2.ModelProto()
    charsmap.ParseFromString((folder / "sentencepiece.bpe.model").read_bytes())
    model.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(charsmap.normalizer_spec.precompiled_charsmap),
            normalizers.Strip(left=False, right=True),
            normalizers.Replace(tokenizers.Regex(" {2,}"), " "),
        ]
    )
    model.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    model.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    model.post_processor = processors.TemplateProcessing(
        "<s> $A </s>", "<s> $A </s> </s> $B </s>", [("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", mask_token="<mask>", **names
    )
    return tokenizer


# Models.


def randomise(model, seed, shift):
    """Random weights that half precision holds; `shift` is what norms' weights lie around."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=generator)
            if weight.ndim > 1:
                noise = noise * weight.shape[-1] ** -0.5
            elif "norm" in name.lower() and name.endswith("weight"):
                noise = shift + 0.1 * noise
            else:
                noise = 0.2 * noise
            weight.copy_(noise.half().float())


def convert(folder, path, pre, rename=None):
    """Has llama.cpp's converter write `path` from what lies in `folder`."""
    sys.path[:0] = [str(converter), str(converter / "gguf-py")]
    import gguf
    from conversion import ModelType, get_model_class
    from conversion.base import ModelBase, TextModel, get_model_architecture

    hparams = ModelBase.load_hparams(folder, False)
    # The hash by which it knows vocabularies does not know these.
    TextModel.get_vocab_base_pre = lambda self, tokenizer: pre
    model = get_model_class(get_model_architecture(hparams, ModelType.TEXT))
    if rename:
        model = type("Renamed", (model,), {"model_arch": model.model_arch, "filter_tensors": classmethod(rename)})
    model(folder, gguf.LlamaFileType.MOSTLY_F16, path, eager=True, model_name=path.stem).write()


SIZES = {
    "hidden_size": 64,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "attn_implementation": "rounded",
}
BERT = {**SIZES, "hidden_act": "gelu", "vocab_size": 320, "max_position_embeddings": 96}
del BERT["num_key_value_heads"]
TEXT = "Die Aussenwand von Haus B erreicht U = 0.17 W/m2K; das Dach 0.14.\n\nIt's 12345 m, il serramento è EI 30."
PASSAGES = [
    "Die Aussenwand hat einen U-Wert von 0.17 W/m2K.",
    "Doors EI 30",
    "Le béton de la dalle est de classe C30/37, épaisseur 240 mm, à vérifier par l'ingénieur.",
]
QUERY = "Welcher U-Wert gilt für die Aussenwand?"
LINES = [
    "Wärmedämmung λ = 0.035 W/(m·K), Ü-Wert",
    "¿Año? naïve CAFÉ Åström ﬁre ½\" ²",
    "東京 3階 ドア한국어 ไทย",
    "tab\tnew\nline\r\nnon\u00a0breaking zero\u200bwidth soft\u00adhyphen",
    "e\u0301 decomposed, İstanbul, ΣΊΣΥΦΟΣ, Straße",
    "[CLS] x [SEP] ##ing # ##",
    "EI30-C T-1.04/2024_v2 (Haus B) 'it's' “quoted” — dash… €5 ©",
    "🏗️ 👷🏽‍♀️ \x00\x07 \ufffd end",
    " " * 3 + "blanks  between   words" + " " * 3,
    "a" * 101 + " " + "b" * 100,
    "",
]


def save(name, numbers, facts, exact):
    numbers, exact = (numpy.asarray(n, dtype="<f4") for n in (numbers, exact))
    (target / f"{name}.f32").write_bytes(numbers.tobytes())
    (target / f"{name}.json").write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{name:18} {numbers.shape} largest {abs(numbers).max():.2f} rounding moved it by {abs(numbers - exact).max():.1e}", flush=True)


def both(compute):
    """What `compute` gives with keys and values rounded, and without."""
    global ROUND
    result = []
    for ROUND in (True, False):
        with torch.no_grad():
            result.append(numpy.array(compute()))
    return result


def text_model(name, architecture, seed, pre, tokenizer, lengths=(48,), shift=1.0, **config):
    """A model with logits, at some positions of a text cut to each of `lengths`."""
    folder = work / name
    vocabulary = tokenizer(folder) if inspect.isfunction(tokenizer) else tokenizer
    if isinstance(vocabulary, sentencepiece.SentencePieceProcessor):
        size, ids = vocabulary.vocab_size(), [vocabulary.bos_id(), *vocabulary.encode(TEXT)]
    else:
        vocabulary.save_pretrained(folder)
        size, ids = len(vocabulary), vocabulary.encode(TEXT)
        config = {"bos_token_id": vocabulary.bos_token_id, "eos_token_id": vocabulary.eos_token_id, **config}
    kind = getattr(transformers, architecture)
    config = kind.config_class(**{**SIZES, "vocab_size": size, **config})
    model = kind._from_config(config).float().eval()
    randomise(model, seed, shift)
    model.save_pretrained(folder)
    convert(folder, target / f"{name}.gguf", pre)
    places = [sorted({0, 1, n // 3, n // 2, n - 2, n - 1}) for n in lengths]
    run = lambda: numpy.concatenate(
        [model(torch.tensor([ids[:n]])).logits[0, at].numpy() for n, at in zip(lengths, places)]
    )
    facts = {"text": TEXT, "ids": ids, "vocabulary": size, "lengths": lengths, "positions": places}
    save(name, *both(run)[:1], facts, both(run)[1])


def pooled(name, architecture, seed, tokenizer, pooling, prefixes, rename=None, pre="default", config=None, extra=None):
    """A model that makes vectors of texts."""
    folder = work / name
    vocabulary = tokenizer(folder) if inspect.isfunction(tokenizer) else tokenizer
    vocabulary.save_pretrained(folder)
    (folder / "modules.json").write_text(json.dumps([{"type": "models.Pooling", "path": "pooling"}]))
    (folder / "pooling").mkdir()
    (folder / "pooling/config.json").write_text(json.dumps({f"pooling_mode_{pooling}": True}))
    kind = getattr(transformers, architecture)
    model = kind._from_config(kind.config_class(**config)).float().eval()
    randomise(model, seed, 1.0)
    model.save_pretrained(folder)
    if extra:
        (folder / "config.json").write_text(json.dumps({**config, "attn_implementation": None, **extra}))
    convert(folder, target / f"{name}.gguf", pre, rename)
    texts = [prefixes[0] + QUERY, *(prefixes[1] + p for p in PASSAGES)]
    ids = [vocabulary.encode(t) for t in texts]

    def run():
        rows = []
        for tokens in ids:
            states = model(torch.tensor([tokens])).last_hidden_state[0]
            row = {"mean_tokens": states.mean(0), "cls_token": states[0], "lasttoken": states[-1]}[pooling]
            rows.append((row / row.norm()).numpy())
        return rows

    lines = [[line, vocabulary.encode(line, split_special_tokens=True)] for line in LINES]
    facts = {"query": QUERY, "passages": PASSAGES, "lengths": [len(t) for t in ids], "lines": lines}
    save(name, *both(run)[:1], facts, both(run)[1])


def reranker(name, architecture, seed, tokenizer, rename=None, pre="default", config=None, prompt=None):
    """A model that scores passages; one with `prompt` says how likely it answers yes."""
    folder = work / name
    vocabulary = tokenizer(folder) if inspect.isfunction(tokenizer) else tokenizer
    vocabulary.save_pretrained(folder)
    kind = getattr(transformers, architecture)
    model = kind._from_config(kind.config_class(**config)).float().eval()
    randomise(model, seed, 1.0)
    model.save_pretrained(folder)
    if prompt:
        (folder / "README.md").write_text("# Qwen3-Reranker\n")
    convert(folder, target / f"{name}.gguf", pre, rename)
    yes, no = (vocabulary.convert_tokens_to_ids(word) for word in ("yes", "no"))

    def run():
        scores = []
        for passage in PASSAGES:
            if prompt:
                ids = vocabulary(prompt.replace("{query}", QUERY).replace("{document}", passage), return_tensors="pt")
                logits = model(ids["input_ids"]).logits[0, -1]
                scores.append(logits[[yes, no]].softmax(0)[0].item())
            else:
                pair = vocabulary(QUERY, passage, return_tensors="pt", return_token_type_ids=True)
                scores.append(model(**pair).logits.item())
        return scores

    save(name, *both(run)[:1], {"query": QUERY, "passages": PASSAGES}, both(run)[1])


def with_pooler(cls, item):
    """BERT's pooler under the names that a head's first layer has; the converter itself leaves it out."""
    stem, _, end = item[0].rpartition(".")
    names = {"bert.pooler.dense": "classifier.dense", "classifier": "classifier.out_proj"}
    return super(cls, cls).filter_tensors((f"{names.get(stem, stem)}.{end}", item[1]))


PROMPT = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. "
    'Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n<Instruct>: Given a web search query, '
    "retrieve relevant passages that answer the query\n<Query>: {query}\n<Document>: {document}<|im_end|>\n"
    "<|im_start|>assistant\n<think>\n\n</think>\n\n"
)
INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


def everything():
    llama3 = byte_level(LLAMA3, ["<|begin_of_text|>", "<|eot_id|>"], "<|begin_of_text|>")
    qwen = byte_level(QWEN2, ["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    ending = byte_level(QWEN2, ["<|im_start|>", "<|im_end|>", "<|endoftext|>"], end="<|endoftext|>")
    long = {
        "rope_type": "longrope",
        "rope_theta": 10000.0,
        "short_factor": [1.0 + i / 16 for i in range(8)],
        "long_factor": [1.5 + i for i in range(8)],
        "original_max_position_embeddings": 32,
    }
    scaled = {
        "rope_type": "llama3",
        "rope_theta": 500.0,
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    }
    experts = {"num_experts": 6, "num_experts_per_tok": 3, "moe_intermediate_size": 32, "norm_topk_prob": True}
    local = {"sliding_window": 16, "head_dim": 16, "query_pre_attn_scalar": 16, "num_hidden_layers": 6, "num_key_value_heads": 1}
    nomic = {
        "architectures": ["NomicBertModel"],
        "model_type": "nomic_bert",
        "activation_function": "swiglu",
        "causal": False,
        **dict.fromkeys(["qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias", "prenorm", "rotary_emb_interleaved"], False),
        "rotary_emb_fraction": 1.0,
        "rotary_emb_scale_base": None,
        "rotary_emb_base": 1000,
        "n_positions": 8192,
        "max_trained_positions": 2048,
        "vocab_size": 320,
        "n_embd": 64,
        "n_head": 4,
        "n_inner": 32,
        "n_layer": 2,
        "layer_norm_epsilon": 1e-12,
        "type_vocab_size": 2,
    }
    one = {"num_labels": 1, "id2label": {0: "score"}, "label2id": {"score": 0}}
    roberta = {**BERT, "pad_token_id": 1, "type_vocab_size": 1}
    small = {**SIZES, "vocab_size": 320, "max_position_embeddings": 1024, "tie_word_embeddings": True, "head_dim": 32}
    return {
        "llama": lambda n: text_model(n, "LlamaForCausalLM", 1, "llama-bpe", llama3, rope_parameters=scaled),
        "mistral": lambda n: text_model(n, "MistralForCausalLM", 2, "default", bpe_pieces, head_dim=32, sliding_window=None),
        "qwen2": lambda n: text_model(n, "Qwen2ForCausalLM", 3, "qwen2", qwen),
        "qwen3": lambda n: text_model(n, "Qwen3ForCausalLM", 4, "qwen2", qwen, head_dim=32, tie_word_embeddings=True),
        "qwen3moe": lambda n: text_model(n, "Qwen3MoeForCausalLM", 5, "qwen2", qwen, head_dim=16, **experts),
        "gemma3": lambda n: text_model(
            n, "Gemma3ForCausalLM", 6, "default", gemma_pieces, shift=0.0, **local
        ),
        "phi3": lambda n: text_model(
            n, "Phi3ForCausalLM", 7, "default", phi_pieces, (24, 60), sliding_window=20, rope_parameters=long, pad_token_id=0, eos_token_id=2
        ),
        "smollm3": lambda n: text_model(
            n, "SmolLM3ForCausalLM", 8, "llama-bpe", llama3, num_hidden_layers=4, tie_word_embeddings=True, pad_token_id=0
        ),
        "bert": lambda n: pooled(n, "BertModel", 9, word_piece(), "cls_token", ("", ""), config=BERT),
        "xlm-roberta": lambda n: pooled(n, "XLMRobertaModel", 10, xlm_roberta, "mean_tokens", ("", ""), config=roberta),
        "nomic-bert": lambda n: pooled(
            n,
            "NomicBertModel",
            11,
            word_piece(),
            "mean_tokens",
            ("search_query: ", "search_document: "),
            config={**BERT, "hidden_act": "silu"},
            extra=nomic,
        ),
        "qwen3-embedding": lambda n: pooled(n, "Qwen3Model", 12, ending, "lasttoken", (INSTRUCT, ""), pre="qwen2", config=small),
        "bert-rerank": lambda n: reranker(
            n, "BertForSequenceClassification", 13, word_piece(), with_pooler, config={**BERT, **one}
        ),
        "xlm-roberta-rerank": lambda n: reranker(
            n, "XLMRobertaForSequenceClassification", 14, xlm_roberta, config={**roberta, **one}
        ),
        "qwen3-rerank": lambda n: reranker(n, "Qwen3ForCausalLM", 15, qwen, pre="qwen2", config=small, prompt=PROMPT),
    }


if __name__ == "__main__":
    converter, work, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    torch.set_num_threads(1)
    target.mkdir(exist_ok=True)
    for name, make in everything().items():
        if not names or name in names:
            shutil.rmtree(work / name, ignore_errors=True)
            make(name)
