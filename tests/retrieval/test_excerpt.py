"""Of a long result, the beginning is shown and the lines that hold the query's words."""

from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.retrieval.excerpt import HEAD_LINES, excerpt

LINES = [f"line {number}" for number in range(40)]


def test_what_is_short_is_shown_whole_without_blank_lines_before_it() -> None:
    assert excerpt(["", " ", "a", "b"], "zebra", 12) == [2, 3]


def test_the_lines_with_most_words_stand_behind_the_beginning() -> None:
    lines = [*LINES[:20], 'raise Refused("the zebra is not striped")', *LINES[20:]]
    lines_shown = excerpt(lines, "zebra striped", 12)
    assert lines_shown[:HEAD_LINES] == [0, 1, 2]
    assert len(lines_shown) == 12
    assert lines_shown[HEAD_LINES + 2] < 20 < lines_shown[-2]


def test_other_forms_of_a_word_count_and_words_that_are_everywhere_do_not() -> None:
    lines = [*LINES[:30], "def stripe(): ...", *LINES[30:]]
    assert 30 in excerpt(lines, "which line has stripes", 12)


def test_the_beginning_suffices_where_it_holds_as_many() -> None:
    lines = ["zebra", *LINES[:20], "zebra", *LINES[20:]]
    assert excerpt(lines, "zebra", 12) == list(range(12))
    assert excerpt(LINES, "", 12) == list(range(12))


@given(
    st.lists(st.sampled_from(["", "a zebra", "two stripes", "three"]), max_size=40),
    st.sampled_from(["zebra", "zebra stripes", ""]),
    st.integers(1, 15),
)
def test_lines_ascend_and_are_at_most_so_many(lines: list[str], query: str, limit: int) -> None:
    lines_shown = excerpt(lines, query, limit)
    assert lines_shown == sorted(set(lines_shown))
    assert len(lines_shown) <= limit
    assert all(0 <= place < len(lines) for place in lines_shown)
    assert bool(lines_shown) == bool(lines)
