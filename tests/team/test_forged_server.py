"""A database may be shared with strangers. What they put there costs a reader a sentence, but no wait, memory or false file."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from code_graph_indexer import CgiError, Index, open_index
from code_graph_indexer.errors import IndexFormatError, ServerError
from code_graph_indexer.printable import CONTROL_CODES
from code_graph_indexer.storage.address import Address
from code_graph_indexer.team import (
    open_server,
    publish_index,
    published_repositories,
    pull_index,
    remove_repository,
    settle_vectors,
)
from code_graph_indexer.team import postgresql as reading
from tests.indexing.repository import index
from tests.shop import copy_shop

pytestmark = pytest.mark.slow

SECONDS = 5.0
"""The most that a refusal may take."""

ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select"
TABLES = ("repositories", "meta", "files", "contents", "chunks", "members", "refs", "postings", "vectors")

STRANGE: dict[str, str] = {
    "a path above": "update cgi.files set path = '../../' || path, full_path = '../../' || full_path",
    "an absolute path": "update cgi.files set path = '/' || path, full_path = '/' || full_path",
    "a name that steers a terminal": "update cgi.repositories set repo_id = E'\\x1b[2Jshop'",
    "a name above": "update cgi.repositories set repo_id = '../shop'",
    "a name in two lines": "update cgi.repositories set repo_id = E'shop\\nother'",
    "definitions that steer a terminal": "update cgi.chunks set name = name || E'\\x1b[2J', qualified_name = E'\\x1b[2J'",
    "no number": "update cgi.refs set confidence = 'nan'",
    "an infinite number": "update cgi.refs set confidence = 'infinity'",
    "an infinite time": "update cgi.repositories set published = 'infinity'",
    "negative lines": "update cgi.chunks set start_line = -5, end_line = -4, name_line = -9",
    "lines behind the end": "update cgi.chunks set end_line = 2000000000, def_end_line = 2000000000",
    "chunks that hold themselves": "update cgi.chunks set parent_id = id",
    "a source type": "update cgi.files set source_type = 'zzz'",
    "texts that are not packed": "update cgi.contents set text = '\\x00112233'",
    "dimensions": f"update cgi.meta set value = '{'9' * 5_000}' where key = 'dimensions'",
    "other dimensions": "update cgi.meta set value = '7' where key = 'dimensions'",
    "a setting that steers a terminal": "update cgi.meta set value = E'\\x1b[2J' where key = 'repo_id'",
    "words that are not packed": "update cgi.postings set packed = '\\xffffffffffffff'",
    "no chunks": "delete from cgi.chunks",
    "no files": "delete from cgi.files",
}


@pytest.fixture(scope="module")
def shop_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = copy_shop(tmp_path_factory.mktemp("published"))
    index(root, root.parent / "shop.db", spec="hashing")
    return root.parent / "shop.db"


@pytest.fixture
def published(server: Callable[[str], str], request: pytest.FixtureRequest, shop_index: Path) -> Iterator[str]:
    """Publish the shop to a database of this test alone."""
    url = server(f"f{abs(hash(request.node.name)) % 10**9}")
    publish_index(shop_index, url, repo_id="shop")
    yield url


def change(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def doors(url: str, shop_index: Path, folder: Path) -> dict[str, Callable[[], object]]:
    """Map the names of what anybody does with a server to functions that do it."""

    def ask(question: Callable[[Index], object]) -> Callable[[], object]:
        def run() -> object:
            with open_index(url) as indexer:
                return question(indexer)

        return run

    return {
        "repositories": lambda: published_repositories(Address.of(url)),
        "pull": lambda: pull_index(url, folder / "pulled.db", repo_id="shop"),
        "publish": lambda: publish_index(shop_index, url, repo_id="second"),
        "unpublish": lambda: remove_repository(url, "none"),
        "settle": lambda: settle_vectors(url),
        "search": ask(lambda indexer: indexer.retrieve("empty cart")),
        "callers": ask(lambda indexer: indexer.callers("add_tax")),
        "explore": ask(lambda indexer: indexer.explore("add_tax").text),
        "unused": ask(lambda indexer: indexer.graph.unused()),
        "stats": ask(lambda indexer: indexer.stats()),
        "doctor": ask(lambda indexer: indexer.doctor()),
    }


@pytest.mark.parametrize("table", TABLES)
def test_an_endless_view_in_the_place_of_a_table_is_refused_at_once(
    published: str, shop_index: Path, tmp_path: Path, table: str
) -> None:
    view = f"create view cgi.{table} as {ENDLESS} n.i as i, t.*, pg_sleep(1)::text as slept from n, cgi.hidden as t"
    change(published, f"alter table cgi.{table} rename to hidden", view)
    for door, run in doors(published, shop_index, tmp_path).items():
        started = time.monotonic()
        with pytest.raises(IndexFormatError, match=rf"other than a plain table at cgi\.{table}"):
            run()
        assert time.monotonic() - started < SECONDS, door


@pytest.mark.parametrize(
    "statement",
    [
        "create trigger t after insert on cgi.files execute function public.evil()",
        "create rule r as on insert to cgi.files do also select public.evil()",
    ],
)
def test_what_would_run_as_whoever_publishes_is_refused(
    published: str, shop_index: Path, tmp_path: Path, statement: str
) -> None:
    kind = "trigger" if "trigger" in statement else "integer"
    body = f"create function public.evil() returns {kind} language plpgsql as $$ begin raise 'run'; end $$"
    change(published, body, statement)
    for run in doors(published, shop_index, tmp_path).values():
        with pytest.raises(IndexFormatError, match=r"at cgi\.files"):
            run()


@pytest.mark.parametrize("kind", STRANGE)
def test_strange_values_are_a_sentence_or_an_answer(
    published: str, shop_index: Path, tmp_path: Path, kind: str
) -> None:
    change(published, STRANGE[kind])
    for door, run in doors(published, shop_index, tmp_path).items():
        started = time.monotonic()
        try:
            answer = run()
        except CgiError as error:
            assert "\n" not in str(error), door
            answer = str(error)
        assert time.monotonic() - started < SECONDS, door
        if isinstance(answer, str):
            assert not re.search(f"[{re.escape(''.join(map(chr, CONTROL_CODES)))}]", answer), door


@pytest.mark.parametrize("kind", ["a path above", "an absolute path", "chunks that hold themselves", "a source type"])
def test_a_forged_repository_leaves_no_file(published: str, tmp_path: Path, kind: str) -> None:
    change(published, STRANGE[kind])
    with pytest.raises(IndexFormatError):
        pull_index(published, tmp_path / "pulled.db", repo_id="shop")
    assert not (tmp_path / "pulled.db").exists()


def test_no_statement_of_a_reader_runs_without_end(published: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(
        published,
        "create or replace function cgi_all.contains(id bigint) returns boolean language sql stable as "
        "$$ select pg_sleep(60) is not null $$",
    )
    store = reading.PostgresqlStore(Address.of(published), statement_seconds=0.2)
    with pytest.raises(ServerError, match="took longer than"):
        store.files()
    store.close()
    with (
        reading.connect(Address.of(published), statement_seconds=0.2) as connection,
        reading.explained(Address.of(published)),
        pytest.raises(psycopg.errors.QueryCanceled),
    ):
        connection.execute("select pg_sleep(60)")


def test_an_answer_of_a_server_takes_no_more_memory_than_indexes_of_their_size_do(
    published: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("code_graph_indexer.storage.limits.BASE_SIZE", 10_000)
    monkeypatch.setattr("code_graph_indexer.storage.limits.SIZE_PER_BYTE", 0)
    store = open_server(Address.of(published))
    with pytest.raises(IndexFormatError, match="more than indexes of their size do"):
        store.nodes()
    store.close()
