"""Every back-end answers as the protocols say: the same index, in each of them, gives the same answers.

An index is built as a file, updated, and published to a server. The answers of each are compared with those of SQLite.
"""

import inspect
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from code_graph_indexer.across import linked_across
from code_graph_indexer.results import Filters
from code_graph_indexer.storage import (
    IndexWriter,
    LinkReader,
    Store,
    open_links,
    open_many,
    open_store,
    update_index,
)
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.records import History
from tests.indexing.edits import START
from tests.indexing.repository import index, write_tree
from tests.storage.conftest import LANGUAGES, ODD

pytestmark = pytest.mark.slow

SHOP = Path(__file__).parents[2] / "fixtures" / "shop"
TREES = ("shop", pytest.param("languages", marks=pytest.mark.slow))
BACKENDS = ("sqlite", "postgresql")

TEST = "def test_order():\n    total = place_order()\n    assert total.undefined_name()\n"
ROUTES = "from extra.new import new\n\n@app.route('/new')\ndef show():\n    return new()\n"
FIRST = {"extra/gone.py": "def gone():\n    return 1\n", "extra/test_order.py": TEST}
SECOND = {
    "extra/new.py": "from extra.test_order import test_order\n\n\ndef new():\n    test_order()\n",
    "extra/routes.py": ROUTES,
}
"""Files before the update and after it: a file is removed, a file is added, and an index is written twice."""


@dataclass(frozen=True)
class Backend:
    """A back-end that holds a tree: how to open it, and how to get a change of the index file into it."""

    open_store: Callable[[], Store]
    change: Callable[[Callable[[IndexWriter], None]], None]


@pytest.fixture(scope="session", params=TREES)
def tree_name(request: pytest.FixtureRequest) -> str:
    """Name a tree."""
    return str(request.param)


def describe(db: Path) -> None:
    """Write sentences on the first definitions of an index."""
    with closing(open_store(db)) as opened:
        subjects = opened.undescribed()[:9]
    with update_index(db) as writer:
        writer.put_sentences(
            (
                content_hash,
                "model" if number % 2 else "Modèle 文",
                f"Tells in sentence {number} who orders the naïve façade.",
            )
            for number, (_, content_hash) in enumerate(subjects)
        )
        writer.put_described([chunk_id for chunk_id, _ in subjects])


@pytest.fixture(scope="session")
def backends(
    tree_name: str, server: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Backend]:
    """Index a tree, publish it, update it, and publish it again."""
    from code_graph_indexer.storage.address import Address
    from code_graph_indexer.team.postgresql import PostgresqlStore
    from code_graph_indexer.team.postgresql_writer import publish_index

    folder = tmp_path_factory.mktemp(tree_name)
    root, db = folder / "tree", folder / "index.db"
    if tree_name == "shop":
        shutil.copytree(SHOP, root)
    write_tree(root, FIRST if tree_name == "shop" else {**FIRST, **START, **LANGUAGES, **ODD})
    uri = server(f"tree_{tree_name}")

    def publish() -> None:
        publish_index(db, uri, repo_id="tree")

    def change(write: Callable[[IndexWriter], None]) -> None:
        with update_index(db) as writer:
            write(writer)

    def change_and_publish(write: Callable[[IndexWriter], None]) -> None:
        change(write)
        publish()

    index(root, db, full=True, parse_timeout=60)
    publish()
    describe(db)
    publish()
    (root / "extra/gone.py").unlink()
    write_tree(root, SECOND)
    index(root, db, parse_timeout=60)
    files = {
        path: (1_700_000_000 + number, 2) for number, path in enumerate(sorted({**FIRST, **SECOND, "none.py": ""}))
    }
    paths = sorted(files)
    together = {path: [(partner, 2 + number) for number, partner in enumerate(paths[:3])] for path in paths[1:]}
    change_and_publish(lambda writer: writer.put_history("abc", "stamp", History(files, together)))
    return {
        "sqlite": Backend(lambda: open_store(db), change),
        # The repository has the number 0 in its database, so its ids are those of the file.
        "postgresql": Backend(lambda: PostgresqlStore(Address.of(f"{uri}#tree")), change_and_publish),
    }


@pytest.fixture(scope="session", params=BACKENDS)
def backend(request: pytest.FixtureRequest, backends: dict[str, Backend]) -> Backend:
    """Return a back-end."""
    return backends[request.param]


