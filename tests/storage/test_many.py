"""A set of indexes answers as its members do, with their names before the paths."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import Filters
from code_graph_indexer.storage import Store, member_of, open_many, open_store
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.globs import plain, rests
from code_graph_indexer.storage.identity import LOCAL_MASK, global_id, local_id
from code_graph_indexer.storage.many import ManyStore
from code_graph_indexer.storage.scores import idf
from tests.indexing.repository import index, write_tree
from tests.shop import copy_shop
from tests.storage import test_contract
from tests.storage.test_contract import ANSWERS

pytestmark = pytest.mark.slow

SINGLE = "two"
"""The name of the repository whose answers are compared. It is the second of the set of two, so its ids differ."""

OF_THE_WHOLE = {
    "meta": "facts of all members",
    "sums": "sums",
    "counts": "sums",
    "packages": "sums",
    "external_uses": "all uses of a package",
    "contents": "a table for each member",
    "texts": "all texts",
    "symbol_names": "all names",
    "symbols": "all definitions of a name",
    "open_call_names": "all calls",
    "open_sites": "without chunks, all calls",
    "files_holding": "all files",
    "open_sources": "all calls",
    "all_edges": "all edges",
    "registrations": "all registrations",
    "parents": "all chunks",
    "nodes": "all chunks",
    "marked_files": "all files",
    "unread_files": "all files",
    "chunk_hashes": "a text may be in both",
    "undescribed": "all chunks",
    "files_by_id": "ids that the contract spells out",
    "links": "all files",
    "open_imports": "all imports",
    "words": "every repository weighs a word as the set does",
    "word_counts": "the chunks of all",
    "changed_together": "no history in these trees",
}
"""Methods whose answer is not that of one member, with the reason."""


OF_THE_NAMES = {"contents", "repositories", "has_folder"}
"""Methods whose answer holds the names of the members."""


class Part:
    """One repository of a set: its files, and the answers of the set."""

    def __init__(self, store: ManyStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def files(self) -> list[Any]:
        """List the files of the repository."""
        return [file for file in self._store.files() if file.path.startswith(f"{SINGLE}/")]


def local(answer: Any) -> Any:
    """Return an answer of a set with the paths and ids of the member."""
    match answer:
        case str():
            return answer.removeprefix(f"{SINGLE}/")
        case bool():
            return answer
        case int():
            return answer & LOCAL_MASK if answer > 0 else answer
        case Hits():
            return [(local(chunk_id), score) for chunk_id, score in answer]
        case dict():
            return {local(key): local(value) for key, value in answer.items()}
        case set() | frozenset():
            return {local(entry) for entry in answer}
        case tuple() if hasattr(answer, "_replace"):
            return type(answer)(*map(local, answer))._replace(**({"repo_id": ""} if hasattr(answer, "repo_id") else {}))  # type: ignore[attr-defined]
        case tuple():
            return tuple(map(local, answer))
        case list():
            return [local(entry) for entry in answer]
        case _ if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
            values = {field.name: local(getattr(answer, field.name)) for field in dataclasses.fields(answer)}
            return dataclasses.replace(answer, **values)
        case _:
            return answer


def in_set(filters: Filters) -> Filters:
    """Return filters of the member as filters of the set."""
    patterns = tuple(f"{SINGLE}/{pattern}" for pattern in filters.file_patterns)
    directory = f"{SINGLE}/{filters.directory}" if filters.directory else None
    return dataclasses.replace(filters, repo_id=SINGLE, file_patterns=patterns, directory=directory)


@pytest.fixture(scope="module")
def shop_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of the shop. Do not change it."""
    folder = tmp_path_factory.mktemp("set")
    index(copy_shop(folder), folder / "shop.db")
    return folder / "shop.db"


@pytest.fixture(scope="module", params=[1, 2])
def many(request: pytest.FixtureRequest, db: Path, shop_db: Path) -> Iterator[ManyStore]:
    """Open a set of one repository, then of two."""
    stores: dict[str, Store] = {SINGLE: open_store(db)}
    if request.param == 2:
        stores["shop"] = open_store(shop_db)
    opened = ManyStore(stores)
    yield opened
    opened.close()


