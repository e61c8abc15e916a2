"""Ranking files: evidence adds up, penalties and boosts are named, one file does not fill the list."""

import pytest

from code_graph_indexer.retrieval import Fused, RankedList, Reranker, fuse_by_rank, fuse_by_score, read_query
from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.retrieval.rerank import (
    FOLDER_BOOST,
    PENALTIES,
    REPEAT_PENALTY,
    RRF_FOLDER_BOOST,
    RRF_PENALTIES,
    STEM_BOOST,
)
from code_graph_indexer.storage import Hit
from code_graph_indexer.types import StoredChunk

MARKED = [
    ({"mark": "test"}, "test", PENALTIES["test"]),
    ({"mark": "example"}, "example", PENALTIES["example"]),
    ({"mark": "generated"}, "generated", PENALTIES["generated"]),
    ({"mark": "vendored"}, "vendored", PENALTIES["vendored"]),
    ({"source_type": "text"}, "text", PENALTIES["text"]),
    ({"source_type": "markdown"}, "text", PENALTIES["text"]),
    ({"path": "lib/a.py"}, "folder", FOLDER_BOOST),
]


def stored(
    number: int = 1, file: int = 1, *, path: str = "src/a.py", mark: str = "", source_type: str = "code"
) -> StoredChunk:
    marks = [mark == one for one in ("test", "example", "generated", "vendored")]
    names = ("function", "f", "a.f", "def f()", "")
    return StoredChunk(number, file, None, *names, 0, 9, 1, 2, 1, 2, path, "python", source_type, "", *marks)


def words(*scores: float) -> list[RankedList]:
    """Make the words signal of chunks 1, 2, 3, …"""
    return [RankedList("words", tuple(Hit(number, score) for number, score in enumerate(scores, 1)))]


def ranked(
    lists: list[RankedList], chunks: list[StoredChunk], text: str = "f", folders: tuple[str, ...] = ()
) -> list[Fused]:
    known = {one.id: one for one in chunks}
    return Reranker().rank(fuse_by_score(lists), lists, known, read_query(text), folders)


@pytest.mark.parametrize(("chunk", "name", "value"), MARKED)
def test_a_term_is_named_and_adds_to_the_score(chunk: dict[str, str], name: str, value: float) -> None:
    (plain,) = ranked(words(1.0), [stored()])
    (marked,) = ranked(words(1.0), [stored(**chunk)], folders=("lib/",))  # type: ignore[arg-type]
    assert marked.score == pytest.approx(plain.score + value)
    assert [one.contribution for one in marked.signals if one.signal == name] == [value]


@pytest.mark.parametrize(("chunk", "name", "_"), MARKED)
def test_under_rank_fusion_it_multiplies(chunk: dict[str, str], name: str, _: float) -> None:
    fused = fuse_by_rank(words(1.0), k=60)
    (weighed,) = Reranker().weigh(fused, {1: stored(**chunk)}, read_query("f"), ["lib"])  # type: ignore[arg-type]
    factor = RRF_PENALTIES.get(name, RRF_FOLDER_BOOST)
    assert weighed.score == pytest.approx(fused[0].score * factor)
    assert [(one.signal, one.score) for one in weighed.signals if one.rank == 0] == [(name, factor)]


def test_a_query_about_tests_does_not_hold_them_back() -> None:
    (found,) = ranked(words(1.0), [stored(mark="test")], "tests of f")
    assert "test" not in {one.signal for one in found.signals}


def test_a_preferred_folder_is_a_whole_folder() -> None:
    (found,) = ranked(words(1.0), [stored(path="library/a.py")], folders=("lib",))
    assert "folder" not in {one.signal for one in found.signals}


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        ("src/router.py", "how are routes matched", True),
        ("src/router.py", "how are requests matched", False),
        ("src/url_parser.py", "parsing of urls", True),
        ("src/url_parser.py", "parsing of dates", False),
        ("session/index.ts", "a session that expires", True),
        ("index.ts", "the index of a page", True),
    ],
)
def test_a_file_that_the_query_names_comes_up(path: str, text: str, named: bool) -> None:
    (found,) = ranked(words(1.0), [stored(path=path)], text)
    assert [one.contribution for one in found.signals if one.signal == "stem"] == [STEM_BOOST] * named


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("format", "formatter", True),
        ("routing", "route", True),
        ("url", "urls", True),
        ("auth", "authenticate", True),
        ("car", "carpenter", False),
        ("index", "indent", False),
        ("a", "b", False),
    ],
)
def test_forms_of_a_word(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same
    assert same_word(other, one) is same


def test_evidence_spread_over_a_file_adds_up() -> None:
    chunks = [stored(1, 1), stored(2, 2, path="src/b.py"), stored(3, 2, path="src/b.py"), stored(4, 2, path="src/b.py")]
    found = ranked(words(1.0, 0.97, 0.96, 0.95), chunks, "zzz")
    assert found[0].chunk_id == 2


def test_the_signals_of_a_file_may_come_from_several_of_its_chunks() -> None:
    lists = [*words(1.0, 0.1), RankedList("vector", (Hit(2, 0.9), Hit(1, 0.1)))]
    found = ranked(lists, [stored(1), stored(2)], "zzz")
    assert found[0].chunk_id == 2
    assert {one.signal: one.score for one in found[0].signals if one.rank} == {"words": 1.0, "vector": 0.9}


def test_one_file_does_not_fill_the_list_but_its_strong_chunks_show() -> None:
    chunks = [
        *(stored(number, 1) for number in range(1, 6)),
        *(stored(number, number, path="b.py") for number in range(6, 9)),
    ]
    found = ranked([*words(*(1.0 - number / 100 for number in range(8)))], chunks, "zzz")
    assert [chunks[one.chunk_id - 1].file_id for one in found[:4]] == [1, 6, 7, 8]
    strong = [*words(1.0, 0.95, 0.01), RankedList("vector", (Hit(1, 1.0), Hit(2, 0.95)))]
    chunks = [stored(1), stored(2), stored(3, 3, path="b.py")]
    assert [one.chunk_id for one in ranked(strong, chunks, "zzz")] == [1, 2, 3]
    (repeat,) = (part for part in ranked(strong, chunks, "zzz")[1].signals if part.signal == "repeat")
    assert repeat.contribution == REPEAT_PENALTY


def test_scores_fall_and_are_the_sum_of_their_terms() -> None:
    chunks = [stored(number, number % 3, mark="test" if number % 3 else "") for number in range(1, 12)]
    found = ranked(words(*(1 / number for number in range(1, 12))), chunks)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert one.score == pytest.approx(sum(part.contribution for part in one.signals))