@pytest.fixture(scope="session")
def store(backend: Backend) -> Iterator[Store]:
    """Open what a back-end holds."""
    opened = backend.open_store()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def reference(backends: dict[str, Backend]) -> Iterator[Store]:
    """Open what SQLite holds: the answers to compare with."""
    opened = backends["sqlite"].open_store()
    yield opened
    opened.close()


def _ids(store: Store) -> list[int]:
    return [chunk.id for file in store.files() for chunk in store.file_chunks(file.path)]


def _members(store: Store) -> list[int]:
    return [symbol.node_id for path in _paths(store) for symbol in store.file_symbols(path)]


def _paths(store: Store) -> list[str]:
    return [file.path for file in store.files()]


def _vector(store: Store) -> np.ndarray[Any, np.dtype[np.float32]]:
    vectors = store.vectors_of(_ids(store))
    packed = vectors[min(vectors)]
    vector = np.frombuffer(packed, np.int8).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


FILTERS = (
    Filters(),
    Filters(tests=False),
    Filters(tests=True),
    Filters(languages=("python",)),
    Filters(chunk_types=("function", "method")),
    Filters(directory="extra/"),
    Filters(file_patterns=("**/*.py", "*t[eo]st_*")),
    Filters(file_patterns=("*/[^t]*.py",), repo_id=""),
    Filters(source_types=("code",), excluded=Filters(languages=("python",))),
    Filters(directory="no such folder"),
)