@pytest.mark.parametrize("method", sorted(ANSWERS))
def test_a_set_answers_as_its_member_does(
    many: ManyStore, store: Store, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if len(many.members) > 1 and method in OF_THE_WHOLE:
        pytest.skip(OF_THE_WHOLE[method])
    if method in OF_THE_NAMES:
        pytest.skip("the names of the members are a part of the answer")
    expected = ANSWERS[method](store)
    monkeypatch.setattr(test_contract, "FILTERS", [in_set(filters) for filters in test_contract.FILTERS])
    assert local(ANSWERS[method](Part(many))) == local(expected)


def test_a_set_of_one_ranks_words_as_its_member_does(many: ManyStore, store: Store) -> None:
    terms = ["save", "order", "load"]
    hits = many.words(terms, Filters(repo_id=SINGLE), 20)
    alone = store.words(terms, Filters(), 20)
    if len(many.members) == 1:
        assert local(hits) == local(alone)
    else:
        # The terms weigh as much as in both repositories together.
        assert len(hits) == len(alone)


def test_a_set_has_the_words_folders_and_names_of_its_members(many: ManyStore, store: Store) -> None:
    assert many.has_words(["save"])
    assert not many.has_words(["zzzzqqqq"])
    assert many.word_counts(["save"]).having["save"] >= store.word_counts(["save"]).having["save"] > 0
    assert many.has_folder(SINGLE)
    assert many.has_folder(f"{SINGLE}/all")
    assert not many.has_folder(f"{SINGLE}/none")
    assert not many.has_folder("all")
    assert many.repositories() == [member.name for member in many.members]
    assert many.check() == []
    assert many.file_text("all") is None


def tiny(folder: Path, **texts: str) -> dict[str, Store]:
    """Index repositories of one file each, and open them."""
    for name, text in texts.items():
        write_tree(folder / name, {"lib/file.py": text})
        index(folder / name, folder / f"{name}.db", spec="hashing")
    return {name: open_store(folder / f"{name}.db") for name in texts}


ADD, PAY = "def add(cart):\n    return cart\n", "def pay(cart):\n    return add(cart)\n"


def test_ids_hold_the_number_of_the_member() -> None:
    assert (member_of(global_id(3, 7)), local_id(global_id(3, 7))) == (3, 7)
    assert global_id(0, 7) == 7


def test_the_order_of_the_members_changes_no_answer(tmp_path: Path) -> None:
    stores = tiny(tmp_path, a=ADD, b=PAY, c=ADD)
    first, second = open_many(stores), open_many(dict(reversed(stores.items())))
    for read in (ANSWERS["files"], ANSWERS["chunks"], ANSWERS["callees"], ANSWERS["symbols"]):
        assert read(first) == read(second)
    vector = np.full(256, 1 / 16, np.float32)
    for filters in (Filters(), Filters(repo_id=("a", "c"))):
        assert first.words(["cart"], filters, 9) == second.words(["cart"], filters, 9)
        assert first.substrings("cart", filters, 9) == second.substrings("cart", filters, 9)
        assert first.nearest(vector, filters, 9) == second.nearest(vector, filters, 9)


def test_a_term_weighs_the_same_in_every_repository(tmp_path: Path) -> None:
    # `rare` is in one of 40 chunks of the first, and in all chunks of the second.
    many = "\n".join(f"def word{number}():\n    return plain{number}\n" for number in range(40))
    stores = tiny(tmp_path, large=many + ADD.replace("add", "rare"), small=ADD.replace("add", "rare"))
    hits = open_many(stores).words(["rare"], Filters(), 2)
    assert [member_of(chunk_id) for chunk_id in hits.ids.tolist()] in ([0, 1], [1, 0])
    best, second = hits.scores.tolist()
    alone = [store.words(["rare"], Filters(), 1).scores[0] for store in stores.values()]
    assert best / second < 1.5 < max(alone) / min(alone)


def test_the_own_counts_of_an_index_change_no_score(tmp_path: Path) -> None:
    store = tiny(tmp_path, a=f"{ADD}\n\n{PAY}\n\nclass Cart:\n    def pay(self):\n        return 1\n")["a"]
    terms = ["cart", "pay", "add"]
    plain, weighed = (store.words(terms, Filters(), 9, None, counts) for counts in (None, store.word_counts(terms)))
    assert plain.ids.tolist() == weighed.ids.tolist()
    assert np.allclose(plain.scores, weighed.scores)
    assert idf(40, 40) == idf(30, 40) > 0


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        (Filters(), ["a/lib/file.py", "b/lib/file.py"]),
        (Filters(repo_id="a"), ["a/lib/file.py"]),
        (Filters(repo_id=("a", "b")), ["a/lib/file.py", "b/lib/file.py"]),
        (Filters(repo_id="none"), []),
        (Filters(directory="b"), ["b/lib/file.py"]),
        (Filters(directory="b/lib/"), ["b/lib/file.py"]),
        (Filters(directory="lib"), []),
        (Filters(file_patterns=("a/*.py",)), ["a/lib/file.py"]),
        (Filters(file_patterns=("lib/*",)), []),
        (Filters(file_patterns=("*/lib/*", "a/none")), ["a/lib/file.py", "b/lib/file.py"]),
        (Filters(excluded=Filters(repo_id="a")), ["b/lib/file.py"]),
        (Filters(excluded=Filters(directory="a")), ["b/lib/file.py"]),
        (Filters(excluded=Filters(directory="a/lib")), ["b/lib/file.py"]),
        (Filters(excluded=Filters(file_patterns=("b/*",))), ["a/lib/file.py"]),
        (Filters(excluded=Filters(file_patterns=("*/file.*",))), []),
        (Filters(excluded=Filters(languages=("go",))), ["a/lib/file.py", "b/lib/file.py"]),
    ],
)
def test_filters_select_repositories_folders_and_paths(tmp_path: Path, filters: Filters, paths: list[str]) -> None:
    many = open_many(tiny(tmp_path, a=ADD, b=PAY))
    chunk_ids = [chunk.id for file in many.files() for chunk in many.file_chunks(file.path)]
    allowed = many.chunks(sorted(many.allowed(chunk_ids, filters)))
    assert list(dict.fromkeys(chunk.path for chunk in allowed)) == paths
    hits = many.words(["cart"], filters, 100)
    assert {chunk.path for chunk in many.chunks(hits.ids.tolist())} == set(paths)


