"""Linking in several processes gives what linking in one gives, in the same order."""

import os
import signal
import zlib
from pathlib import Path

import pytest

from code_graph_indexer.indexing import index_repository
from code_graph_indexer.resolve import LinkFile, World, link_all, parallel, world_of
from code_graph_indexer.syntax.packing import pack
from code_graph_indexer.syntax.records import LinkInput, Syntax
from tests.indexing.repository import settings_of, write_tree

pytestmark = pytest.mark.slow

FILES = {
    "base.py": "class Base:\n    def run(self):\n        return self\n",
    **{
        f"part{number}.py": f"from base import Base\n\n\nclass C{number}(Base):\n    def go(self):\n        self.run().run()\n"
        for number in range(430)
    },
}


def test_two_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", FILES)
    for workers in (1, 2):
        settings = settings_of(workers=workers, embedder="hashing")
        index_repository(root, tmp_path / f"{workers}.db", settings, full=True)
    assert (tmp_path / "1.db").read_bytes() == (tmp_path / "2.db").read_bytes()


def linkable(link_input: bytes) -> list[LinkFile]:
    return [
        LinkFile(number, f"f{number}.py", "python", f"f{number}", False, [number], link_input) for number in range(410)
    ]


def world(link_input: bytes) -> World:
    files = linkable(link_input)
    return world_of(files, {file.path: file.file_facts() for file in files}, {})


def test_files_come_in_their_order() -> None:
    empty = pack(LinkInput(Syntax(), (), ()))
    linked = list(link_all(world(empty), linkable(empty), workers=2))
    assert [file.file_id for file in linked] == list(range(410))


def test_what_goes_wrong_in_a_process_is_raised_here() -> None:
    empty = pack(LinkInput(Syntax(), (), ()))
    broken = [file._replace(packed=b"no pickle") if file.file_id == 300 else file for file in linkable(empty)]
    with pytest.raises(zlib.error):
        list(link_all(world(empty), broken, workers=2))


def test_a_process_that_is_killed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "link", lambda world, linked_file: os.kill(os.getpid(), signal.SIGKILL))
    empty = pack(LinkInput(Syntax(), (), ()))
    with pytest.raises(EOFError, match="ended early"):
        list(link_all(world(empty), linkable(empty), workers=2))