ANSWERS: dict[str, Callable[[Any], Any]] = {
    "meta": lambda store: dict(store.meta()),
    "files": lambda store: store.files(),
    "unread_files": lambda store: store.unread_files(),
    "file_text": lambda store: [store.file_text(path) for path in [*_paths(store), "no such file"]],
    "chunks": lambda store: store.chunks([*reversed(_ids(store)), 10**15]),
    "ancestors_of": lambda store: sorted(store.ancestors_of(_ids(store)[5:])),
    "chunk_texts": lambda store: store.chunk_texts(store.chunks(_ids(store))),
    "file_chunks": lambda store: [store.file_chunks(path) for path in [*_paths(store), "no such file"]],
    "file_docs": lambda store: store.file_docs([*_paths(store), "no such file"]),
    "top_names": lambda store: store.top_names([*_paths(store), "no such file"]),
    "file_states": lambda store: store.file_states([*_paths(store), "no such file"]),
    "files_by_id": lambda store: store.files_by_id(np.array([*range(-3, 60), 1, 10**15])),
    "files_of": lambda store: store.files_of([*_ids(store), 10**15]),
    "imports_of": lambda store: store.imports_of([file.id for file in store.files()]),
    "changed_together": lambda store: [store.changed_together(_paths(store)[:count]) for count in (0, 1, 2, 5)],
    "texts": lambda store: list(store.texts()),
    "words": lambda store: [
        [(chunk_id, round(score, 9)) for chunk_id, score in store.words(terms, filters, limit, also)]
        for terms in (
            ["test", "order"],
            ["order", "Straße", "façades", "naive"],
            ["0xDEADBEEF", "foo bar"],
            ["\udcff"],
            [],
        )
        for filters in FILTERS
        for limit in (1, 5, 10_000)
        for also in (None, np.array(_ids(store)[::3]))
    ],
    "described": lambda store: [
        [(chunk_id, round(score, 9)) for chunk_id, score in store.described(terms, filters, limit)]
        for terms in (["sentence"], ["orders", "facade"], ["3", "ORDER"], ["zzzzqqqq"], ["\udcff"], [])
        for filters in FILTERS
        for limit in (1, 5, 10_000)
    ],
    "descriptions": lambda store: store.descriptions([*_ids(store), 10**15]),
    "undescribed": lambda store: store.undescribed(),
    "word_counts": lambda store: store.word_counts(["order", "Straße", "ORDERS", "zzzzqqqq", ""]),
    "files_holding": lambda store: [store.files_holding(text) for text in ("order", "ORDERS", "zzzzqqqq", "or", "")],
    "has_words": lambda store: [
        store.has_words(terms) for terms in (["zzzzqqqq", "order"], ["ORDERS"], ["zzzzqqqq"], ["\0"], [""], [])
    ],
    "substrings": lambda store: [
        [
            store.substrings(text, filters, limit, whole=whole)
            for text in ("test_order", "TEST_ORDER", "place_ord", "undefined", "a", "")
            for whole in (False, True)
        ]
        for filters in FILTERS
        for limit in (1, 50)
    ],
    "nearest": lambda store: [
        store.nearest(_vector(store), filters, limit) for filters in FILTERS for limit in (0, 3, 500)
    ],
    "similar": lambda store: store.similar(_vector(store), np.array([*_ids(store)[:40], 10**15])),
    "allowed": lambda store: [store.allowed(_ids(store), filters) for filters in FILTERS],
    "traits_of": lambda store: store.traits_of(np.array([*_ids(store), 0, -5, 10**15])).tolist(),
    "chunk_marks": lambda store: store.chunk_marks([*_ids(store), 10**15]),
    "symbols": lambda store: [
        store.symbols(names, exact_case=exact_case, suffix=suffix)
        for names in (store.symbol_names(), ["TEST_order", "Order"], ["order", "order"], ["\udcff"], ["a\0b"], [])
        for exact_case in (False, True)
        for suffix in ("", "er", "_", "\\", ".TOTAL")
    ],
    "symbol_names": lambda store: store.symbol_names(),
    "made_symbols": lambda store: store.made_symbols("wrap_acos"),
    "nodes": lambda store: [store.nodes(), [*store.nodes().items()], store.nodes([*_ids(store)[:9], 10**15])],
    "uses": lambda store: store.uses([*_ids(store), *_members(store)]),
    "callers": lambda store: [store.callers(_ids(store)), store.callers(_ids(store), "imports")],
    "callees": lambda store: [store.callees(_ids(store)), store.callees(_ids(store), "inherits")],
    "callers_of": lambda store: [store.callers_of(_ids(store), most) for most in (1, 3, 1_000)],
    "callees_of": lambda store: [store.callees_of(_ids(store), most) for most in (1, 3, 1_000)],
    "edges": lambda store: [
        store.edges(_ids(store), kind, incoming=incoming)
        for kind in ("calls", "imports", "inherits")
        for incoming in (True, False)
    ],
    "all_edges": lambda store: store.all_edges(["calls", "inherits", "overrides", "references"]),
    "registrations": lambda store: store.registrations(),
    "classes_around": lambda store: store.classes_around(_ids(store)),
    "parents": lambda store: store.parents(),
    "has_kind": lambda store: [store.has_kind(kind) for kind in ("function", "method", "", "no such kind")],
    "has_folder": lambda store: [
        store.has_folder(path[:end])
        for path in _paths(store)
        for end in (path.find("/"), path.find("/") - 1, len(path))
    ],
    "repositories": lambda store: [*store.repositories(), "a name may be empty"],
    "marked_files": lambda store: store.marked_files() | {"this", "that"},
    "open_names": lambda store: [store.open_names(_ids(store), kind) for kind in ("calls", "imports")],
    "externals": lambda store: store.externals(_ids(store), ["calls", "inherits", "imports"]),
    "external_uses": lambda store: [store.external_uses(use.package) for use in store.packages()],
    "packages": lambda store: store.packages(),
    "open_sources": lambda store: (store.open_sources("calls"), store.open_sources("calls", _ids(store)[::3])),
    "open_call_names": lambda store: store.open_call_names(),
    "open_edges": lambda store: store.open_edges(_ids(store), 0.2),
    "open_sites": lambda store: [
        store.open_sites([*store.open_call_names()], ids, outside=outside)
        for ids in (_ids(store), _ids(store)[:1], [])
        for outside in (False, True)
    ],
    "open_calls_in": lambda store: [store.open_calls_in(chunk_id) for chunk_id in _ids(store)],
    "overloads": lambda store: [store.overloads(_ids(store)), "some tree has none"],
    "tied_sites": lambda store: [store.tied_sites(_ids(store)), "some tree has none"],
    "outside_names": lambda store: store.outside_names(_paths(store)),
    "open_imports": lambda store: store.open_imports(),
    "file_edges": lambda store: [
        store.file_edges(kind, path, incoming=incoming)
        for kind in ("calls", "imports")
        for path in _paths(store)
        for incoming in (True, False)
    ],
    "links": lambda store: store.links(["calls", "imports"]),
    "file_symbols": lambda store: [store.file_symbols(path) for path in _paths(store)],
    "file_definitions": lambda store: [store.file_definitions(path) for path in _paths(store)],
    "file_references": lambda store: [store.file_references(path) for path in _paths(store)],
    "reference_fates": lambda store: [store.reference_fates(path) for path in _paths(store)],
    "imported_definitions": lambda store: [store.imported_definitions(file.id) for file in store.files()],
    "sums": lambda store: store.sums(),
    "counts": lambda store: {name: [*counter.items()] for name, counter in store.counts().items()},
    "contents": lambda store: [(table, sorted(rows, key=repr)) for table, rows in _plain(store.contents())],
    "chunk_hashes": lambda store: store.chunk_hashes(),
    "vectors_of": lambda store: store.vectors_of(_ids(store)),
}
"""Calls of every method of a store whose answer is the same whatever the back-end."""