def test_vectors_of_another_embedder_are_not_compared(tmp_path: Path) -> None:
    stores = tiny(tmp_path, a=ADD, b=PAY)
    write_tree(tmp_path / "c", {"lib/file.py": ADD})
    index(tmp_path / "c", tmp_path / "c.db", spec="static")
    many = ManyStore({**stores, "c": open_store(tmp_path / "c.db")})
    assert many.meta()["embedder"] == "hashing"
    assert [member.name for member in many.embedded()] == ["a", "b"]
    vector = np.full(256, 1 / 16, np.float32)
    assert {member_of(chunk_id) for chunk_id in many.nearest(vector, Filters(), 100).ids.tolist()} <= {0, 1}
    assert {member_of(chunk_id) for chunk_id in many.words(["cart"], Filters(), 100).ids.tolist()} == {0, 1, 2}


def test_a_name_below_a_name_is_refused(tmp_path: Path) -> None:
    store = tiny(tmp_path, a=ADD)["a"]
    with pytest.raises(UsageError, match="'team/a' has a name below 'team'"):
        open_many({"team": store, "team-b": store, "team/a": store})


PATTERNS = st.text(st.sampled_from("ab/*?"), max_size=8) | st.sampled_from(["[a-b]*/b", "*[^a]/*", "**/a", "a/**"])


@settings(max_examples=300)
@given(PATTERNS, st.text(st.sampled_from("ab/"), max_size=3), st.text(st.sampled_from("ab/"), max_size=4))
def test_the_rests_of_a_pattern_match_what_the_pattern_does(pattern: str, prefix: str, rest: str) -> None:
    database = apsw.Connection(":memory:")

    def matches(path: str, glob: str) -> bool:
        return bool(database.execute("select ? glob ?", (path, plain(glob))).get)

    assert any(matches(rest, glob) for glob in rests(pattern, prefix)) == matches(prefix + rest, pattern)


def test_every_method_of_a_store_is_one_of_a_set() -> None:
    assert test_contract.methods(Store) - test_contract.PARTS <= set(dir(ManyStore))
