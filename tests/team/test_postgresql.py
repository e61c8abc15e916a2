"""Publishing an index to PostgreSQL and pulling it back: whole, safe, and no more than differs."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote

import apsw
import psycopg
import pytest

from code_graph_indexer import CodeIndexer, Index, open_index
from code_graph_indexer.errors import (
    IndexFormatError,
    IndexNotFoundError,
    NotInIndexError,
    ServerError,
    UsageError,
)
from code_graph_indexer.indexing.verify import differences
from code_graph_indexer.results import Filters
from code_graph_indexer.storage import open_store, update_index
from code_graph_indexer.storage.address import Address, masked
from code_graph_indexer.team import (
    open_server,
    publish_index,
    published_repositories,
    pull_index,
    remove_repository,
    settle_vectors,
)
from code_graph_indexer.team import postgresql as reading
from tests.indexing.repository import index, write_tree
from tests.shop import copy_shop

pytestmark = pytest.mark.slow

TABLES = ("repositories", "meta", "files", "contents", "chunks", "members", "refs", "candidates", "postings", "vectors")
HOSTILE = (
    "'; drop schema cgi cascade; --",
    '"; drop table cgi.files; --',
    "%s",
    "$1",
    "\\",
    "?",
    "a\0b",
    "\udcff",
    "]",
)


@pytest.fixture(scope="module")
def url(server: Callable[[str], str]) -> str:
    """Return the address of a database for this module."""
    return server("publishing")


@pytest.fixture
def empty(server: Callable[[str], str], request: pytest.FixtureRequest) -> str:
    """Return the address of a database of this test alone."""
    return server(f"t{abs(hash(request.node.name)) % 10**9}")


@pytest.fixture(scope="module")
def shop_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of the shop, with vectors. Do not change it."""
    root = copy_shop(tmp_path_factory.mktemp("published"))
    index(root, root.parent / "shop.db", spec="hashing")
    return root.parent / "shop.db"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return the folder of a shop that a test may change, whose index is beside it."""
    root = copy_shop(tmp_path)
    index(root, tmp_path / "index.db", spec="hashing")
    return root


def rows(url: str, sql: str) -> list[tuple[object, ...]]:
    """Run a query of a test."""
    with psycopg.connect(url) as connection:
        return connection.execute(sql.encode()).fetchall()


def counts(url: str) -> dict[str, int]:
    """Count the rows of each table."""
    return {table: int(str(rows(url, f"select count(*) from cgi.{table}")[0][0])) for table in TABLES}


def test_a_pulled_index_equals_the_published_one(url: str, shop_index: Path, tmp_path: Path) -> None:
    done = publish_index(shop_index, url, repo_id="acme/shop")
    assert done.written and done.files == 14
    pulled = tmp_path / "below" / "pulled.db"
    assert pull_index(url, pulled, repo_id="acme/shop").files == 14
    before, after = open_store(shop_index), open_store(pulled)
    assert differences(before, after) == []
    assert after.check() == []
    filters = Filters()
    for query in (["cart"], ["add", "tax"], ["0"]):
        assert before.words(query, filters, 50) == after.words(query, filters, 50)
        assert before.substrings(query[0] * 2, filters, 50) == after.substrings(query[0] * 2, filters, 50)
    before.close()
    after.close()


def test_descriptions_are_published_replaced_and_pulled(empty: str, shop_index: Path, tmp_path: Path) -> None:
    db, pulled = Path(shutil.copyfile(shop_index, tmp_path / "index.db")), tmp_path / "pulled.db"
    publish_index(db, empty, repo_id="shop")
    with closing(open_store(db)) as store:
        subjects = dict(store.undescribed())
    for sentence in ("Tells the grocer what is due.", "Shows the baker what is left."):
        with update_index(db) as writer:
            writer.put_sentences((content_hash, "m", sentence) for content_hash in subjects.values())
            writer.put_described()
        assert publish_index(db, empty, repo_id="shop").written
        pull_index(empty, pulled, repo_id="shop")
        terms = sentence.split()[1:3]
        with closing(open_store(db)) as store:
            expected = store.described(terms, Filters(), 99)
        assert set(expected.ids.tolist()) == set(subjects)
        for published in (open_store(pulled), open_server(f"{empty}#shop")):
            with closing(published):
                assert published.check() == []
                assert published.described(terms, Filters(), 99) == expected
                assert published.described(["due", "left"], Filters(), 99).ids.tolist() == expected.ids.tolist()
                assert {said.sentence for said in published.descriptions(list(subjects)).values()} == {sentence}
    assert not publish_index(db, empty, repo_id="shop").written


def test_only_what_differs_is_written(empty: str, repository: Path, tmp_path: Path) -> None:
    db = tmp_path / "index.db"
    publish_index(db, empty, repo_id="shop")
    assert not publish_index(db, empty, repo_id="shop").written

    def versions(table: str, column: str) -> dict[object, object]:
        return dict(rows(empty, f"select {column}, xmin::text from cgi.{table}"))  # type: ignore[arg-type]

    kinds = {"files": "path", "chunks": "id", "refs": "(source_id, ordinal)::text", "vectors": "chunk_id"}
    old = {table: versions(table, column) for table, column in kinds.items()}
    terms = versions("postings", "kind::text || term")
    (repository / "shop" / "pricing.py").write_text(
        (repository / "shop" / "pricing.py").read_text(encoding="utf-8")
        + "\n\ndef brand_new():\n    return add_tax(1)\n",
        encoding="utf-8",
    )
    index(repository, db, spec="hashing")
    assert publish_index(db, empty, repo_id="shop").written
    for table, column in kinds.items():
        new = versions(table, column)
        same = sum(old[table].get(key) == version for key, version in new.items())
        assert same > 0.6 * len(new), table
    # A file that did not change is in the same row.
    assert versions("files", "path")["shop/cart.py"] == old["files"]["shop/cart.py"]
    assert versions("files", "path")["shop/pricing.py"] != old["files"]["shop/pricing.py"]
    assert versions("postings", "kind::text || term")["wcatalogu"] == terms["wcatalogu"]
    pull_index(empty, tmp_path / "pulled.db", repo_id="shop")
    before, after = open_store(db), open_store(tmp_path / "pulled.db")
    assert differences(before, after) == []
    with_server = open_server(Address.of(f"{empty}#shop"))
    for terms_of_query in (["brand", "new"], ["pricing"], ["tax"]):
        assert [hit.score for hit in before.words(terms_of_query, Filters(), 50)] == pytest.approx(
            [hit.score for hit in with_server.words(terms_of_query, Filters(), 50)]
        )
    for store in (before, after, with_server):
        store.close()


def test_a_republished_index_leaves_no_row_of_the_old_one(empty: str, shop_index: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "small", {"one.py": "def alone():\n    return 1\n"})
    index(tmp_path / "small", tmp_path / "small.db", spec="hashing")
    publish_index(tmp_path / "small.db", empty, repo_id="r")
    small = counts(empty)
    publish_index(shop_index, empty, repo_id="r")
    publish_index(tmp_path / "small.db", empty, repo_id="r")
    assert counts(empty) == small
    assert remove_repository(empty, "r")
    assert not remove_repository(empty, "r")
    assert set(counts(empty).values()) == {0}


def test_repositories_are_asked_alone_and_together(empty: str, shop_index: Path, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tools", {"tools/parcel.py": "def add_tax(price):\n    return price\n"})
    index(root, tmp_path / "tools.db", spec="hashing")
    publish_index(shop_index, empty, repo_id="shop")
    publish_index(tmp_path / "tools.db", empty, repo_id="tools")
    assert [row.repo_id for row in published_repositories(Address.of(empty))] == ["shop", "tools"]
    with open_index(empty) as everything:
        assert {symbol.file_path for symbol in everything.symbol("add_tax")} == {
            "shop/shop/pricing.py",
            "tools/tools/parcel.py",
        }
        assert {context.repo_id for context in everything.retrieve("repo:tools add tax")} == {"tools"}
        assert {context.repo_id for context in everything.retrieve("add tax")} == {"shop", "tools"}
        sought = everything.retrieve("what does the state get of it?", expect="add tax", language="python", tests=False)
        assert sought[0].name == "add_tax"
        assert [word.chunks > 0 for word in everything.expected("tax wombat")] == [True, False]
        assert everything.tree("tools") == {"tools/tools/parcel.py": 2}
        assert everything.graph.impact("parcel.py:add_tax").affected == ()
        with pytest.raises(UsageError, match=r"no repository 'tool'\. Did you mean 'tools'"):
            everything.retrieve("repo:tool parcel")
    with open_index(f"{empty}#tools") as single, CodeIndexer(db=tmp_path / "tools.db") as file:
        assert single.symbol("add_tax")[0].file_path == "tools/parcel.py"
        assert [context.content for context in single.retrieve("add_tax")] == [
            context.content for context in file.retrieve("add_tax")
        ]
    with open_index(f"{empty}#tools,shop") as both:
        assert len(both.symbol("add_tax")) == 2
        assert both.doctor() == []


def test_an_opened_store_sees_a_publication_after_a_refresh(empty: str, repository: Path, tmp_path: Path) -> None:
    publish_index(tmp_path / "index.db", empty, repo_id="shop")
    with open_index(empty) as everything, open_index(f"{empty}#shop") as single:
        for opened in (everything, single):
            assert opened.retrieve("brand_new", limit=1)[0].name != "brand_new"
        write_tree(repository, {"shop/fresh.py": "def brand_new():\n    return 1\n"})
        index(repository, tmp_path / "index.db", spec="hashing")
        publish_index(tmp_path / "index.db", empty, repo_id="shop")
        for opened in (everything, single):
            assert opened.retrieve("brand_new", limit=1)[0].name == "brand_new"
        remove_repository(empty, "shop")
        assert everything.retrieve("brand_new") == []
        with pytest.raises(NotInIndexError, match="no repository 'shop'"):
            single.retrieve("brand_new")


def test_many_repositories_are_searched_by_the_vectors_of_the_server(
    empty: str, shop_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    with open_index(empty) as in_memory:
        expected = [context.content for context in in_memory.retrieve("refuse an empty cart", limit=20)]
    monkeypatch.setattr(reading, "VECTORS_IN_MEMORY", 0)
    for _ in range(2):
        with open_index(empty) as everything:
            assert [context.content for context in everything.retrieve("refuse an empty cart", limit=20)] == expected
            assert {context.language for context in everything.retrieve("lang:python cart", limit=20)} == {"python"}
        with open_index(f"{empty}#shop") as single:
            assert [context.content for context in single.retrieve("refuse an empty cart", limit=20)] == expected
        assert settle_vectors(empty) in (0, rows(empty, "select count(*) from cgi.vectors")[0][0])
    assert rows(empty, "select count(*) from cgi.vectors_fresh") == [(0,)]
    assert rows(empty, "select count(*) from pg_indexes where indexname like 'vectors_hnsw_%'") == [(1,)]


def test_vectors_that_readers_hold_in_memory_are_not_settled(empty: str, shop_index: Path) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    assert settle_vectors(empty) == 0
    assert rows(empty, "select count(*) > 0 from cgi.vectors_fresh") == [(True,)]
    assert rows(empty, "select count(*) from pg_indexes where indexname like 'vectors_hnsw_%'") == [(0,)]


@pytest.mark.parametrize("most", [0, 1_000])
def test_filters_find_the_same_vectors_by_the_index_of_the_server_and_one_by_one(
    empty: str, shop_index: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    for name in ("shop", "copy"):
        publish_index(shop_index, empty, repo_id=name)
    queries = (
        "refuse an empty cart",
        "lang:python cart",
        "repo:copy cart",
        "type:method repo:shop add",
        "-repo:shop cart",
    )
    with open_index(empty) as in_memory:
        expected = [places_of(in_memory, query) for query in queries]
    monkeypatch.setattr(reading, "VECTORS_IN_MEMORY", 0)
    monkeypatch.setattr(reading, "EXACT_CHUNKS", most)
    monkeypatch.setattr(reading, "EXACT_SHARE", 0)
    settle_vectors(empty)
    with open_index(empty) as everything:
        assert [places_of(everything, query) for query in queries] == expected
    with open_index(f"{empty}#copy") as single:
        assert {path for path, _ in places_of(single, "cart")} == {
            path.removeprefix("copy/") for path, _ in expected[2]
        }


def test_signs_in_memory_find_the_same_vectors(
    empty: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "index.db"
    for name in ("shop", "copy"):
        publish_index(db, empty, repo_id=name)
    queries = ("refuse an empty cart", "lang:python cart", "repo:copy cart", "-repo:shop cart")
    with open_index(empty) as in_memory:
        expected = [places_of(in_memory, query) for query in queries]
    monkeypatch.setattr(reading, "VECTORS_IN_MEMORY", 0)
    with open_index(empty) as often, open_index(empty, server_memory=0) as without:
        for _ in range(2):
            assert [places_of(often, query) for query in queries] == expected
            assert [places_of(without, query) for query in queries] == expected
        assert signs_of(often) == rows(empty, "select count(*) from cgi.vectors")[0][0]
        assert signs_of(without) == 0
        before = signs_of(often)
        write_tree(repository, {"shop/fresh.py": "def brand_new():\n    return 1\n"})
        index(repository, db, spec="hashing")
        publish_index(db, empty, repo_id="copy")
        assert ("copy/shop/fresh.py", 1) in places_of(often, "brand new")
        assert signs_of(often) > before
        remove_repository(empty, "copy")
        alone = places_of(often, queries[0])
        assert {path.partition("/")[0] for path, _ in alone} == {"shop"}
    with open_index(f"{empty}#shop") as single:
        assert [(f"shop/{path}", line) for path, line in places_of(single, queries[0])] == alone


def test_vectors_in_memory_lack_no_sizes(empty: str, shop_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    monkeypatch.setattr(reading, "VECTORS_IN_MEMORY", 0)
    with psycopg.connect(empty) as connection:
        connection.execute("delete from cgi.postings where kind = 'v'")
    with open_index(empty) as indexer:
        indexer.retrieve("refuse an empty cart")
        with pytest.raises(IndexFormatError, match="steps"):
            indexer.retrieve("refuse an empty cart")


def test_lists_of_words_are_in_bounded_memory(
    empty: str, shop_index: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("shop", "copy"):
        publish_index(shop_index, empty, repo_id=name)
    queries = ("refuse an empty cart", "repo:copy cart total", "place order", "the order of a cart", "add_tax")
    with open_index(empty) as indexer:
        expected = [places_of(indexer, query) for query in queries]
        assert [places_of(indexer, query) for query in queries] == expected
        assert len(indexer.store._vocabulary._lists) > 10  # type: ignore[attr-defined]
    with open_index(empty, server_memory=0) as without:
        assert [places_of(without, query) for query in queries] == expected
        assert not without.store._vocabulary._lists  # type: ignore[attr-defined]
    with open_index(empty) as little:
        memory = little.store._vocabulary._memory = 6_000  # type: ignore[attr-defined]
        for query, places in [*zip(queries, expected, strict=True)] * 2:
            assert places_of(little, query) == places
            lists = little.store._vocabulary._lists  # type: ignore[attr-defined]
            sizes = [reading._list_size(*listed) for listed in lists.values()]
            assert sum(sizes) == little.store._vocabulary._lists_size <= memory  # type: ignore[attr-defined]
        assert lists


def signs_of(indexer: Index) -> int:
    """Return the number of vectors whose signs an indexer of a whole server holds in memory."""
    signs = indexer.store._signs  # type: ignore[attr-defined]
    return 0 if signs is None else len(signs.ids)


def places_of(indexer: Index, query: str) -> list[tuple[str, int]]:
    """Return where the results of a query are."""
    return [(context.file_path, context.start_line) for context in indexer.retrieve(query, limit=20)]


def test_readers_never_see_half_of_a_publication(empty: str, shop_index: Path, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "small", {"cart.py": "def total():\n    return add()\n\n\ndef add():\n    return 1\n"})
    index(root, tmp_path / "small.db", spec="hashing")
    publish_index(shop_index, empty, repo_id="r")
    sizes, stop = set(), Event()
    expected = {
        (open_store(file).sums().files, open_store(file).sums().chunks) for file in (shop_index, tmp_path / "small.db")
    }

    def read() -> None:
        with psycopg.connect(empty, autocommit=True) as connection:
            while not stop.is_set():
                sql = (
                    "select (select count(*) from cgi.files where error is null), (select count(*) from cgi.chunks), "
                    "(select files from cgi.repositories), (select chunks from cgi.repositories)"
                )
                files, chunks, recorded_files, recorded_chunks = connection.execute(sql).fetchone() or ()
                sizes.add((files, chunks))
                sizes.add((recorded_files, recorded_chunks))

    reader = Thread(target=read)
    reader.start()
    for _ in range(5):
        publish_index(tmp_path / "small.db", empty, repo_id="r")
        publish_index(shop_index, empty, repo_id="r")
    stop.set()
    reader.join()
    assert sizes == expected


def test_publications_of_one_repository_wait_for_each_other(empty: str, shop_index: Path, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "small", {"cart.py": "def total():\n    return 1\n"})
    index(root, tmp_path / "small.db", spec="hashing")
    files = [shop_index, tmp_path / "small.db"] * 4
    # The first ones also create the schema at the same time.
    with ThreadPoolExecutor(4) as pool:
        names = ["r", "r", "r", "r", "r", "s", "s", "s"]
        list(pool.map(lambda pair: publish_index(pair[0], empty, repo_id=pair[1]), zip(files, names, strict=True)))
    for name in ("r", "s"):
        pull_index(empty, tmp_path / f"{name}.db", repo_id=name)
        pulled = open_store(tmp_path / f"{name}.db")
        assert min(len(differences(pulled, open_store(file))) for file in files) == 0
        pulled.close()
    with open_index(empty) as everything:
        assert everything.doctor() == []


KILLED = """
import sys, time
from pathlib import Path
from code_graph_indexer.team import postgresql_writer
def hang(self):
    print("half", flush=True)
    time.sleep(60)