OTHER_METHODS = {
    "beside",
    "size",
    "stamp",
    "refresh",
    "reading",
    "changing",
    "close",
    "check",
    "damaged",
    "graph_arrays",
}
"""Methods with tests of their own below."""

PARTS = {
    *("acyclic", "count", "location", "room", "rows", "text_of", "unpacked"),
    *("allowed_chunks", "allowed_runs", "conditions", "filter_condition", "forget", "read_texts"),
}
"""Methods by which a back-end answers. Nobody else calls them."""

LINK_ANSWERS: dict[str, Callable[[Any], Any]] = {
    "file": lambda links: [links.file(path) for path in (*links.paths().values(), "no such file")],
    "content_hash": lambda links: [links.content_hash(path) for path in (*links.paths().values(), "no such file")],
    "paths": lambda links: [*links.paths().items()],
    "module_rows": lambda links: links.module_rows(),
    "named": lambda links: [
        links.named(name) for name in ("test_order", "Test_order", "Order", "new", "total", "gone")
    ],
    "is_written": lambda links: [
        links.is_written(name, value=value, besides=besides)
        for name in ("test_order", "Order", "gone", "TAX_RATE")
        for value in (True, False)
        for besides in ((), (1, 2))
    ],
    "members": lambda links: [links.members(file_id) for file_id in links.paths()],
    "definitions": lambda links: [links.definitions(path) for path in links.paths().values()],
    "spans": lambda links: [links.spans(file_id) for file_id in links.paths()],
    "exact": lambda links: [links.exact(file_id) for file_id in links.paths()],
    "lookups": lambda links: list(links.lookups()),
    "sentences": lambda links: [*links.sentences(), "most indexes have none"],
    "texts_named": lambda links: [*links.texts_named(lambda name: name.endswith(".py")).items()],
}


