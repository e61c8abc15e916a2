"""Words, substrings and vectors answer exactly, whatever is asked."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.results import Filters
from code_graph_indexer.storage import sqlite, sqlite_writer
from code_graph_indexer.storage.arrays import Hit, Hits, are_in, distinct
from code_graph_indexer.storage.scores import USUAL_SIZE, WORD_WEIGHTS, length_factor, match_offsets
from code_graph_indexer.storage.sql import MAX_UNION
from code_graph_indexer.storage.sqlite import MATCHES_KEPT, WORD_COLUMNS, SqliteStore
from code_graph_indexer.storage.store import TRAIT_ROWS
from code_graph_indexer.storage.vectors import VectorTable, rotated
from code_graph_indexer.words import query_words
from tests.indexing.edits import START
from tests.indexing.repository import index, opened, raw, write_tree
from tests.storage.conftest import LANGUAGES, ODD

pytestmark = pytest.mark.slow

EVERYTHING = 100_000
TEXT = "\n".join([*LANGUAGES.values(), *ODD.values()])
ANY_TEXT = st.text(st.characters(), max_size=60)
PIECES = [*"\"'*^:()-+{}\0", "NEAR", "AND", "OR", "NOT", "a", "save", "name:"]
SYNTAX = st.lists(st.sampled_from(PIECES)).map(" ".join)


@settings(deadline=None, max_examples=200)
@given(ANY_TEXT | SYNTAX)
@example("\udcff")
@example('"')
@example("a\0b")
def test_no_text_breaks_a_search(store: SqliteStore, text: str) -> None:
    for terms in (query_words(text), [text], text.split(" ")):
        assert len(store.words(terms, Filters(), 5)) <= 5
    assert len(store.substrings(text, Filters(), 5)) <= 5
    assert isinstance(store.symbols([text]), list)


def ranks_by_fts5(db: Path, expression: str) -> list[Hit]:
    """Return the chunks that match, by id, with the score that SQLite itself gives to all words together."""
    weights = ", ".join(str(WORD_WEIGHTS[column]) for column in WORD_COLUMNS)
    with raw(db) as connection:
        sql = f"select rowid, -bm25(words, {weights}) from words where words match ?"
        return sorted(Hit(*row) for row in connection.execute(sql, (expression,)))


@pytest.mark.parametrize("most", [0, MATCHES_KEPT])
def test_cached_matches_of_words_score_as_all_words_together(
    store: SqliteStore, db: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(sqlite, "MATCHES_KEPT", most)
    words, everything = ['"save"', '"load"', '"total"'], ranks_by_fts5(db, '"save" OR "load" OR "total"')
    python = Filters(languages=("python",))
    for filters in (Filters(), python, Filters()):
        ids, scores = store._word_matches(words, filters, EVERYTHING, only_names=False)
        allowed = store.allowed([hit.chunk_id for hit in everything], filters)
        assert list(map(Hit, ids.tolist(), scores.tolist())) == [hit for hit in everything if hit.chunk_id in allowed]
    # A list that was cut lacks what the filters allow behind it.
    assert len(store._word_matches(words[:1], python, 1, only_names=False)[0]) == 1


@pytest.mark.parametrize("gathered", [1, 7, 100_000])
def test_how_many_rows_are_gathered_changes_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gathered: int
) -> None:
    def answers(db: Path) -> list[Hits]:
        index(root, db, spec="hashing")
        with opened(db) as store:
            vector = create_embedder("hashing").embed("save what was loaded")
            return [
                store.words(["load", "save"], Filters(), EVERYTHING),
                store.substrings("save", Filters(), EVERYTHING),
                store.nearest(vector, Filters(), EVERYTHING),
            ]

    root = write_tree(tmp_path / "repo", START)
    usual = answers(tmp_path / "usual.db")
    monkeypatch.setattr(sqlite_writer, "SEARCH_ROWS", gathered)
    assert all(usual)
    assert answers(tmp_path / "other.db") == usual


@settings(deadline=None, max_examples=100)
@given(start=st.integers(0, len(TEXT) - 1), size=st.integers(1, 30))
def test_a_substring_is_found_wherever_it_stands(store: SqliteStore, start: int, size: int) -> None:
    substring = TEXT[start : start + size].strip()
    hits = store.substrings(substring, Filters(), EVERYTHING)
    expected = set()
    for path, text in ODD.items() | LANGUAGES.items():
        chunks = store.file_chunks(path)
        expected |= {
            chunk.id
            for chunk, text_of_chunk in zip(chunks, store.chunk_texts(chunks), strict=True)
            if substring in text_of_chunk
        }
        assert "".join(store.chunk_texts(chunks)) == text
    ids = {hit.chunk_id for hit in hits}
    if has_long_token(substring):
        assert expected <= ids
    for chunk in store.chunks(sorted(ids)):
        assert substring.lower() in store.chunk_texts([chunk])[0].lower()


def has_long_token(text: str) -> bool:
    """Say whether some token inside the text, whole or cut, has a trigram."""
    return any(
        len(part) >= 3 for part in "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
    )


def test_a_substring_as_written_goes_before_one_in_other_case(store: SqliteStore) -> None:
    chunks = store.chunks([hit.chunk_id for hit in store.substrings("FooBarBaz", Filters(), 10)])
    assert chunks[0].path == "odd/text.txt"


@pytest.mark.parametrize("text", ["straße", "NAÏVE", "façade", "文件名", "foo.bar_baz", "BarB", "deadbeef", "b2c3d4"])
def test_substrings_fold_case_and_know_any_script(store: SqliteStore, text: str) -> None:
    hits = store.substrings(text, Filters(), 10)
    assert "odd/text.txt" in {chunk.path for chunk in store.chunks([hit.chunk_id for hit in hits])}


@pytest.mark.parametrize("text", ["", " ", "ab", "a.b", "()", "ab cd"])
def test_what_has_no_three_letters_finds_nothing_by_substring(store: SqliteStore, text: str) -> None:
    assert store.substrings(text, Filters(), 10) == []


@pytest.mark.parametrize("text", ["naive", "facade", "bar", "foo bar baz", "foobarbaz", "0xdeadbeef", "a1b2c3d4e5f6"])
def test_words_know_parts_of_identifiers_and_plain_letters(store: SqliteStore, text: str) -> None:
    hits = store.words(query_words(text), Filters(), 50)
    paths = {chunk.path for chunk in store.chunks([hit.chunk_id for hit in hits])}
    assert "odd/text.txt" in paths


def vectors_of(store: SqliteStore) -> tuple[list[int], NDArray[np.float32]]:
    ids = [
        chunk.id
        for file in store.files()
        for chunk in store.file_chunks(file.path)
        if chunk.end_byte > chunk.start_byte
    ]
    packed = store.vectors_of(ids)
    rows = np.array([np.frombuffer(packed[chunk_id], dtype=np.int8) for chunk_id in ids]).astype(np.float32)
    return ids, rows / np.linalg.norm(rows, axis=1, keepdims=True)


def queries(store: SqliteStore) -> list[NDArray[np.float32]]:
    rng = np.random.default_rng(7)
    _, matrix = vectors_of(store)
    noise = rng.standard_normal((5, matrix.shape[1])).astype(np.float32)
    picked = matrix[rng.integers(0, len(matrix), 5)]
    return [vector / np.linalg.norm(vector) for vector in (*noise, *picked, *(picked + noise / 20))]


@pytest.mark.parametrize("limit", [1, 5, 39, 10_000])
@pytest.mark.parametrize(
    "filters",
    [Filters(), Filters(languages=("python", "go")), Filters(directory="app"), Filters(languages=("none",))],
)
def test_nearest_is_what_numpy_finds_by_brute_force(store: SqliteStore, filters: Filters, limit: int) -> None:
    ids, matrix = vectors_of(store)
    allowed = allowed_ids(store, ids, filters)
    for query in queries(store):
        scores = matrix @ rotated(query)
        ranked = sorted(
            (
                (chunk_id, float(score))
                for chunk_id, score in zip(ids, scores, strict=True)
                if chunk_id in allowed and score > 0
            ),
            key=lambda pair: (-pair[1], pair[0]),
        )
        hits = store.nearest(query, filters, limit)
        assert [hit.score for hit in hits] == pytest.approx([score for _, score in ranked[:limit]], abs=1e-5)
        assert {hit.chunk_id for hit in hits} <= allowed
        assert same_but_for_ties([(hit.chunk_id, hit.score) for hit in hits], ranked[:limit])


def allowed_ids(store: SqliteStore, ids: list[int], filters: Filters) -> set[int]:
    chunks = store.chunks(ids)
    return {
        chunk.id
        for chunk in chunks
        if (not filters.languages or chunk.language in filters.languages)
        and (not filters.directory or chunk.path.startswith(f"{filters.directory}/"))
    }


def same_but_for_ties(ranking: list[tuple[int, float]], expected: list[tuple[int, float]]) -> bool:
    """Compare two rankings where scores closer than the noise of float32 may stand in either order."""
    by_rank = zip(ranking, expected, strict=True)
    return all(
        chunk_id == expected_id or abs(score - expected_score) < 1e-4
        for (chunk_id, score), (expected_id, expected_score) in by_rank
    )


@pytest.mark.parametrize("text", ["def save(self): return", "SELF): RETURN", "(value, again) ", "one two three"])
def test_a_phrase_is_found_by_its_inner_words(tmp_path: Path, text: str) -> None:
    files = {f"f{number}.txt": f"one twos three {number}\nOne Two\tThree\n" for number in range(3)}
    write_tree(tmp_path, {**files, "a.txt": "x (value, again) y", "b.py": "class A:\n    def save(self): return 1\n"})
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        store = indexer.store
        expected = {
            chunk.id
            for file in store.files()
            for chunk in store.file_chunks(file.path)
            if text.lower() in store.chunk_texts([chunk])[0].lower()
        }
        assert set(store.substrings(text, Filters(), 10).ids.tolist()) == expected


@pytest.mark.parametrize("text", ["bar", "BAR", "stra\u00dfe", "\u0130bar", "a\u0130"])
def test_a_match_is_where_the_text_has_it_in_any_case(text: str) -> None:
    # The capital dotted I has two letters in lower case.
    for whole in ("foo Bar bar", "naïve STRAßE bar", "x \u0130bar y", "Ba\u0130 bar"):
        encoded = whole.encode()
        starts = [
            offset for offset in range(len(encoded)) if encoded[offset:].lower().startswith(text.lower().encode())
        ]
        assert set(match_offsets(text, encoded)) >= set(starts)
        if whole.isascii():
            assert match_offsets(text, encoded) == starts


def test_equal_scores_are_ranked_by_id_at_every_limit(store: SqliteStore) -> None:
    twins = [chunk.id for chunk in store.file_chunks("twins.txt")]
    embedder = create_embedder(store.meta()["embedder"])
    vector = embedder.embed(f"twins.txt twins\n{store.chunk_texts(store.chunks(twins[:1]))[0]}")
    whole = store.nearest(vector, Filters(), 1_000)
    assert {hit.chunk_id for hit in whole[: len(twins)]} == set(twins)
    assert whole == sorted(whole, key=lambda hit: (-hit.score, hit.chunk_id))
    for limit in range(1, len(twins)):
        assert store.nearest(vector, Filters(), limit) == whole[:limit]


@pytest.mark.parametrize("shortlist", [5, 1_000])
def test_every_question_of_a_process_ranks_vectors_alike(
    db: Path, monkeypatch: pytest.MonkeyPatch, shortlist: int
) -> None:
    monkeypatch.setitem(VectorTable.__init__.__kwdefaults__ or {}, "shortlist", shortlist)
    # The first question reads what it needs, the second reads all vectors into memory.
    with closing(SqliteStore(db)) as store, closing(SqliteStore(db)) as fresh:
        ids, packed = fresh.packed_vectors()
        table = VectorTable.of(ids, packed, shortlist=shortlist)
        for query in queries(fresh):
            expected = table.nearest(query, 5)
            assert store.nearest(query, Filters(), 5) == expected
            assert store.similar(query, ids[:30]) == table.similar(query, ids[:30])


def test_a_word_that_is_everywhere_gives_way_to_rarer_ones(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere, rare = "return", "facade"
    assert store.word_counts([everywhere]).having[everywhere] > 3
    monkeypatch.setattr("code_graph_indexer.storage.store.MATCH_LIMIT", 3)
    hits = store.words([everywhere, rare], Filters(), EVERYTHING)
    assert hits
    assert hits == store.words([rare], Filters(), EVERYTHING)
    assert 0 < len(store.words([everywhere], Filters(), EVERYTHING)) <= 3


def test_a_word_that_is_everywhere_alone_is_looked_for_in_names(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids_of_names = {
        symbol.chunk_id for symbol in store.symbols([name for name in store.symbol_names() if "sav" in name.lower()])
    }
    monkeypatch.setattr("code_graph_indexer.storage.store.MATCH_LIMIT", len(ids_of_names))
    assert {hit.chunk_id for hit in store.words(["save"], Filters(), EVERYTHING)} <= ids_of_names


def test_edges_of_many_chunks_are_those_of_each(store: SqliteStore) -> None:
    ids = [chunk.id for file in store.files() for chunk in store.file_chunks(file.path)]
    assert len(ids) > MAX_UNION
    for ends_of in (store.callers_of, store.callees_of):
        together = ends_of(ids, 5)
        assert together
        assert together == [end for chunk_id in ids for end in ends_of([chunk_id], 5)]


def test_length_counts_less_than_in_plain_bm25_and_nothing_for_the_usual_chunk() -> None:
    factors = length_factor(np.array([0, 100, USUAL_SIZE, 2_000, 10_000])).tolist()
    assert factors == sorted(factors)
    assert factors[0] < factors[2] == 1 < factors[-1]


def test_declarations_of_what_another_chunk_defines_and_tests_among_code_are_marked(tmp_path: Path) -> None:
    files = {
        "list.h": "int list_size(struct list *l);\n\nint list_only_declared(void);\n",
        "list.c": "int list_size(struct list *l) {\n    return l->size;\n}\n",
        "list.rs": "fn first() -> u8 {\n    1\n}\n\nmod tests {\n    fn is_empty_at_first() {\n        first();\n    }\n}\n",
    }
    index(write_tree(tmp_path / "tree", files), tmp_path / "index.db")
    with opened(tmp_path / "index.db") as opened_store:
        chunks = [chunk for path in files for chunk in opened_store.file_chunks(path)]
        marks = opened_store.chunk_marks([chunk.id for chunk in chunks])
        marked = [(chunk.path, chunk.name, marks[chunk.id]) for chunk in chunks if chunk.id in marks]
        assert {path for path, _, mark in marked if mark == "module"} == {"list.h", "list.c", "list.rs"}
        assert [entry for entry in marked if entry[2] != "module"] == [
            ("list.h", "list_size", "declaration"),
            ("list.rs", "tests", "test"),
            ("list.rs", "is_empty_at_first", "test"),
        ]


def test_cached_traits_of_chunks_are_those_that_are_read(store: SqliteStore, db: Path) -> None:
    chunks = [chunk for file in store.files() for chunk in store.file_chunks(file.path)]
    ids = np.array([chunk.id for chunk in chunks])
    # Those of the same row of the table drive each other out.
    asked_ids = np.concatenate([ids, [0, -5, 10**15], ids + TRAIT_ROWS, ids[::-1]])
    with opened(db) as fresh:
        for _ in range(2):
            traits = fresh.traits_of(asked_ids)
            assert traits["id"].tolist() == [*ids.tolist(), *[0] * (3 + len(ids)), *ids[::-1].tolist()]
            assert traits["file_id"][: len(ids)].tolist() == [chunk.file_id for chunk in chunks]
            assert traits["size"][: len(ids)].tolist() == [chunk.end_byte - chunk.start_byte for chunk in chunks]
            assert not traits["file_id"][len(ids) : -len(ids)].any()


def test_hits_are_a_sequence_best_first() -> None:
    hits = Hits.best([(3, 0.5), (1, 0.0), (4, 2.0), (2, 0.5), (5, -1.0)], 3)
    assert list(hits) == [Hit(4, 2.0), Hit(2, 0.5), Hit(3, 0.5)]
    assert hits[1] == Hit(2, 0.5)
    assert hits[:1].then(hits[2:]) == [Hit(4, 2.0), Hit(3, 0.5)]
    assert hits != hits[:2]
    assert not Hits.best([], 3)


@given(st.lists(st.integers(-9, 9)), st.lists(st.integers(-9, 9)))
def test_ids_are_told_apart_and_found_among_others(numbers: list[int], members: list[int]) -> None:
    ids, within = np.array(numbers, np.int64), distinct(np.array(members, np.int64))
    assert within.tolist() == sorted(set(members))
    assert are_in(ids, within).tolist() == [number in members for number in numbers]


class RecordingStore(SqliteStore):
    """A store that notes the statements it runs."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self.statements = [*getattr(self, "statements", []), (sql, values)]
        return super().rows(sql, values)


def test_traits_of_a_few_chunks_do_not_read_all_chunks(db: Path) -> None:
    store = RecordingStore(db)
    try:
        store.traits_of(np.array([1], np.int64))
        sql, values = store.statements[-1]
    finally:
        store.close()
    with raw(db) as connection:
        plan = [str(row[3]) for row in connection.execute(f"explain query plan {sql}", values)]
    assert plan
    assert not [step for step in plan if step.startswith("SCAN") and "json_each" not in step]


@pytest.mark.slow
def test_a_substring_of_common_trigrams_is_found_among_many_files(tmp_path: Path) -> None:
    # Each has the five rarest trigrams of `default_alias`, but not the text.
    decoys = {f"decoy{number}.txt": "result_x, set_all, alias\n" for number in range(450)}
    common = {f"common{number}.txt": "default\n" for number in range(600)}
    write_tree(tmp_path, {**common, **decoys, "named.py": "def named():\n    return default_alias\n"})
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        # The second is a part of a word, which no list of words holds.
        for text in ("default_alias", "fault_alias"):
            hits = indexer.store.substrings(text, Filters(), 10)
            (chunk,) = indexer.store.chunks(hits.ids.tolist())
            assert chunk.name == "named"
