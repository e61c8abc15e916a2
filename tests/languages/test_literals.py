"""A text that a pattern matches has one of the pattern's literals."""

import re
from pathlib import Path

import pytest

from code_graph_indexer.languages.literals import Mark, distinct_words, literals_of
from code_graph_indexer.languages.registry import frameworks

ROOT = Path(__file__).parents[2]
MARKS = {name: framework.mark.pattern for name, framework in frameworks().items() if framework.mark}


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\btyper\b", {b"typer"}),
        (r"\bpath\(|re_path\(|handler\d{3}", {b"path(", b"handler"}),
        (r"[sS]ignals?\b|@receiver\b", {b"ignal", b"@receiver"}),
        (r"\b(?:Route|WebSocketRoute|Mount)\(", {b"Route(", b"Mount("}),
        (r"add_(?:one|two)?\(x{2}", {b"add_(", b"add_one(", b"add_two("}),
        (r"(?:abc)+def", {b"abc"}),
        (r"abcd*", {b"abc"}),
        (r"(?:abc)*xyz+w", set()),
        (r"abc|\w+", set()),
        (r"(?:abc|d)ef", {b"abcef", b"def"}),
        (r"(?:abc|\w)ef", set()),
        (r"(?i)import", set()),
        (r"def test\w*\((?!self\))", {b"def test"}),
        (r"use \\?Shop", {b"use Shop", b"use \\Shop"}),
        (r"abc)", set()),
        (r"", set()),
    ],
)
def test_the_best_literals_of_a_pattern_are_taken(pattern: str, literals: set[bytes]) -> None:
    assert set(literals_of(pattern)) == literals


def test_most_marks_of_frameworks_have_literals() -> None:
    assert sum(bool(literals_of(pattern)) for pattern in MARKS.values()) > len(MARKS) / 2


def test_a_mark_splits_its_pattern_at_the_bars_outside_of_brackets() -> None:
    mark = Mark(r"@(?:get|post)\(|[|]x|\|y|Depends\(|use \\?Shop")
    texts = [b"@get(", b"@post(", b"|x", b"|y", b"Depends(", b"use Shop", b"use \\Shop"]
    assert all(mark.is_in(text, distinct_words(text)) for text in texts)
    misses = [b"get(", b"@get", b"x", b"y", b"Depends", b"", b"@post) |"]
    assert not any(mark.is_in(text, words) for text in misses for words in (text, distinct_words(text)))


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKS)
def test_a_mark_finds_what_its_pattern_finds(name: str) -> None:
    mark, pattern = Mark(MARKS[name]), re.compile(MARKS[name].encode(), re.MULTILINE)
    texts = [path.read_bytes() for path in sorted((ROOT / "fixtures").rglob("*")) if path.is_file()]
    lines = [line for text in texts for line in text.splitlines()]
    texts += lines
    assert [mark.is_in(text, distinct_words(text)) for text in texts] == [bool(pattern.search(text)) for text in texts]