def _plain(contents: list[tuple[str, list[tuple[Any, ...]]]]) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Write booleans as numbers."""
    return [
        (table, [tuple(int(cell) if isinstance(cell, bool) else cell for cell in row) for row in rows])
        for table, rows in contents
    ]


def methods(*protocols: type) -> set[str]:
    return {
        name
        for protocol in protocols
        for name, member in inspect.getmembers(protocol)
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }


def test_every_question_has_a_contract() -> None:
    assert methods(Store) - PARTS == {*ANSWERS, *OTHER_METHODS}
    assert methods(LinkReader) - PARTS - {"damaged"} == {*LINK_ANSWERS}


@pytest.mark.parametrize("method", ANSWERS)
def test_a_store_answers_as_sqlite_does(store: Store, reference: Store, method: str) -> None:
    answer = ANSWERS[method](store)
    assert answer == ANSWERS[method](reference)


@pytest.mark.parametrize("method", ANSWERS)
def test_the_answers_are_not_empty(reference: Store, tree_name: str, method: str) -> None:
    if tree_name == "languages":
        assert any(np.array(ANSWERS[method](reference), dtype=object).ravel().tolist() or [True])


def test_a_function_that_a_macro_makes_is_the_use_of_the_macro(reference: Store, tree_name: str) -> None:
    names = [symbol.name for symbol in reference.made_symbols("wrap_acos")]
    assert names == (["WRAP_ONE(acos)"] if tree_name == "languages" else [])


def test_the_error_for_damage_names_the_index_and_the_reason(store: Store) -> None:
    assert "(no such row)" in str(store.damaged("no such row"))


def test_a_search_beside_others_has_the_same_hits(store: Store) -> None:
    def search() -> Hits:
        return store.substrings("order", Filters(), 20)

    later = store.beside(search)
    assert list(search()) == list(later())
    with pytest.raises(ZeroDivisionError):
        store.beside(lambda: search()[: 1 // 0])()


def test_the_links_of_a_finished_index_are_those_of_its_writer(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tree", {**FIRST, **SECOND})
    index(root, tmp_path / "index.db")
    with open_links(tmp_path / "index.db") as links, update_index(tmp_path / "index.db") as writer:
        for answer in LINK_ANSWERS.values():
            assert answer(links) == answer(writer.links)
            assert answer(links)


def test_words_rank_the_chunks_that_hold_them(store: Store) -> None:
    hits = store.words(["test", "order"], Filters(), 10)
    assert 0 < len(hits) <= 10
    order = [(-hit.score, hit.chunk_id) for hit in hits]
    assert order == sorted(order)
    texts = store.chunk_texts(store.chunks(hits.ids.tolist()))
    paths = [chunk.path for chunk in store.chunks(hits.ids.tolist())]
    assert all(
        "order" in text.lower() or "test" in (text + path).lower() for text, path in zip(texts, paths, strict=True)
    )
    assert not store.words([], Filters(), 10)
    assert not store.words(["zzzzqqqq"], Filters(), 10)


def test_words_keep_to_the_filters_and_add_the_chunks_that_are_asked_for(store: Store) -> None:
    everything = store.words(["order"], Filters(), 10_000)
    for filters in FILTERS:
        hits = store.words(["order"], filters, 10_000)
        assert set(hits.ids.tolist()) == store.allowed(everything.ids.tolist(), filters)
    last = everything.ids[-1:]
    assert store.words(["order"], Filters(), 1, last).ids[1:].tolist() == last.tolist()


def test_has_words_says_whether_a_word_is_in_the_index(store: Store) -> None:
    assert store.has_words(["zzzzqqqq", "order"])
    assert not store.has_words(["zzzzqqqq"])
    assert not store.has_words([])


@pytest.mark.parametrize(
    "text", ["", '"', "\udcff", "a\0b", "NEAR(", "name:", "%", "_", "?", "\\", "'; drop table files"]
)
def test_no_text_breaks_a_store(store: Store, text: str) -> None:
    assert len(store.words([text], Filters(), 5)) <= 5
    assert len(store.substrings(text, Filters(), 5)) <= 5
    assert isinstance(store.symbols([text], suffix=text), list)
    assert isinstance(store.allowed(_ids(store), Filters(file_patterns=(text.replace("[", ""),), directory=text)), set)


def test_a_sound_index_has_no_problems(store: Store) -> None:
    assert store.check() == []


def test_an_error_keeps_the_old_state(backend: Backend, store: Store) -> None:
    before, stamp = store.contents(), store.stamp

    def fail(writer: IndexWriter) -> None:
        writer.set_meta({"repo_id": "changed"})
        writer.remove_file("extra/new.py")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        backend.change(fail)
    store.refresh()
    assert store.contents() == before
    assert store.stamp == stamp


def test_a_commit_is_seen_after_a_refresh_and_changes_the_stamp(backend: Backend, store: Store) -> None:
    stamp = store.stamp
    for value in ("changed", ""):

        def write(writer: IndexWriter, value: str = value) -> None:
            writer.set_meta({"repo_id": value})
            assert writer.meta("repo_id") == value
            assert writer.meta("no such key") == ""

        backend.change(write)
        store.refresh()
        assert store.meta()["repo_id"] == value
        assert store.stamp != stamp


def test_while_a_thread_reads_a_store_is_not_reloaded(backend: Backend, store: Store) -> None:
    def write(writer: IndexWriter) -> None:
        writer.set_meta({"repo_id": "changed"})

    before = store.meta()["repo_id"]
    with store.reading():
        backend.change(write)
        store.refresh()
        assert store.meta()["repo_id"] == before
    with store.changing():
        store.refresh()
        assert store.meta()["repo_id"] == "changed"
    backend.change(lambda writer: writer.set_meta({"repo_id": before}))
    store.refresh()


def test_calls_across_repositories_are_those_of_the_files(server: Callable[[str], str], tmp_path: Path) -> None:
    from code_graph_indexer.storage.address import Address
    from code_graph_indexer.team.postgresql import PostgresqlStore
    from code_graph_indexer.team.postgresql_writer import publish_index

    trees = {
        "team/shapes": {"shapes/__init__.py": "def area_of(radius):\n    return 3 * radius\n"},
        "app": {"app.py": "from shapes import area_of as measure\n\n\ndef total():\n    return measure(1)\n"},
    }
    uri, files = server("across"), {}
    for name, tree in trees.items():
        db = tmp_path / f"{name.replace('/', '-')}.db"
        index(write_tree(tmp_path / name, tree), db, full=True)
        publish_index(db, uri, repo_id=name)
        files[name] = open_store(db)

    def callers(store: Store) -> list[tuple[str, str, int, float, str]]:
        target = store.symbols(["area_of"])[0].chunk_id
        neighbours = linked_across(store).callers([target])
        return [
            (entry.symbol.file_path, entry.symbol.name, entry.line, entry.confidence, entry.origin)
            for entry in neighbours
        ]

    published = PostgresqlStore(Address.of(uri))
    assert callers(published) == callers(open_many(files)) == [("app/app.py", "total", 5, 0.9, "across")]
    published.close()
