"""Linking in several processes gives what linking in one gives, in the same order."""

import os
import signal
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from code_graph_indexer.indexing import index_repository
from code_graph_indexer.resolve import LinkFile, LinkTable, World, link_all, parallel
from code_graph_indexer.resolve import link as link_file
from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.storage import LinkedFile, StoredFileIds
from code_graph_indexer.syntax.packing import pack
from code_graph_indexer.syntax.records import IndexedFile, SourceFile, Syntax
from tests.indexing.repository import calls, errors, settings_of, write_tree

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


def packed() -> bytes:
    return pack(Syntax())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LinkTable]:
    """Return a table of 410 files without references. A test that needs another one puts more into it."""
    with LinkTable(tmp_path) as table:
        for number in range(410):
            put(table, number, packed())
        yield table


def put(table: LinkTable, number: int, link_input: bytes) -> None:
    source = SourceFile(f"f{number}.py", "python")
    table.put(
        IndexedFile(source, module=f"f{number}", link_input=link_input),
        StoredFileIds(number, [number], frozenset(), []),
    )


def linked_in_two(table: LinkTable) -> list[LinkedFile]:
    table.seal()
    return list(link_all(table.world({}, 0), table, workers=2))


def test_files_come_in_their_order(table: LinkTable) -> None:
    assert [file.file_id for file in linked_in_two(table)] == list(range(410))


def test_stretches_are_short_however_large_the_repository_is() -> None:
    sizes = [100_000, 1, 4_100_000, 50, *[10_000] * 3_000]
    stretches = parallel._stretches(sizes, 4)
    assert [number for stretch in stretches for number in stretch] == list(range(len(sizes)))
    assert all(len(stretch) == 1 or sum(sizes[number] for number in stretch) < 9_000_000 for stretch in stretches)
    assert max(len(stretch) for stretch in stretches) < 500


def test_what_goes_wrong_in_a_process_is_raised_here(table: LinkTable) -> None:
    put(table, 410, b"no pickle")
    with pytest.raises(zlib.error):
        linked_in_two(table)


def test_a_process_that_is_killed_is_an_error(table: LinkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "link", lambda world, linked_file: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(EOFError, match="ended early"):
        linked_in_two(table)


def test_a_process_that_is_killed_does_not_hold_up_the_rest(table: LinkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "STRETCH_BYTES", len(packed()))
    linked_by = link_file

    def link(world: World, file: LinkFile) -> LinkedFile:
        if file.file_id == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return linked_by(world, file)

    monkeypatch.setattr(parallel, "link", link)
    with pytest.raises(EOFError, match="ended early"):
        linked_in_two(table)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_that_cannot_be_linked_is_named_and_ends_no_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    linking = import_module("code_graph_indexer.resolve.link")
    resolver = linking.FileResolver

    def failing(view: FileView) -> object:
        if view.path == "base.py":
            raise ArithmeticError
        return resolver(view)

    monkeypatch.setattr(linking, "FileResolver", failing)
    root, db = write_tree(tmp_path / "repo", FILES), tmp_path / "index.db"
    index_repository(root, db, settings_of(workers=workers), full=True)
    error = "internal error (ArithmeticError) while its calls were looked up"
    assert errors(db)["base.py"] == error
    assert "part1.C1.go" in {call.caller for call in calls(db) if call.target}

    monkeypatch.setattr(linking, "FileResolver", resolver)
    write_tree(root, {"base.py": "class Base:\n    def run(self):\n        return self.run()\n"})
    index_repository(root, db, settings_of(workers=workers))
    assert errors(db)["base.py"] is None
