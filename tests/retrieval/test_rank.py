"""Ranking files: evidence adds up, penalties and boosts are named, one file does not fill the list."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pytest

from code_graph_indexer.retrieval.fuse import Fused, fuse_by_score
from code_graph_indexer.retrieval.query import read_query, same_word
from code_graph_indexer.retrieval.rank import (
    CALLS_BOOST,
    DEPTH_PENALTY,
    FOLDER_BOOST,
    MAX_DEPTH,
    PATH_BOOST,
    PENALTIES,
    REPEAT_PENALTY,
    STEM_BOOST,
    Reranker,
)
from code_graph_indexer.retrieval.signals import SIGNALS, RankedList
from code_graph_indexer.storage import CHUNK_MARKS, ChunkFile
from code_graph_indexer.storage.arrays import CHUNK_TRAITS, Hits

MARKED = [
    *((ChunkFile(1, "src/a.py", (mark,)), mark, value) for mark, value in PENALTIES.items()),
    (ChunkFile(1, "lib/a.py"), "folder", FOLDER_BOOST),
]
PLAIN = ChunkFile(1, "src/a.py")


def words(*scores: float) -> list[RankedList]:
    """Make the words signal of chunks 1, 2, 3, …"""
    return [RankedList("words", Hits.of(enumerate(scores, 1)))]


def ranked(
    lists: list[RankedList],
    files: Sequence[ChunkFile],
    text: str = "f",
    folders: tuple[str, ...] = (),
    marks: Mapping[int, str] = MappingProxyType({}),
) -> list[Fused]:
    """Rank the chunks 1, 2, 3, … of the files given, of which some have marks of their own."""
    fused = fuse_by_score(lists)
    rows = [
        (chunk_id, files[chunk_id - 1].id, 100, CHUNK_MARKS.index(marks.get(chunk_id, "")))
        for chunk_id in fused.ids.tolist()
    ]
    files_by_id = {file.id: file for file in files}
    places = np.array(rows, CHUNK_TRAITS)
    return Reranker().rank(fused, places, files_by_id, read_query(text), folders=folders, limit=len(files))


@pytest.mark.parametrize(("file", "name", "value"), MARKED)
def test_a_term_is_named_and_adds_to_the_score(file: ChunkFile, name: str, value: float) -> None:
    (plain,) = ranked(words(1.0), [PLAIN])
    (marked,) = ranked(words(1.0), [file], folders=("lib/",))
    assert marked.score == pytest.approx(plain.score + value)
    assert [signal.contribution for signal in marked.signals if signal.signal == name] == [value]


def test_a_query_about_tests_does_not_hold_them_back() -> None:
    (hit,) = ranked(words(1.0), [ChunkFile(1, "src/a.py", ("test",))], "tests of f")
    assert "test" not in {signal.signal for signal in hit.signals}


def test_a_preferred_folder_is_a_whole_folder() -> None:
    (hit,) = ranked(words(1.0), [ChunkFile(1, "library/a.py")], folders=("lib",))
    assert "folder" not in {signal.signal for signal in hit.signals}


@pytest.mark.parametrize(
    ("path", "text", "raised"),
    [
        ("src/router.py", "how are routes matched", True),
        ("src/router.py", "how are requests matched", False),
        ("src/url_parser.py", "parsing of urls", True),
        ("src/url_parser.py", "parsing of dates", False),
        ("index.ts", "the index of a page", True),
    ],
)
def test_a_file_that_the_query_names_comes_up(path: str, text: str, raised: bool) -> None:
    (hit,) = ranked(words(1.0), [ChunkFile(1, path)], text)
    assert [signal.contribution for signal in hit.signals if signal.signal == "stem"] == [STEM_BOOST] * raised


def test_imports_stand_behind_a_definition_of_their_file_unless_a_name_is_asked_for() -> None:
    files = [ChunkFile(1, "src/a.py")] * 2
    assert ranked(words(1.0, 0.5), files, "read the signed cookie", marks={1: "module"})[0].chunk_id == 2
    assert ranked(words(1.0, 0.5), files, "SIGNED_COOKIE", marks={1: "module"})[0].chunk_id == 1


def test_a_document_stands_behind_all_code_for_a_question_unless_that_speaks_of_documents() -> None:
    files = [ChunkFile(1, "guide.md", ("text",)), ChunkFile(2, "src/a.py")]
    assert ranked(words(9.0, 0.1), files, "where is it thrown away?")[0].chunk_id == 2
    assert ranked(words(9.0, 0.1), files, "where is the guide that says what is thrown away?")[0].chunk_id == 1


def test_a_caller_of_the_best_hit_comes_up_for_a_question_in_everyday_words() -> None:
    fused = fuse_by_score(words(1.0, 0.9))
    places = np.array([(chunk_id, chunk_id, 100, 0) for chunk_id in fused.ids.tolist()], CHUNK_TRAITS)
    files = {1: ChunkFile(1, "a.py"), 2: ChunkFile(2, "b.py")}
    query = read_query("where is it thrown away?")
    first = Reranker().rank(fused, places, files, query, calls=np.array([0.0, 1.0]), limit=1)[0]
    assert first.chunk_id == 2
    assert [part.contribution for part in first.signals if part.signal == "calls"] == [CALLS_BOOST]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("format", "formatter", True),
        ("routing", "route", True),
        ("url", "urls", True),
        ("auth", "authenticate", True),
        ("car", "carpenter", False),
        ("index", "indent", False),
        ("a", "b", False),
        ("io", "io", True),
        ("io", "ion", False),
    ],
)
def test_forms_of_a_word(first: str, second: str, same: bool) -> None:
    assert same_word(first, second) is same
    assert same_word(second, first) is same


def test_evidence_spread_over_a_file_adds_up() -> None:
    hits = ranked(words(1.0, 0.97, 0.96, 0.95), [PLAIN, *[ChunkFile(2, "src/b.py")] * 3], "zzz")
    assert hits[0].chunk_id == 2


def test_the_signals_of_a_file_may_come_from_several_of_its_chunks() -> None:
    lists = [*words(1.0, 0.1), RankedList("vector", Hits.of([(2, 0.9), (1, 0.1)]))]
    hits = ranked(lists, [PLAIN, PLAIN], "zzz")
    assert hits[0].chunk_id == 2
    assert {signal.signal: signal.score for signal in hits[0].signals if signal.rank} == {"words": 1.0, "vector": 0.9}


def test_words_tell_the_chunks_of_a_file_apart() -> None:
    near = RankedList("vector", Hits.of([(1, 1.0), (2, 0.9)]))
    assert SIGNALS["vector"].by_score * 0.1 > SIGNALS["words"].by_score * 0.2
    assert ranked([*words(0.8, 1.0), near], [PLAIN, PLAIN], "zzz")[0].chunk_id == 2


def test_one_file_does_not_fill_the_list_but_its_strong_chunks_show() -> None:
    files = [*[PLAIN] * 5, *(ChunkFile(number, "b.py") for number in range(6, 9))]
    hits = ranked([*words(*(1.0 - number / 100 for number in range(8)))], files, "zzz")
    assert [files[hit.chunk_id - 1].id for hit in hits[:4]] == [1, 6, 7, 8]
    strong = [*words(1.0, 0.95, 0.01), RankedList("vector", Hits.of([(1, 1.0), (2, 0.95)]))]
    files = [PLAIN, PLAIN, ChunkFile(3, "b.py")]
    assert [hit.chunk_id for hit in ranked(strong, files, "zzz")] == [1, 2, 3]
    (repeat,) = (part for part in ranked(strong, files, "zzz")[1].signals if part.signal == "repeat")
    assert repeat.contribution == REPEAT_PENALTY


def test_a_path_counts_by_the_share_of_the_query_that_it_speaks_of() -> None:
    (hit,) = ranked(words(1.0), [ChunkFile(1, "session/cookies/store.py")], "cookie stored by whom")
    assert [signal.contribution for signal in hit.signals if signal.signal == "path"] == [
        pytest.approx(PATH_BOOST * 2 / 3)
    ]


def test_the_name_of_a_test_is_no_boost() -> None:
    (hit,) = ranked(words(1.0), [ChunkFile(1, "tests/test_store.py", ("test",))], "test of the store in tests")
    assert "stem" in {signal.signal for signal in hit.signals}
    (hit,) = ranked(words(1.0), [ChunkFile(1, "tests/store.py", ("test",))], "store")
    assert {signal.signal for signal in hit.signals} == {"words", "file", "test"}


def test_a_mere_declaration_stands_behind_what_it_declares() -> None:
    lists, declared = words(1.0, 0.9), {1: "declaration"}
    hits = ranked(lists, [ChunkFile(1, "list.h"), ChunkFile(2, "list.c")], "zzz", marks=declared)
    assert [hit.chunk_id for hit in hits] == [2, 1]
    lost = [signal.contribution for signal in hits[1].signals if signal.signal == "declaration"]
    assert lost == [PENALTIES["declaration"]]
    (first, _) = ranked(lists, [ChunkFile(1, "list.c")] * 2, "zzz", marks=declared)
    assert first.chunk_id == 2
    assert "declaration" not in {signal.signal for signal in first.signals}


def test_what_lies_deeper_than_half_of_what_was_found_loses_by_the_folder() -> None:
    paths = ["a.py", "src/b.py", "src/c.py", "src/deep/d.py", "src/deep/er/still/e.py"]
    hits = ranked(words(*[1.0] * 5), [ChunkFile(number, path) for number, path in enumerate(paths, 1)], "zzz")
    lost = {hit.chunk_id: sum(part.contribution for part in hit.signals if part.signal == "depth") for hit in hits}
    assert lost == {1: 0, 2: 0, 3: 0, 4: DEPTH_PENALTY, 5: DEPTH_PENALTY * MAX_DEPTH}


def test_scores_fall_and_are_the_sum_of_their_terms() -> None:
    files = [ChunkFile(number % 3, f"{number % 3}.py", ("test",) if number % 3 else ()) for number in range(1, 12)]
    hits = ranked(words(*(1 / number for number in range(1, 12))), files)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(sum(part.contribution for part in hit.signals))
