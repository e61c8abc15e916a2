"""What is read of a text depends on the text alone."""

import ast
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import tree_sitter

from code_graph_indexer.languages import load_parser, load_query
from code_graph_indexer.syntax import limits
from code_graph_indexer.syntax.limits import MAX_TREE_DEPTH, HardTextError, parse_text, query_matches

PACKAGE = Path(limits.__file__).parents[1]


class SlowBuffer(bytearray):
    """A buffer of a machine that is busy: each reading takes it long."""

    def __setitem__(self, place: Any, content: Any) -> None:
        time.sleep(0.005)
        super().__setitem__(place, content)


def steps_of(text: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the fewest steps with which a text is parsed."""
    parser, refused, enough = load_parser("cpp"), 0, 10_000
    monkeypatch.setattr(limits, "STEPS_PER_KB", 0)
    while enough - refused > 1:
        steps = (refused + enough) // 2
        monkeypatch.setattr(limits, "STEPS", steps)
        try:
            parse_text(parser, text)
        except HardTextError:
            refused = steps
        else:
            enough = steps
    return enough


@pytest.mark.slow
def test_how_many_steps_a_text_takes_does_not_depend_on_the_speed_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = b"int f(int a) { return g(a, (h)) + 1; } }\n" * 500
    steps = steps_of(text, monkeypatch)
    assert 10 < steps < 10_000
    monkeypatch.setattr(limits._buffer, "content", SlowBuffer())
    assert steps_of(text, monkeypatch) == steps


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["syntax", "languages", "resolve"])
def test_what_is_read_and_linked_depends_on_no_clock(folder: str) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / folder).glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    words = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words |= {node.arg or "" for node in nodes if isinstance(node, ast.keyword)}
    assert len(imported) > 10
    assert imported.isdisjoint({"time", "datetime", "sched", "asyncio", "random", "threading.Timer"})
    assert {word for word in words if "timeout" in word or word in ("getrusage", "getloadavg", "times")} == set()


def test_a_text_parses_as_without_limits() -> None:
    text = b"def f():\n    return g(h(1))\n" * 1_000
    parser = load_parser("python")
    assert str(parse_text(parser, text).root_node) == str(parser.parse(text).root_node)


def test_a_node_of_any_length_has_its_text() -> None:
    text = b"def f():\n    return g(h(1))\n" * 1_000
    root = parse_text(load_parser("python"), text).root_node
    assert root.text == text
    assert root.children[-1].text == b"def f():\n    return g(h(1))"


@pytest.mark.slow
def test_a_parsed_text_stays_nowhere_in_memory() -> None:
    text, parser = b"int a = 1;\n" * 10_000, load_parser("c")
    parse_text(parser, text)
    tracemalloc.start()
    try:
        for _ in range(3):
            parse_text(parser, text)
        assert tracemalloc.get_traced_memory()[0] < len(text) / 10
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_threads_that_parse_at_once_read_texts_of_their_own() -> None:
    texts = [b"%s = f(%d)\n" % (b"abcdefgh"[:length], length) * 2_000 for length in range(1, 9)]

    def parse(text: bytes) -> bytes | None:
        return parse_text(tree_sitter.Parser(load_parser("python").language), text).root_node.children[-1].text

    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(parse, texts)] == [text.splitlines()[-1] for text in texts]


@pytest.mark.parametrize(
    ("most", "error"),
    [
        ({"STEPS": 10, "STEPS_PER_KB": 1}, r"over 49 steps of the parser"),
        ({"READ_BYTES": 64, "MAX_READS": 20}, r"over 20 reads of the parser"),
    ],
)
def test_a_text_that_takes_too_much_work_is_refused_and_the_next_one_is_parsed(
    monkeypatch: pytest.MonkeyPatch, most: dict[str, int], error: str
) -> None:
    parser = load_parser("cpp")
    with monkeypatch.context() as smaller:
        for name, number in most.items():
            smaller.setattr(limits, name, number)
        for _ in range(2):
            with pytest.raises(HardTextError, match=error):
                parse_text(parser, b"int a = 1;\n" * 3_700)
    assert str(parse_text(parser, b"int a;").root_node) == str(parser.parse(b"int a;").root_node)


def test_a_query_matches_nothing_below_the_deepest_level() -> None:
    tree = parse_text(load_parser("python"), b"f(" * 3_000 + b")" * 3_000)
    matches = query_matches(load_query("python"), tree)
    # A call and its list of arguments are two levels.
    assert 0 < len(matches) <= MAX_TREE_DEPTH


def test_a_row_of_signs_without_names_is_refused() -> None:
    tree = parse_text(load_parser("go"), b"[](" * 50_000)
    with pytest.raises(HardTextError, match=r"over 20000 signs in a row"):
        query_matches(load_query("go"), tree)
