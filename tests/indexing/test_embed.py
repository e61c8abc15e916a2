"""Vectors are kept by content: an interrupted run goes on where it was, and unchanged text is not embedded again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from code_graph_indexer.embedders import EmbedderStats
from code_graph_indexer.embedders.base import unit_rows
from code_graph_indexer.indexing import differences
from code_graph_indexer.results import Filters
from tests.indexing.repository import index, opened, write_tree

if TYPE_CHECKING:
    from code_graph_indexer.embedders import Vectors

pytestmark = pytest.mark.slow

FILES = {f"m{i}.py": f"def f{i}():\n    return {i}\n" for i in range(30)}


class LettersEmbedder:
    """Count characters, and interrupt the run after a number of texts."""

    in_workers = False
    name = "letters"
    dimensions = 32

    def __init__(self, patience: int = 1_000_000) -> None:
        self.patience = patience
        self.stats = EmbedderStats()

    def embed(self, text: str) -> Vectors:
        vector: Vectors = self.embed_batch([text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        if self.stats.texts + len(texts) > self.patience:
            raise KeyboardInterrupt
        self.stats += EmbedderStats(texts=len(texts), requests=1)
        codes = (np.array([ord(char) % self.dimensions for char in text]) for text in texts)
        return unit_rows(np.array([np.bincount(letters, minlength=self.dimensions) for letters in codes]))


def run(root: Path, db: Path, embedder: LettersEmbedder, *, full: bool = False) -> int:
    """Index with small batches, and return how many texts were embedded."""
    index(root, db, embedder=embedder, full=full, embed_batch_size=4, embed_concurrency=2)
    return embedder.stats.texts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "repository", FILES)


def test_an_embedder_of_the_main_process_gives_every_chunk_its_vector(tmp_path: Path, root: Path) -> None:
    embedder = LettersEmbedder()
    assert run(root, tmp_path / "index.db", embedder) == len(FILES)
    with opened(tmp_path / "index.db") as store:
        assert store.check() == []
        chunk = store.file_chunks("m7.py")[-1]
        text = store.chunk_texts([chunk])[0]
        vector = embedder.embed(f"m7.py {chunk.qualified_name}\n{text}")
        assert [hit.chunk_id for hit in store.nearest(vector, Filters(), 1)] == [chunk.id]


def test_an_interrupted_build_keeps_its_vectors_and_goes_on(tmp_path: Path, root: Path) -> None:
    db = tmp_path / "index.db"
    interrupted = LettersEmbedder(patience=20)
    with pytest.raises(KeyboardInterrupt):
        run(root, db, interrupted)
    assert interrupted.stats.texts == 16
    assert not db.exists()
    assert run(root, db, LettersEmbedder()) == len(FILES) - 16
    fresh = tmp_path / "fresh.db"
    run(root, fresh, LettersEmbedder())
    assert db.read_bytes() == fresh.read_bytes()


def test_an_interrupted_update_leaves_the_old_index_and_goes_on(tmp_path: Path, root: Path) -> None:
    db = tmp_path / "index.db"
    run(root, db, LettersEmbedder())
    before = db.read_bytes()
    write_tree(root, {path: text.replace("return", "yield") for path, text in FILES.items()})
    with pytest.raises(KeyboardInterrupt):
        run(root, db, LettersEmbedder(patience=20))
    assert db.read_bytes() == before
    assert run(root, db, LettersEmbedder()) == len(FILES) - 16
    run(root, tmp_path / "fresh.db", LettersEmbedder())
    with opened(db) as updated, opened(tmp_path / "fresh.db") as fresh:
        assert differences(updated, fresh) == []
        assert updated.check() == []


def test_an_update_embeds_only_what_has_changed(tmp_path: Path, root: Path) -> None:
    db = tmp_path / "index.db"
    run(root, db, LettersEmbedder())
    write_tree(root, {"m3.py": FILES["m3.py"] + "\n\ndef added():\n    return 0\n"})
    assert run(root, db, LettersEmbedder()) == 2


def test_a_full_build_takes_the_vectors_of_the_old_index(tmp_path: Path, root: Path) -> None:
    db = tmp_path / "index.db"
    run(root, db, LettersEmbedder())
    before = db.read_bytes()
    assert run(root, db, LettersEmbedder(), full=True) == 0
    assert db.read_bytes() == before


def test_another_embedder_builds_the_index_anew_with_its_own_vectors(tmp_path: Path, root: Path) -> None:
    db = tmp_path / "index.db"
    run(root, db, LettersEmbedder())
    second = LettersEmbedder()
    second.name = "other letters"
    assert run(root, db, second) == len(FILES)
    with opened(db) as store:
        assert store.meta()["embedder"] == "other letters"