postgresql_writer._Publisher._finish = lambda self, fingerprint: hang(self)
postgresql_writer.publish_index(Path(sys.argv[1]), sys.argv[2], repo_id="r")
"""


def test_a_killed_publication_leaves_what_was_there(empty: str, shop_index: Path, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "small", {"cart.py": "def total():\n    return 1\n"})
    index(root, tmp_path / "small.db", spec="hashing")
    publish_index(tmp_path / "small.db", empty, repo_id="r")
    before = counts(empty)
    for _ in range(3):
        command = [sys.executable, "-c", KILLED, str(shop_index), empty]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "half\n"
            process.send_signal(signal.SIGKILL)
        assert counts(empty) == before
    # The server notices that the process is gone, and gives its lock free.
    assert publish_index(shop_index, empty, repo_id="r").written
    pull_index(empty, tmp_path / "pulled.db", repo_id="r")
    assert differences(open_store(shop_index), open_store(tmp_path / "pulled.db")) == []


def test_no_text_breaks_the_server(url: str, shop_index: Path) -> None:
    publish_index(shop_index, url, repo_id="acme/shop")
    before = counts(url)
    store = open_server(Address.of(f"{url}#acme/shop"))
    for text in HOSTILE:
        assert len(store.words([text], Filters(), 5)) <= 5
        assert len(store.substrings(text, Filters(), 5)) <= 5
        assert isinstance(store.symbols([text], suffix=text), list)
        assert store.file_text(text) is None
        assert store.file_symbols(text) == []
        assert store.open_sites([text], [1]) == []
        assert (
            store.allowed([1], Filters(file_patterns=(text,), languages=(text,), directory=text, repo_id=text)) == set()
        )
        with pytest.raises(NotInIndexError, match="no repository"):
            open_server(Address.of(f"{url}#{quote(text.replace(',', ''), errors='replace')}"))
        if "," not in text:
            assert not remove_repository(url, text.replace("\0", "").encode("utf-8", "replace").decode())
    store.close()
    assert counts(url) == before


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a,b", "a#b", "../a", "a//b", "/a", "a/", "a\n", "x" * 201, "a\\b", '"']
)
def test_a_name_that_cannot_be_used_is_refused(url: str, shop_index: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name of a repository"):
        publish_index(shop_index, url, repo_id=name)


def test_hostile_paths_and_names_are_published_as_they_are(empty: str, tmp_path: Path) -> None:
    files = {
        "a'b; drop table cgi.files; --.py": "def f():\n    return '\\\\N'\n",
        "tab\tand\\back.py": 'def g():\n    """A\ttab, a \\ and a \\N."""\n    return f()\n',
        "long.md": f"# {'heading ' * 900}\n\ntext\n",
        "umlaut ÄÖ.py": "def straße():\n    return STRASSE\n",
    }
    index(write_tree(tmp_path / "odd", files), tmp_path / "odd.db", spec="hashing")
    publish_index(tmp_path / "odd.db", empty, repo_id="odd@feature/x")
    pull_index(empty, tmp_path / "pulled.db", repo_id="odd@feature/x")
    assert differences(open_store(tmp_path / "odd.db"), open_store(tmp_path / "pulled.db")) == []
    with open_index(empty) as opened:
        assert opened.symbol("straße")[0].file_path == "odd@feature/x/umlaut ÄÖ.py"


def test_a_path_that_no_index_of_the_server_holds_is_named(empty: str, tmp_path: Path) -> None:
    index(write_tree(tmp_path / "deep", {"m.py": "def f():\n    return 1\n"}), tmp_path / "deep.db", spec="hashing")
    with closing(apsw.Connection(str(tmp_path / "deep.db"))) as connection:
        connection.execute("update files set path = ?", ("part/" * 700,))
    with pytest.raises(UsageError, match=r"'part/.*… has 3,500 bytes"):
        publish_index(tmp_path / "deep.db", empty, repo_id="deep")


def test_functions_of_strangers_are_not_called(empty: str, shop_index: Path) -> None:
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
        for function in ("octet_length(bytea)", "sum(bigint)", "lower(text)", "hashtextextended(text, bigint)"):
            connection.execute(
                f"create function public.{function} returns bigint language plpgsql immutable as "
                "$$ begin raise exception 'called by somebody else'; end $$".encode()
            )
    for name in ("shop", "other"):
        publish_index(shop_index, empty, repo_id=name)
    for scope in ("", "#shop", "#shop,other"):
        with open_index(f"{empty}{scope}") as opened:
            assert opened.symbol("add_tax")[0].name == "add_tax"
            assert opened.retrieve("empty cart")


def test_a_role_that_may_only_read_cannot_write(empty: str, shop_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    # Fewer vectors are not settled.
    monkeypatch.setattr(reading, "VECTORS_IN_MEMORY", 0)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("drop role if exists reader")
        connection.execute("create role reader login password 'secret'")
        for schema in ("cgi", *reading.SCOPES):
            connection.execute(f"grant usage on schema {schema} to reader".encode())
            connection.execute(f"grant select on all tables in schema {schema} to reader".encode())
    address = empty.replace("postgres:@", "reader:secret@")
    publish_index(shop_index, empty, repo_id="second")
    with open_index(f"{address}#shop,second") as opened:
        assert {symbol.file_path.partition("/")[0] for symbol in opened.symbol("add_tax")} == {"shop", "second"}
    with open_index(f"{address}#shop") as opened:
        assert opened.symbol("add_tax")[0].name == "add_tax"
        assert opened.retrieve("empty cart")
        for sql in ("delete from cgi.files", "create table x (y int)", "update cgi.repositories set revision = 0"):
            with pytest.raises(ServerError):
                opened.store.rows(sql)
    for attempt in (
        lambda: publish_index(shop_index, address, repo_id="other"),
        lambda: remove_repository(address, "shop"),
        lambda: settle_vectors(address),
    ):
        with pytest.raises(ServerError, match="ask with a role that may") as refusal:
            attempt()
        assert "secret" not in str(refusal.value)
    assert rows(empty, "select count(*) from cgi.repositories") == [(2,)]


def test_even_an_owner_only_reads_through_a_store(empty: str, shop_index: Path) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    store = open_server(Address.of(empty))
    with pytest.raises(ServerError, match="read-only transaction"):
        store.rows("delete from cgi.files")
    store.close()


def test_a_query_that_takes_too_long_is_ended(empty: str, shop_index: Path) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    store = reading.PostgresqlStore(Address.of(empty), statement_seconds=0.2)
    with pytest.raises(ServerError, match="took longer than"):
        store.rows("select pg_sleep(5)")
    assert store.sums().files == 14
    store.close()


def test_a_store_goes_on_after_its_connections_were_ended(empty: str, shop_index: Path) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    store = open_server(Address.of(empty))
    assert store.sums().files == 14
    rows(
        empty,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cgi' "
        "and datname = current_database()",
    )
    assert store.sums().files == 14
    store.close()


def test_what_is_missing_is_said_with_the_way_out(
    server: Callable[[str], str], shop_index: Path, tmp_path: Path
) -> None:
    bare = server("bare")
    with pytest.raises(IndexNotFoundError, match=r"nothing is published .* cgi publish --db"):
        open_server(Address.of(bare))
    with pytest.raises(ServerError, match="cannot be reached"):
        open_server(Address.of("postgresql://nobody:hidden@127.0.0.1:1/none"))
    with pytest.raises(IndexNotFoundError, match="no index at"):
        publish_index(tmp_path / "none.db", bare, repo_id="x")
    publish_index(shop_index, bare, repo_id="x")
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("comment on schema cgi is 'code_graph_indexer 0'")
    with pytest.raises(IndexFormatError, match=r"drop schema cgi, .* publish again"):
        open_server(Address.of(bare))
    with pytest.raises(IndexFormatError, match="publish again"):
        publish_index(shop_index, bare, repo_id="x")


def test_an_index_of_another_version_is_not_pulled(empty: str, shop_index: Path, tmp_path: Path) -> None:
    publish_index(shop_index, empty, repo_id="shop")
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("update cgi.meta set value = '0.0.1' where key = 'version'")
    with pytest.raises(IndexFormatError, match=r"version 0\.0\.1 of cgi published shop"):
        pull_index(empty, tmp_path / "pulled.db", repo_id="shop")
    assert not (tmp_path / "pulled.db").exists()


def test_a_pull_does_not_overwrite_what_is_no_index(url: str, shop_index: Path, tmp_path: Path) -> None:
    publish_index(shop_index, url, repo_id="acme/shop")
    note = tmp_path / "note.db"
    note.write_text("mine", encoding="utf-8")
    with pytest.raises(IndexFormatError, match="is left alone"):
        pull_index(url, note, repo_id="acme/shop")
    assert note.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:pw@host:5/db?sslmode=require", "postgresql://me:***@host:5/db?sslmode=require"),
        ("postgresql://me@host/db?password=pw&x=1", "postgresql://me@host/db?password=***&x=1"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me:p%40w@/db?host=/tmp/x", "postgresql://me:***@/db?host=/tmp/x"),
        ("postgresql://me:pw@host:port/db", "postgresql://***"),
    ],
)
def test_a_password_is_never_shown(address: str, shown: str) -> None:
    assert masked(address) == shown
    # Nobody knows what an address means that cannot be read.
    assert str(Address.of(f"{address}#a,b")) == (shown if shown.endswith("//***") else f"{shown}#a,b")
    assert "pw" not in repr(Address.of(address)).replace("password", "")
    assert Address.of("postgresql://me:p%40w@h/d").hide("bad p@w, p%40w") == "bad ***, ***"
    assert str(Address.of("postgresql://me:p#w@host/db")) == "postgresql://***"


def test_an_address_names_few_of_many_repositories() -> None:
    address = Address.of("postgresql://host/db#" + ",".join(f"r{number}" for number in range(182)))
    assert str(address).endswith("#r0,r1,r2,r3,r4,r5,r6,r7,r8,r9 and 172 more")


def test_the_whole_suite_of_views_can_be_read(url: str, shop_index: Path) -> None:
    publish_index(shop_index, url, repo_id="acme/shop")
    with psycopg.connect(url) as connection:
        for view in ("symbols", "edges", "callers", "unresolved", "skipped"):
            assert connection.execute(f"select count(*) from cgi_all.{view}".encode()).fetchone()
        assert connection.execute(
            "select path, line from cgi_all.callers where callee = 'shop.pricing.add_tax'"
        ).fetchone() == ("acme/shop/shop/cart.py", 24)
        assert connection.execute("select repo_id, files from cgi.published").fetchone() == ("acme/shop", 14)
