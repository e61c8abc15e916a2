"""Every signal honours every filter before it ranks. No query text is refused."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.search import NAME_ALONE, HybridSearcher
from code_graph_indexer.retrieval.signals import RankedList
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.storage.sqlite import SqliteStore

EVERYTHING = 1_000
QUERY = "Cart place_order Parcel 'return' sendOrder"
SIGNALS = ("definition", "words", "trigram", "quoted", "vector")

CASES: list[tuple[Filters, Callable[[StoredChunk], bool]]] = [
    (Filters(languages=("go",)), lambda chunk: chunk.language == "go"),
    (Filters(languages=("go", "python")), lambda chunk: chunk.language in ("go", "python")),
    (Filters(directory="shop"), lambda chunk: chunk.path.startswith("shop/")),
    (Filters(directory="./web/src/"), lambda chunk: chunk.path.startswith("web/src/")),
    (Filters(chunk_types=("method",)), lambda chunk: chunk.kind == "method"),
    (Filters(source_types=("markdown",)), lambda chunk: chunk.source_type == "markdown"),
    (Filters(file_patterns=("*.ts",)), lambda chunk: chunk.path.endswith(".ts")),
    (Filters(file_patterns=("web/**/*.ts", "*.md")), lambda chunk: chunk.path.endswith((".ts", ".md"))),
    (Filters(tests=True), lambda chunk: chunk.path.startswith("tests/")),
    (Filters(tests=False), lambda chunk: not chunk.path.startswith("tests/")),
    (Filters(repo_id="another"), lambda chunk: False),
    (
        Filters(directory="shop", chunk_types=("class",)),
        lambda chunk: chunk.path.startswith("shop/") and chunk.kind == "class",
    ),
]


@pytest.fixture(scope="session")
def searcher(store: SqliteStore, embedder: Embedder) -> HybridSearcher:
    return HybridSearcher(store, embedder)


def search(searcher: HybridSearcher, filters: Filters) -> dict[str, RankedList]:
    return {
        ranked_list.signal: ranked_list
        for ranked_list in searcher.search(read_query(QUERY), filters, pool_size=EVERYTHING)
    }


def chunks(store: SqliteStore, ranked_list: RankedList) -> Sequence[StoredChunk]:
    return store.chunks([hit.chunk_id for hit in ranked_list.hits])


@pytest.mark.parametrize("signal", SIGNALS)
def test_without_filters_every_signal_speaks(searcher: HybridSearcher, signal: str) -> None:
    assert search(searcher, Filters())[signal].hits


@pytest.mark.parametrize("signal", SIGNALS)
@pytest.mark.parametrize(("filters", "allows"), CASES)
def test_a_signal_gives_just_what_the_filters_allow_in_its_own_order(
    searcher: HybridSearcher, store: SqliteStore, filters: Filters, allows: Callable[[StoredChunk], bool], signal: str
) -> None:
    whole = chunks(store, search(searcher, Filters())[signal])
    allowed = chunks(store, search(searcher, filters)[signal])
    assert [chunk.id for chunk in allowed] == [chunk.id for chunk in whole if allows(chunk)]


@pytest.mark.parametrize("signal", SIGNALS)
def test_filters_come_before_the_limit(searcher: HybridSearcher, signal: str) -> None:
    narrow = Filters(file_patterns=("web/src/*",))
    lists = {ranked_list.signal: ranked_list for ranked_list in searcher.search(read_query(QUERY), narrow, pool_size=1)}
    first = search(searcher, narrow)[signal].hits[:1]
    assert lists[signal].hits[:1] == first
    # Vectors and words have an opinion on the hits of the others too.
    assert len(lists[signal].hits) == 1 or signal in ("vector", "words")
    ids_of_others = {hit.chunk_id for name, ranked_list in lists.items() if name != signal for hit in ranked_list.hits}
    assert {hit.chunk_id for hit in lists[signal].hits[1:]} <= ids_of_others


def test_what_the_others_find_is_scored_by_words_as_if_words_had_found_it(searcher: HybridSearcher) -> None:
    whole = {hit.chunk_id: hit.score for hit in search(searcher, Filters())["words"].hits}
    lists = {
        ranked_list.signal: ranked_list for ranked_list in searcher.search(read_query(QUERY), Filters(), pool_size=2)
    }
    hits = lists["words"].hits
    assert len(hits) > 2
    assert {hit.chunk_id: hit.score for hit in hits}.items() <= whole.items()
    ids_of_others = {hit.chunk_id for name, ranked_list in lists.items() if name != "words" for hit in ranked_list.hits}
    assert {chunk_id for chunk_id in ids_of_others if chunk_id in whole} <= {hit.chunk_id for hit in hits}


@pytest.mark.parametrize("signal", SIGNALS)
def test_a_ranked_list_holds_each_chunk_once_best_first(searcher: HybridSearcher, signal: str) -> None:
    hits = search(searcher, Filters())[signal].hits
    assert len({hit.chunk_id for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_keyword_only_is_the_same_without_vectors(store: SqliteStore, embedder: Embedder) -> None:
    query = read_query(QUERY)
    whole = HybridSearcher(store, embedder).search(query, Filters(), pool_size=EVERYTHING)
    keyword_only = HybridSearcher(store, None).search(query, Filters(), pool_size=EVERYTHING)
    assert keyword_only == [ranked_list for ranked_list in whole if ranked_list.signal != "vector"]


def test_a_substring_is_verified_in_the_text(searcher: HybridSearcher, store: SqliteStore) -> None:
    lists = searcher.search(read_query("'insert into orders'"), Filters(), pool_size=EVERYTHING)
    (quoted,) = (ranked_list for ranked_list in lists if ranked_list.signal == "quoted")
    texts = store.chunk_texts(chunks(store, quoted))
    assert texts
    assert all("insert into orders" in text for text in texts)


def test_a_message_without_quotes_is_looked_for_as_written(searcher: HybridSearcher, store: SqliteStore) -> None:
    def holding(text: str) -> list[str]:
        lists = searcher.search(read_query(text), Filters(), pool_size=EVERYTHING)
        return [
            chunk.qualified_name
            for ranked_list in lists
            if ranked_list.signal == "quoted"
            for chunk in chunks(store, ranked_list)
        ]

    assert holding("insert into orders values.") == holding("'insert into orders values'") != []
    assert holding("insert values into orders") == []


def test_a_defined_name_is_looked_for_as_a_word_and_a_part_of_a_name_by_its_letters(
    searcher: HybridSearcher, store: SqliteStore
) -> None:
    def texts_for(name: str) -> list[str]:
        lists = searcher.search(read_query(name), Filters(), pool_size=EVERYTHING)
        (trigram,) = (ranked_list for ranked_list in lists if ranked_list.signal == "trigram")
        return store.chunk_texts(chunks(store, trigram))

    defined, part = texts_for("place_order"), texts_for("place_ord")
    assert all("place_order" in text for text in (*defined, *part))
    assert len(defined) == len(part) > 0


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=())),
        st.text(alphabet="\"'*():^-+ANDORNEAR{}[]\\%_ cart\0"),
    )
)
def test_any_text_is_answered(store: SqliteStore, embedder: Embedder, text: str) -> None:
    results = CodeRetriever(store, embedder).retrieve(text, limit=3)
    assert len(results) <= 3
    assert [result.score for result in results] == sorted((result.score for result in results), reverse=True)


@pytest.mark.slow
def test_who_names_a_class_means_the_class_and_not_its_constructor(tmp_path: Path) -> None:
    text = (
        "class Parcel {\n    private int weight;\n\n    Parcel(int weight) {\n        this.weight = weight;\n    }\n}\n"
    )
    (tmp_path / "Parcel.java").write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        (ranked_list,) = (
            hits
            for hits in HybridSearcher(indexer.store, None).search(read_query("Parcel"), Filters(), pool_size=9)
            if hits.signal == "definition"
        )
        assert [chunk.kind for chunk in indexer.store.chunks([hit.chunk_id for hit in ranked_list.hits])] == [
            "class",
            "method",
        ]
        assert [hit.score for hit in ranked_list.hits] == [NAME_ALONE, NAME_ALONE / 2]


@pytest.mark.slow
def test_what_has_the_name_that_is_all_of_a_query_comes_first(tmp_path: Path) -> None:
    texts = {
        "params.py": "class Depends:\n    use_cache = True\n    scope = None\n    dependency = None\n",
        "functions.py": "from params import Depends as Made\n\n\ndef Depends(dependency):\n    return Made()\n",
        "dependencies/depends.py": "def of(depends):\n    depends.depend()\n    return depends or depends.depends\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        first = [result.qualified_name for result in indexer.retrieve("Depends", limit=2)]
    assert set(first) == {"params.Depends", "functions.Depends"}


@pytest.mark.slow
def test_who_names_a_function_means_it_and_not_the_file_named_for_it(tmp_path: Path) -> None:
    text = "import { keys } from './keys.js';\n\nexport default function mergeConfig(one) {\n  return keys(one);\n}\n"
    (tmp_path / "mergeConfig.js").write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        assert indexer.retrieve("mergeConfig", limit=1)[0].type == "function"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("store.py", "def open_read_only(path):\n    return path\n\n\ndef open_readonly(path):\n    return path\n"),
        ("store.rs", "fn open_read_only(path: &str) {}\n\nfn open_readonly(path: &str) {}\n"),
        ("store.rb", "def open_read_only(path)\n  path\nend\n\ndef open_readonly(path)\n  path\nend\n"),
    ],
)
@pytest.mark.parametrize("query", ["readonly", "read only"])
def test_a_compound_and_its_words_find_each_other(tmp_path: Path, path: str, code: str, query: str) -> None:
    (tmp_path / path).write_text(code, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        names = {result.name for result in indexer.retrieve_by_keyword(query)}
    assert names >= {"open_read_only", "open_readonly"}


def test_only_a_text_of_few_words_has_compounds() -> None:
    assert read_query("mutex").terms == ("mutex",)
    assert read_query("readonly").terms == ("readonly", "rea donly", "read only", "reado nly")
    assert read_query("read only").terms == ("read", "only", "readonly")
    assert "readonlystore" not in read_query("the read only store").terms
