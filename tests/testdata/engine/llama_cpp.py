"""Drives llama.cpp's shared library for the reference files in this folder.

The library is the prebuilt one of npm's @node-llama-cpp/linux-x64@3.22.1 (llama.cpp 0.5.0): `npm pack` it,
unpack it, and give the folder package/bins/linux-x64. Needs numpy. The structures below are those of that version.
"""

import ctypes as c
import os

import numpy


class ModelParams(c.Structure):
    _fields_ = [
        ("devices", c.c_void_p),
        ("tensor_buft_overrides", c.c_void_p),
        ("n_gpu_layers", c.c_int32),
        ("split_mode", c.c_int),
        ("load_mode", c.c_int),
        ("lazy_mode", c.c_int),
        ("main_gpu", c.c_int32),
        ("tensor_split", c.c_void_p),
        ("progress_callback", c.c_void_p),
        ("progress_callback_user_data", c.c_void_p),
        ("kv_overrides", c.c_void_p),
        ("vocab_only", c.c_bool),
        ("check_tensors", c.c_bool),
        ("use_extra_bufts", c.c_bool),
        ("no_host", c.c_bool),
        ("no_alloc", c.c_bool),
        ("load_mtp", c.c_bool),
    ]


class ContextParams(c.Structure):
    _fields_ = [
        *[(n, c.c_uint32) for n in "n_ctx n_batch n_ubatch n_seq_max n_rs_seq n_outputs_max".split()],
        ("n_outputs_max_per_seq", c.c_uint32),
        ("n_threads", c.c_int32),
        ("n_threads_batch", c.c_int32),
        *[(n, c.c_int) for n in "ctx_type rope_scaling_type pooling_type attention_type".split()],
        ("flash_attn_type", c.c_int),
        *[(n, c.c_float) for n in "rope_freq_base rope_freq_scale yarn_ext_factor yarn_attn_factor".split()],
        ("yarn_beta_fast", c.c_float),
        ("yarn_beta_slow", c.c_float),
        ("yarn_orig_ctx", c.c_uint32),
        ("defrag_thold", c.c_float),
        ("cb_eval", c.c_void_p),
        ("cb_eval_user_data", c.c_void_p),
        ("type_k", c.c_int),
        ("type_v", c.c_int),
        ("abort_callback", c.c_void_p),
        ("abort_callback_data", c.c_void_p),
        *[(n, c.c_bool) for n in "embeddings offload_kqv no_perf op_offload swa_full kv_unified".split()],
        ("samplers", c.c_void_p),
        ("n_samplers", c.c_size_t),
        ("ctx_other", c.c_void_p),
    ]


class Batch(c.Structure):
    _fields_ = [
        ("n_tokens", c.c_int32),
        ("token", c.POINTER(c.c_int32)),
        ("embd", c.c_void_p),
        ("pos", c.POINTER(c.c_int32)),
        ("n_seq_id", c.POINTER(c.c_int32)),
        ("seq_id", c.POINTER(c.POINTER(c.c_int32))),
        ("logits", c.POINTER(c.c_int8)),
    ]


LOG = c.CFUNCTYPE(None, c.c_int, c.c_char_p, c.c_void_p)


class Library:
    """The loaded library; it computes on the CPU."""

    def __init__(self, folder):
        def load(name):
            return c.CDLL(os.path.join(folder, name), mode=c.RTLD_GLOBAL)

        load("libggml-base.so")
        ggml = load("libggml.v0.5.0.so")
        self.lib = lib = load("libllama.v0.5.0.so")
        # Only errors are shown.
        self.log = LOG(lambda level, text, _: print(text.decode("utf-8", "replace"), end="") if level == 4 else None)
        lib.llama_log_set(self.log, None)
        ggml.ggml_backend_load_all_from_path(folder.encode())
        lib.llama_model_default_params.restype = ModelParams
        lib.llama_context_default_params.restype = ContextParams
        lib.llama_model_load_from_file.argtypes = [c.c_char_p, ModelParams]
        lib.llama_model_get_vocab.argtypes = [c.c_void_p]
        lib.llama_init_from_model.argtypes = [c.c_void_p, ContextParams]
        lib.llama_decode.argtypes = [c.c_void_p, Batch]
        lib.llama_encode.argtypes = [c.c_void_p, Batch]
        lib.llama_batch_get_one.restype = Batch
        for name in "model_load_from_file init_from_model model_get_vocab get_memory".split():
            getattr(lib, f"llama_{name}").restype = c.c_void_p
        for name in "get_logits_ith get_embeddings_seq".split():
            getattr(lib, f"llama_{name}").restype = c.POINTER(c.c_float)
        lib.llama_tokenize.argtypes = [
            *(c.c_void_p, c.c_char_p, c.c_int32, c.POINTER(c.c_int32), c.c_int32, c.c_bool, c.c_bool),
        ]
        lib.llama_backend_init()


class Model:
    """A model, or only its vocabulary."""

    def __init__(self, library, path, vocab_only=False):
        self.library = library  # its log function must live as long as the model
        self.lib = library.lib
        params = self.lib.llama_model_default_params()
        params.vocab_only = vocab_only
        # Plain kernels without repacked weights.
        params.use_extra_bufts = False
        self.model = self.lib.llama_model_load_from_file(str(path).encode(), params)
        if not self.model:
            raise SystemExit(f"llama.cpp cannot load {path}")
        self.vocab = self.lib.llama_model_get_vocab(self.model)

    def tokenize(self, text, add_special, parse_special):
        data = text.encode("utf-8")
        room = len(data) + 8
        out = (c.c_int32 * room)()
        count = self.lib.llama_tokenize(self.vocab, data, len(data), out, room, add_special, parse_special)
        assert count >= 0, count
        return out[:count]

    def context(self, n_ctx, threads=1, embeddings=False):
        params = self.lib.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = n_ctx
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = 0
        params.embeddings = embeddings
        context = self.lib.llama_init_from_model(self.model, params)
        if not context:
            raise SystemExit("llama.cpp cannot make a context")
        return context

    def logits(self, context, tokens, vocabulary):
        """Appends tokens to the context and returns the logits after the last of them, as float32."""
        array = (c.c_int32 * len(tokens))(*tokens)
        batch = self.lib.llama_batch_get_one(array, c.c_int32(len(tokens)))
        assert self.lib.llama_decode(context, batch) == 0
        logits = self.lib.llama_get_logits_ith(c.c_void_p(context), c.c_int32(-1))
        return numpy.ctypeslib.as_array(logits, (vocabulary,)).copy()

    def clear(self, context):
        memory = self.lib.llama_get_memory(c.c_void_p(context))
        self.lib.llama_memory_clear(c.c_void_p(memory), c.c_bool(True))

    def embed(self, context, tokens, width):
        """The pooled vector of the tokens, not normalised."""
        array = (c.c_int32 * len(tokens))(*tokens)
        batch = self.lib.llama_batch_get_one(array, c.c_int32(len(tokens)))
        assert self.lib.llama_decode(context, batch) == 0
        vector = self.lib.llama_get_embeddings_seq(c.c_void_p(context), c.c_int32(0))
        return numpy.ctypeslib.as_array(vector, (width,)).copy()
