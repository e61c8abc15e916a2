"""A file that hangs, crashes or misbehaves costs itself, not the run."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path, PosixPath
from typing import TYPE_CHECKING

import pytest

from code_graph_indexer.embedders.hashing import HashingEmbedder
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.indexing import file, update_repository, verify_index
from code_graph_indexer.indexing.discover import discover
from code_graph_indexer.indexing.file import WorkOptions
from code_graph_indexer.indexing.workers import AHEAD, BATCH_BYTES, index_files, index_safely
from code_graph_indexer.languages import registry
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.records import IndexedFile, SourceFile, Syntax
from tests.indexing.repository import errors, index, settings_of, write_tree

if TYPE_CHECKING:
    from code_graph_indexer.embedders import Vectors

pytestmark = pytest.mark.skipif(os.name != "posix", reason="uses named pipes and signals")

GOOD = {"a.py": "def first(): pass\n", "z.py": "def last(): pass\n"}


class TrappedRoot(PosixPath):
    """A root in which a worker that reads `hang.py` never ends, `crash.py` kills it, `raise.py` meets a bug once."""

    fell = False

    def __truediv__(self, name: str | os.PathLike[str]) -> Path:  # type: ignore[override]
        if multiprocessing.parent_process() is not None:
            if name == "hang.py":
                time.sleep(3_600)
            if name == "crash.py":
                os.kill(os.getpid(), signal.SIGKILL)
            if name == "raise.py" and not self.fell:
                TrappedRoot.fell = True
                raise ArithmeticError("a bug of the parser")
        return Path(os.fspath(self)) / name


def index_all(
    root: Path, *extra: str, timeout: float = 10.0, embedder: str = "", workers: int = 2
) -> dict[str, IndexedFile]:
    sources = sorted(
        [*discover(root, max_file_size=10_000_000), *map(SourceFile, extra)], key=lambda source: source.path
    )
    sources = [replace(source, error=None) for source in sources]
    options = WorkOptions(root, 1_600, embedder)
    indexed = list(index_files(sources, options, workers=workers, timeout=timeout))
    assert [file.source.path for file in indexed] == [source.path for source in sources]
    return {file.source.path: file for file in indexed}


def errors_of(indexed: dict[str, IndexedFile]) -> dict[str, str | None]:
    return {path: file.source.error for path, file in indexed.items()}


@pytest.mark.slow
def test_files_come_back_in_the_order_they_were_given(tmp_path: Path) -> None:
    root = write_tree(
        tmp_path, {f"f{i:03}.py": f"def f{i}(): pass\n" * (100 if i % 10 == 0 else 1) for i in range(150)}
    )
    indexed = index_all(root)
    assert all(file.chunks for file in indexed.values())


@pytest.mark.slow
def test_more_batches_than_are_under_way_come_back_in_order(tmp_path: Path) -> None:
    line = "x" * 99 + "\n"
    root = write_tree(tmp_path, {f"f{i:03}.txt": line * (BATCH_BYTES // 100 + 1) for i in range(5 * AHEAD)})
    indexed = index_all(root, embedder="hashing", workers=1)
    assert all(len(file.vectors) == len(file.chunks) > 0 and not file.text for file in indexed.values())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a pool reads the files")
def test_a_process_that_indexes_again_compiles_no_query_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: str) -> None:
        raise AssertionError("a child compiled a query that its parent has")

    route = "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.route('/')\ndef show():\n    return 1\n"
    root = write_tree(tmp_path, {f"{name}.py": route for name in "abc"})
    index_all(root)
    index_all(root)
    monkeypatch.setattr(registry, "_compiled_query", refuse)
    assert errors_of(index_all(root)) == {"a.py": None, "b.py": None, "c.py": None}


@pytest.mark.slow
def test_a_file_that_hangs_its_worker_is_given_up(tmp_path: Path) -> None:
    root = TrappedRoot(write_tree(tmp_path, {**GOOD, "hang.py": ""}))
    indexed = index_all(root, timeout=1.0)
    assert errors_of(indexed) == {"a.py": None, "hang.py": "timeout (over 1 s to parse)", "z.py": None}


def test_a_file_that_became_a_pipe_or_a_link_is_recorded(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", GOOD)
    write_tree(tmp_path, {"outside.py": "secret = 1\n"})
    os.mkfifo(root / "pipe.py")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    errors = errors_of(index_all(root))
    assert errors["pipe.py"] == "unreadable: not a regular file"
    assert (errors["link.py"] or "").startswith("unreadable")


@pytest.mark.slow
def test_a_file_that_takes_too_long_to_parse_is_given_up(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {**GOOD, "slow.py": "x = [" + "(lambda: f(1)), " * 400_000 + "]\n"})
    indexed = index_all(root, timeout=0.7)
    assert errors_of(indexed)["slow.py"] == "timeout (over 0.7 s to parse)"
    assert indexed["a.py"].chunks
    assert indexed["z.py"].chunks


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a pool reads the file")
def test_a_file_whose_process_dies_while_it_sends_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def send_half(connection: Connection, message: object) -> None:
        os.write(connection.fileno(), (1_000).to_bytes(4, "big") + b"half")
        os._exit(0)

    root = write_tree(tmp_path, {"a.py": "def first(): pass\n"})
    monkeypatch.setattr(Connection, "send", send_half)
    assert errors_of(index_all(root)) == {"a.py": "the parser crashed"}


@pytest.mark.slow
def test_a_file_that_kills_its_worker_is_recorded(tmp_path: Path) -> None:
    root = TrappedRoot(write_tree(tmp_path, {**GOOD, "crash.py": ""}))
    indexed = index_all(root)
    assert errors_of(indexed) == {"a.py": None, "crash.py": "the parser crashed", "z.py": None}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "error"), [("crash.py", "the parser crashed"), ("hang.py", "timeout (over 2 s to parse)")]
)
def test_the_files_that_a_worker_was_handed_together_are_indexed_without_the_bad_one(
    tmp_path: Path, bad: str, error: str
) -> None:
    crowd = {f"{place}{i:03}.py": f"def f{i}(): pass\n" for place in ("b", "k") for i in range(60)}
    indexed = index_all(TrappedRoot(write_tree(tmp_path, {**GOOD, **crowd, bad: ""})), timeout=2.0)
    assert {path: error_of_file for path, error_of_file in errors_of(indexed).items() if error_of_file is not None} == {
        bad: error
    }
    assert all(file.chunks for path, file in indexed.items() if path != bad)


@pytest.mark.slow
def test_a_file_that_the_machine_failed_to_read_is_named_and_tried_again_but_not_before_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, db = write_tree(tmp_path / "root", {**GOOD, "big.py": "def big(): pass\n"}), tmp_path / "index.db"
    with monkeypatch.context() as hungry:
        hungry.setattr(file, "parse", _starve)
        report = index(root, db)
    error = "out of memory"
    assert report.warnings == (f"big.py: {error}; to try it again, run: cgi index",)
    assert errors(db)["big.py"] == error
    assert update_repository(root, db, settings_of()).paths == ()
    assert errors(db)["big.py"] == error
    assert (report := index(root, db)).warnings == ()
    assert (report.changed, report.full) == (1, False)
    assert errors(db)["big.py"] is None
    assert verify_index(root, db, settings_of(), embedder=None, report=lambda progress: None) == []


def _starve(path: str, source: bytes, language: str) -> Syntax:
    if path == "big.py":
        raise MemoryError
    return parse(path, source, language)


def test_a_file_on_which_the_parser_fails_is_recorded(tmp_path: Path) -> None:
    root = TrappedRoot(write_tree(tmp_path, {**GOOD, "raise.py": ""}))
    indexed = index_all(root)
    assert errors_of(indexed) == {"a.py": None, "raise.py": "internal error (ArithmeticError)", "z.py": None}


def test_a_file_that_is_gone_is_recorded(tmp_path: Path) -> None:
    indexed = index_all(write_tree(tmp_path, GOOD), "gone.py")
    assert errors_of(indexed)["gone.py"] == "unreadable: No such file or directory"


def test_a_file_that_became_a_folder_is_recorded(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {**GOOD, "folder.py/inside.py": ""})
    assert errors_of(index_all(root, "folder.py"))["folder.py"] == "unreadable: Is a directory"


def test_an_embedder_that_cannot_be_made_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="there is no embedder 'nobody'"):
        index_all(write_tree(tmp_path, GOOD), embedder="nobody")


@pytest.mark.slow
def test_no_worker_outlives_the_run(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {f"f{i}.py": "def f(): pass\n" for i in range(80)})
    before = threading.active_count()
    working = index_files(discover(root, max_file_size=1_000), WorkOptions(root, 1_600, ""), workers=2, timeout=5)
    assert next(working).chunks
    working.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_a_file_that_cannot_be_embedded_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Choosy(HashingEmbedder):
        def embed_batch(self, texts: Sequence[str]) -> Vectors:
            if any("first" in text for text in texts):
                raise ArithmeticError("a bug of the embedder")
            return super().embed_batch(texts)

    monkeypatch.setattr(file, "_embedder", lambda spec: Choosy(64))
    root = write_tree(tmp_path, GOOD)
    indexed = index_safely([SourceFile("a.py"), SourceFile("z.py")], WorkOptions(root, 1_600, "hashing"))
    assert [file.source.error for file in indexed] == ["internal error (ArithmeticError)", None]
    assert indexed[1].vectors
