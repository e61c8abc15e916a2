"""A pasted diff: which lines of the index it changes, whichever version the index has."""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import UsageError
from code_graph_indexer.graph.patch import Lines, hunks_of, impact_of_lines, lines_of

PATH = "shop/cart.py"


@pytest.fixture(scope="module")
def shop_index(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as indexer:
        yield indexer


@pytest.fixture
def source(shop_index: CodeIndexer) -> list[str]:
    text = shop_index.store.file_text(PATH)
    assert text is not None
    return text.decode().splitlines(keepends=True)


def diff(before: list[str], after: list[str], path: str = PATH) -> str:
    return "".join(unified_diff(before, after, f"a/{path}", f"b/{path}"))


def test_a_diff_is_placed_before_and_after_it_was_applied(shop_index: CodeIndexer, source: list[str]) -> None:
    edited = [*source[:23], "        # another line\n", *source[24:]]
    assert lines_of(shop_index.store, diff(source, edited)) == [Lines(PATH, 24, 24)]
    assert lines_of(shop_index.store, diff(edited, source)) == [Lines(PATH, 24, 24)]
    added = [*source[:23], "        # another line\n", *source[23:]]
    assert lines_of(shop_index.store, diff(source, added)) == [Lines(PATH, 23, 23)]


def test_a_hunk_that_moved_is_found_and_one_of_another_version_is_not_guessed(
    shop_index: CodeIndexer, source: list[str]
) -> None:
    moved = ["\n"] * 7 + source
    assert lines_of(shop_index.store, diff(moved, [*moved[:30], "x\n", *moved[31:]])) == [Lines(PATH, 24, 24)]
    assert lines_of(shop_index.store, diff(["x\n"], ["y\n"])) == [Lines(PATH)]
    assert lines_of(shop_index.store, diff(["x\n"], ["y\n"], "no.py")) == [Lines("no.py")]


def test_the_innermost_definition_is_changed(shop_index: CodeIndexer) -> None:
    impact = impact_of_lines(shop_index.store, [Lines(PATH, 24, 24), Lines("no.py"), Lines(PATH, 24, 999_999_999)])
    assert [symbol.name for symbol in impact.changed][:1] == ["total"]
    assert impact.unmapped == ("no.py",)
    top = impact_of_lines(shop_index.store, [Lines(PATH, 1, 1)])
    assert [symbol.kind for symbol in top.changed] == ["module"]


@pytest.mark.parametrize(
    "text", ["", "hello", "@@ -1 +1 @@\n-a\n+b\n", "--- a/x\n+++ b/x\n" + "@@ -1 +1 @@\n-a\n+b\n" * 301]
)
def test_what_is_no_diff_or_a_long_one_is_refused(shop_index: CodeIndexer, text: str) -> None:
    with pytest.raises(UsageError, match="diff"):
        lines_of(shop_index.store, text)


def test_a_hunk_that_promises_more_lines_ends_with_the_text() -> None:
    hunks = list(hunks_of("--- a/x\n+++ b/x\n@@ -1,999999999 +1,999999999 @@\n a\n@@ -9 +9 @@\n-c\n+d"))
    assert [hunk.lines for hunk in hunks] == [(" a",), ("-c", "+d")]
