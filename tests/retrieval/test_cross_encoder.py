"""A cross-encoder reads query and text together, from a folder, without a network."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, EmbedderError
from code_graph_indexer.retrieval.cross_encoder import CrossEncoder
from tests.embedders.tiny_model import write_cross_encoder

pytestmark = pytest.mark.slow

SOURCE = (
    "def read():\n    return path\n\n\ndef write():\n    return socket, socket\n\n\ndef user():\n    return socket\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_cross_encoder(tmp_path / "model")


def test_texts_are_scored(folder: Path) -> None:
    assert CrossEncoder(str(folder)).scores("read", ["path", "socket text socket", "socket"]) == [0.0, 2.0, 1.0]
    assert CrossEncoder(str(folder)).scores("read", []) == []


@pytest.mark.slow
def test_results_are_ordered_by_it(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.py").write_text(SOURCE, encoding="utf-8")
    with CodeIndexer(root, workers=1, cross_encoder=str(folder)) as indexer:
        indexer.index()
        results = indexer.retrieve("read write user", limit=3)
        answer = indexer.ask("how does user read and write")
    assert [result.name for result in results] == ["write", "user", "read"]
    assert [result.score for result in results] == [2.0, 1.0, 0.0]
    assert results[0].signals[0].signal == "cross-encoder"
    assert len(results[0].signals) > 1
    assert "rescore" in answer.timings
    assert answer.sources[0].name == "write"


@pytest.mark.slow
def test_results_behind_the_first_stage_keep_their_order(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.py").write_text(SOURCE, encoding="utf-8")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        plain = [result.name for result in indexer.retrieve("read write user", limit=3)]
    with CodeIndexer(root, workers=1, cross_encoder=str(folder), first_stage_limit=1) as indexer:
        results = indexer.retrieve("read write user", limit=3)
    assert [result.name for result in results] == plain
    assert [result.score for result in results] == sorted((result.score for result in results), reverse=True)


@pytest.mark.parametrize("spoil", ["model.onnx", "tokenizer.json"])
def test_a_damaged_model_is_an_error(folder: Path, spoil: str) -> None:
    (folder / spoil).write_bytes(b"{}")
    with pytest.raises(EmbedderError):
        CrossEncoder(str(folder))


def test_an_unknown_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="nor is it a folder"):
        CrossEncoder("Xenova/ms-marco-MiniLM-L-9-v9")
