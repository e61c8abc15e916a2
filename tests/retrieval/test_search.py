"""Every signal honours every filter, before it ranks; no query text is refused."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval import CodeRetriever, HybridSearcher, RankedList, read_query
from code_graph_indexer.retrieval.signals import NAME_ALONE
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.storage.sqlite_graph import SqliteStore

EVERYTHING = 1_000
QUERY = "Cart place_order Parcel 'return' sendOrder"
SIGNALS = ("definition", "words", "trigram", "quoted", "vector")

CASES: list[tuple[Filters, Callable[[StoredChunk], bool]]] = [
    (Filters(languages=("go",)), lambda one: one.language == "go"),
    (Filters(languages=("go", "python")), lambda one: one.language in ("go", "python")),
    (Filters(directory="shop"), lambda one: one.path.startswith("shop/")),
    (Filters(directory="./web/src/"), lambda one: one.path.startswith("web/src/")),
    (Filters(chunk_types=("method",)), lambda one: one.kind == "method"),
    (Filters(source_types=("markdown",)), lambda one: one.source_type == "markdown"),
    (Filters(file_patterns=("*.ts",)), lambda one: one.path.endswith(".ts")),
    (Filters(file_patterns=("web/**/*.ts", "*.md")), lambda one: one.path.endswith((".ts", ".md"))),
    (Filters(tests=True), lambda one: one.path.startswith("tests/")),
    (Filters(tests=False), lambda one: not one.path.startswith("tests/")),
    (Filters(repo_id="another"), lambda one: False),
    (
        Filters(directory="shop", chunk_types=("class",)),
        lambda one: one.path.startswith("shop/") and one.kind == "class",
    ),
]


@pytest.fixture(scope="session")
def searcher(store: SqliteStore, embedder: Embedder) -> HybridSearcher:
    return HybridSearcher(store, embedder)


def search(searcher: HybridSearcher, filters: Filters) -> dict[str, RankedList]:
    return {one.signal: one for one in searcher.search(read_query(QUERY), filters, pool_size=EVERYTHING)}


def chunks(store: SqliteStore, found: RankedList) -> Sequence[StoredChunk]:
    return store.chunks([hit.chunk_id for hit in found.hits])


@pytest.mark.parametrize("signal", SIGNALS)
def test_without_filters_every_signal_speaks(searcher: HybridSearcher, signal: str) -> None:
    assert search(searcher, Filters())[signal].hits


@pytest.mark.parametrize("signal", SIGNALS)
@pytest.mark.parametrize(("filters", "allows"), CASES)
def test_a_signal_gives_just_what_the_filters_allow_in_its_own_order(
    searcher: HybridSearcher, store: SqliteStore, filters: Filters, allows: Callable[[StoredChunk], bool], signal: str
) -> None:
    whole = chunks(store, search(searcher, Filters())[signal])
    found = chunks(store, search(searcher, filters)[signal])
    assert [one.id for one in found] == [one.id for one in whole if allows(one)]


@pytest.mark.parametrize("signal", SIGNALS)
def test_filters_come_before_the_limit(searcher: HybridSearcher, signal: str) -> None:
    narrow = Filters(file_patterns=("web/src/*",))
    lists = {one.signal: one for one in searcher.search(read_query(QUERY), narrow, pool_size=1)}
    first = search(searcher, narrow)[signal].hits[:1]
    assert lists[signal].hits[:1] == first
    # Vectors and words have an opinion on the hits of the others too.
    assert len(lists[signal].hits) == 1 or signal in ("vector", "words")
    others = {hit.chunk_id for name, one in lists.items() if name != signal for hit in one.hits}
    assert {hit.chunk_id for hit in lists[signal].hits[1:]} <= others


def test_what_the_others_find_is_scored_by_words_as_if_words_had_found_it(searcher: HybridSearcher) -> None:
    whole = {hit.chunk_id: hit.score for hit in search(searcher, Filters())["words"].hits}
    lists = {one.signal: one for one in searcher.search(read_query(QUERY), Filters(), pool_size=2)}
    found = lists["words"].hits
    assert len(found) > 2
    assert {hit.chunk_id: hit.score for hit in found}.items() <= whole.items()
    others = {hit.chunk_id for name, one in lists.items() if name != "words" for hit in one.hits}
    assert {one for one in others if one in whole} <= {hit.chunk_id for hit in found}


@pytest.mark.parametrize("signal", SIGNALS)
def test_a_ranked_list_holds_each_chunk_once_best_first(searcher: HybridSearcher, signal: str) -> None:
    hits = search(searcher, Filters())[signal].hits
    assert len({hit.chunk_id for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_keyword_only_is_the_same_without_vectors(store: SqliteStore, embedder: Embedder) -> None:
    query = read_query(QUERY)
    whole = HybridSearcher(store, embedder).search(query, Filters(), pool_size=EVERYTHING)
    keyword_only = HybridSearcher(store, None).search(query, Filters(), pool_size=EVERYTHING)
    assert keyword_only == [one for one in whole if one.signal != "vector"]


def test_a_substring_is_verified_in_the_text(searcher: HybridSearcher, store: SqliteStore) -> None:
    lists = searcher.search(read_query("'insert into orders'"), Filters(), pool_size=EVERYTHING)
    (found,) = (one for one in lists if one.signal == "quoted")
    texts = store.chunk_texts(chunks(store, found))
    assert texts
    assert all("insert into orders" in text for text in texts)


def test_a_message_without_quotes_is_looked_for_as_written(searcher: HybridSearcher, store: SqliteStore) -> None:
    def holding(text: str) -> list[str]:
        lists = searcher.search(read_query(text), Filters(), pool_size=EVERYTHING)
        return [one.qualified_name for found in lists if found.signal == "quoted" for one in chunks(store, found)]

    assert holding("insert into orders values.") == holding("'insert into orders values'") != []
    assert holding("insert values into orders") == []


@settings(max_examples=150)
@given(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=())),
        st.text(alphabet="\"'*():^-+ANDORNEAR{}[]\\%_ cart\0"),
    )
)
def test_any_text_is_answered(store: SqliteStore, embedder: Embedder, text: str) -> None:
    found = CodeRetriever(store, embedder).retrieve(text, limit=3)
    assert len(found) <= 3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_who_names_a_class_means_the_class_and_not_its_constructor(tmp_path: Path) -> None:
    text = (
        "class Parcel {\n    private int weight;\n\n    Parcel(int weight) {\n        this.weight = weight;\n    }\n}\n"
    )
    (tmp_path / "Parcel.java").write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path) as indexer:
        indexer.index()
        (found,) = (
            one
            for one in HybridSearcher(indexer.store, None).search(read_query("Parcel"), Filters(), pool_size=9)
            if one.signal == "definition"
        )
        assert [one.kind for one in indexer.store.chunks([hit.chunk_id for hit in found.hits])] == ["class", "method"]
        assert [hit.score for hit in found.hits] == [NAME_ALONE, NAME_ALONE / 2]


def test_what_has_the_name_that_is_all_of_a_query_comes_first(tmp_path: Path) -> None:
    texts = {
        "params.py": "class Depends:\n    use_cache = True\n    scope = None\n    dependency = None\n",
        "functions.py": "from params import Depends as Made\n\n\ndef Depends(dependency):\n    return Made()\n",
        "dependencies/depends.py": "def of(depends):\n    depends.depend()\n    return depends or depends.depends\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path) as indexer:
        indexer.index()
        first = [one.qualified_name for one in indexer.retrieve("Depends", limit=2)]
    assert set(first) == {"params.Depends", "functions.Depends"}


def test_who_names_a_function_means_it_and_not_the_file_named_for_it(tmp_path: Path) -> None:
    text = "import { keys } from './keys.js';\n\nexport default function mergeConfig(one) {\n  return keys(one);\n}\n"
    (tmp_path / "mergeConfig.js").write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path) as indexer:
        indexer.index()
        assert indexer.retrieve("mergeConfig", limit=1)[0].type == "function"
