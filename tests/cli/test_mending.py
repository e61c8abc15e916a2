"""A damaged index in its own place is built anew. Elsewhere the way out that an error names works, and no file is lost."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer, IndexFormatError
from code_graph_indexer.cli.index import brought_up_to_date
from tests.cli.conftest import Cgi
from tests.storage.test_damage import spoil

GARBAGE = b"garbage" * 500


def another_version(db: Path) -> None:
    connection = apsw.Connection(str(db))
    connection.pragma("user_version", 999)
    connection.close()


def another_table(db: Path) -> None:
    connection = apsw.Connection(str(db))
    connection.execute("drop table lookups; create view lookups as select 1 as file_id, x'00' as hashes")
    connection.close()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "garbage": lambda db: db.write_bytes(GARBAGE),
    "nothing": lambda db: db.write_bytes(b""),
    "a cut file": lambda db: db.write_bytes(db.read_bytes()[:20_000]),
    "another version": another_version,
    "another table": another_table,
    "wrong values": lambda db: spoil(db, "files", "content_hash"),
}


@pytest.mark.slow
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
def test_an_index_in_its_own_place_is_built_anew_with_a_sentence(own_shop: Path, damage: str, full: bool) -> None:
    DAMAGES[damage](own_shop / ".cgi" / "index.db")
    with CodeIndexer(own_shop, workers=1) as indexer:
        report = indexer.index(full=full)
        # A full build does not read the values of the index that it replaces.
        said = [warning for warning in report.warnings if "is built anew" in warning]
        assert len(said) == (0 if full and damage == "wrong values" else 1)
        assert report.full
        assert indexer.symbol("add_tax")
        assert indexer.index().warnings == ()


@pytest.mark.slow
def test_the_command_that_an_error_names_works(own_shop: Path, cgi: Cgi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own_shop)
    (own_shop / ".cgi" / "index.db").write_bytes(GARBAGE)
    for command in (["callers", "add_tax"], ["doctor"], ["stats"], ["search", "tax"]):
        ran = cgi(*command)
        assert ran.code == 4
        (advice,) = re.findall(r"build it anew: cgi (.*)", ran.err)
    ran = cgi(*shlex.split(advice))
    assert (ran.code, ran.out.count("is built anew")) == (0, 1)
    assert cgi("callers", "add_tax").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["another version", "another table", "nothing"])
def test_the_command_for_an_index_elsewhere_works(own_shop: Path, tmp_path: Path, cgi: Cgi, damage: str) -> None:
    db = (own_shop / ".cgi" / "index.db").rename(tmp_path / "x.db")
    DAMAGES[damage](db)
    ran = cgi("callers", "add_tax", "--db", str(db))
    assert ran.code == 4
    (advice,) = re.findall(r"build it anew: cgi (.*)", ran.err)
    assert cgi(*shlex.split(advice.replace("FOLDER", shlex.quote(str(own_shop))))).code == 0
    assert cgi("callers", "add_tax", "--db", str(db)).code == 0


@pytest.mark.parametrize("full", [False, True])
def test_a_file_of_a_user_elsewhere_is_left_alone(own_shop: Path, tmp_path: Path, full: bool) -> None:
    notes = tmp_path / "notes.db"
    notes.write_bytes(GARBAGE)
    with (
        CodeIndexer(own_shop, db=notes) as indexer,
        pytest.raises(IndexFormatError, match=r"left alone; give another --db, or remove the file"),
    ):
        indexer.index(full=full)
    assert notes.read_bytes() == GARBAGE


def test_a_folder_in_the_place_of_an_index_is_left_alone(own_shop: Path) -> None:
    db = own_shop / ".cgi" / "index.db"
    db.unlink()
    db.mkdir()
    with CodeIndexer(own_shop) as indexer, pytest.raises(IndexFormatError, match="is a folder"):
        indexer.index()


@pytest.mark.slow
def test_watching_builds_a_damaged_index_anew(own_shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with CodeIndexer(own_shop, workers=1) as indexer:
        indexer.db.write_bytes(GARBAGE)
        brought_up_to_date(indexer)
        assert capsys.readouterr().err.count("is built anew") == 1
        assert indexer.symbol("add_tax")


@pytest.mark.slow
def test_an_opened_index_that_becomes_garbage_is_read_again_once_it_is_built(own_shop: Path) -> None:
    db = own_shop / ".cgi" / "index.db"
    with CodeIndexer(own_shop) as opened:
        assert opened.symbol("add_tax")
        db.write_bytes(GARBAGE)
        for _ in range(2):
            with pytest.raises(IndexFormatError, match="build it anew"):
                opened.symbol("add_tax")
        with CodeIndexer(own_shop, workers=1) as second:
            second.index()
        assert opened.symbol("add_tax")
