"""A model small enough to be written by a test, in the files that a real ONNX export has."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

DIMENSIONS = 16
CONTEXT = 64
WORDS = ["[PAD]", "[UNK]", "def", "class", "return", "read", "write", "file", "path", "socket", "text", "user", "name"]


def write_model(folder: Path, *, dimensions: int = DIMENSIONS, scale: float = 1.0) -> Path:
    """Write a model that looks each token up in a table of random vectors."""
    folder.mkdir(parents=True)
    table = scale * np.random.default_rng(7).normal(size=(len(WORDS), dimensions)).astype(np.float32)
    graph = helper.make_graph(
        nodes=[helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        name="tiny",
        inputs=[
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "attention_mask")
        ],
        outputs=[
            helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", dimensions])
        ],
        initializer=[numpy_helper.from_array(table, "table")],
    )
    # The oldest versions that do: a newer onnx package writes newer ones than onnxruntime reads.
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    onnx.save(model, folder / "model.onnx")
    _write_tokenizer(folder)
    return folder


def _write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_config.json": {"model_max_length": CONTEXT, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
        "config.json": {"pad_token_id": 0},
    }
    for name, content in settings.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
