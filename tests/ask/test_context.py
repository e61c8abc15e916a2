"""Packing: in order, within the budget, no line twice, every line under its own number."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.ask.context import (
    LEAST_CUT_LINES,
    LINE_CUT_MARK,
    TAIL_LINES,
    body,
    content_lines,
    pack,
    source_tokens,
    whole_tokens,
)
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.words import estimate_tokens
from tests.ask.sources import PARSE, SPLIT, numbered_lines, related, source

PLENTY = 1_000_000

FILE = [f"line {number}" if number % 4 else "" for number in range(1, 41)]


def piece(path: str, start: int, length: int) -> RetrievedContext:
    return source(path, start, "".join(f"{line}\n" for line in FILE[start - 1 : start - 1 + length]))


pieces_of_files = st.lists(st.builds(piece, st.sampled_from("ab"), st.integers(1, 40), st.integers(1, 20)), max_size=8)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢字", 2), ("abcd漢", 2), ("\udce9", 1)]
)
def test_tokens_are_a_quarter_per_ascii_character_and_one_per_other(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_what_fits_is_given_whole_and_in_order() -> None:
    packed = pack([PARSE, SPLIT], budget=PLENTY)
    assert [(context.file_path, context.start_line, context.end_line) for context in packed] == [
        ("src/parser.py", 10, 12),
        ("src/lexer.py", 5, 6),
    ]
    assert packed[0] == PARSE


def test_lines_are_numbered_and_stand_between_header_and_neighbours() -> None:
    assert body(PARSE) == (
        "module parser\n"
        "10| def parse(text):\n"
        "11|     tokens = split(text)\n"
        "12|     return tree(tokens)\n"
        "caller: cli.main (src/cli.py:37)\n"
        "callee: lexer.split (src/lexer.py:5)"
    )


def test_only_newlines_part_lines() -> None:
    odd = source("a.py", 1, "a\x0cb\u2028c\x85d\re\n\nf\n")
    assert content_lines(odd) == ["a\x0cb\u2028c\x85d\re", "", "f"]


def test_the_last_one_is_cut_at_a_line() -> None:
    first, second = source("a.py", 1, numbered_lines(50)), source("b.py", 101, numbered_lines(50, 101))
    budget = source_tokens(first) + source_tokens(second) // 2
    packed = pack([first, second, SPLIT], budget=budget)
    assert packed[0] == first
    assert len(packed) == 2
    assert packed[1].content == numbered_lines(packed[1].end_line - 100, 101)
    assert LEAST_CUT_LINES < packed[1].end_line - 100 < 50


def test_a_piece_that_says_too_little_is_left_out() -> None:
    first, second = source("a.py", 1, numbered_lines(50)), source("b.py", 1, numbered_lines(50))
    bare = replace(second, content="")
    assert pack([first, second], budget=source_tokens(first) + source_tokens(bare) + 4) == (first,)


def test_the_first_is_given_even_if_its_first_line_is_too_long() -> None:
    (only,) = pack([source("a.js", 3, "x" * 100_000 + "\nmore\n")], budget=100)
    assert (only.start_line, only.end_line) == (3, 3)
    assert only.content.endswith(LINE_CUT_MARK)
    assert source_tokens(only) < 200


def test_neighbours_and_header_give_way_to_code() -> None:
    crowd = tuple(related("caller", f"caller_{number}", "src/a.py", 1, 1) for number in range(100))
    crowded = source("a.py", 1, numbered_lines(100), related_definitions=crowd)
    (only,) = pack([crowded], budget=500)
    assert only.related_definitions == ()
    assert only.end_line > 30


def test_a_duplicate_is_dropped() -> None:
    assert pack([PARSE, SPLIT, PARSE], budget=PLENTY) == (PARSE, SPLIT)


def test_an_enclosing_chunk_is_given_around_what_was_given() -> None:
    inner, outer = source("a.py", 11, numbered_lines(5, 11)), source("a.py", 1, numbered_lines(30))
    ranges = [(context.start_line, context.end_line) for context in pack([inner, outer], budget=PLENTY)]
    assert ranges == [(11, 15), (1, 10), (16, 30)]


def test_blocks_of_one_long_line_are_no_duplicates() -> None:
    blocks = [source("a.min.js", 1, "first();"), source("a.min.js", 1, "second();")]
    assert [context.content.strip() for context in pack(blocks, budget=PLENTY)] == ["first();", "second();"]


def test_the_same_path_in_another_repository_is_no_duplicate() -> None:
    assert len(pack([PARSE, replace(PARSE, repo_id="other")], budget=PLENTY)) == 2


def test_blank_sources_are_left_out() -> None:
    assert pack([source("a.py", 1, "\n \n"), source("b.py", 1, "")], budget=PLENTY) == ()


@given(pieces_of_files)
def test_every_line_is_given_once_and_under_its_number(pieces: list[RetrievedContext]) -> None:
    packed = pack(pieces, budget=PLENTY)
    placed = [
        (context.file_path, number, line)
        for context in packed
        for number, line in enumerate(content_lines(context), context.start_line)
    ]
    assert len(placed) == len(set(placed))
    assert all(FILE[number - 1] == line for _, number, line in placed)
    assert all(context.end_line == context.start_line + len(content_lines(context)) - 1 for context in packed)
    lines_of_pieces = {
        (piece.file_path, number) for piece in pieces for number in range(piece.start_line, piece.end_line + 1)
    }
    assert {(path, number) for path, number in lines_of_pieces if FILE[number - 1]} <= {place[:2] for place in placed}


@given(pieces_of_files, st.integers(1, 2000))
def test_the_budget_holds_for_all_but_a_first_line(pieces: list[RetrievedContext], budget: int) -> None:
    packed = pack(pieces, budget=budget)
    assert bool(packed) == any(piece.content.strip() for piece in pieces)
    assert sum(map(source_tokens, packed)) <= budget or (
        len(packed) == 1 and packed[0].end_line == packed[0].start_line
    )


@pytest.mark.parametrize(("budget", "whole"), [(500, 100), (2_000, 400), (8_000, 6_000), (100_000, 98_000)])
def test_most_of_a_small_budget_and_little_of_a_large_one_goes_to_shortened_chunks(budget: int, whole: int) -> None:
    assert whole_tokens(budget) == whole


def test_once_much_of_the_budget_is_spent_chunks_are_shortened() -> None:
    long = [source(f"m{place}.py", 1, numbered_lines(40), context_header="class C") for place in range(6)]
    packed = pack(long, budget=3 * source_tokens(long[0]))
    lines = [len(content_lines(context)) for context in packed]
    assert lines[0] == 40
    assert set(lines[2:]) == {TAIL_LINES}
    assert packed[0].context_header == "class C"
    assert {context.context_header for context in packed[2:]} == {""}
    assert all(context.end_line == context.start_line + len(content_lines(context)) - 1 for context in packed)
