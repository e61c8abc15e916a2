"""Filters may stand in the query itself."""

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.filters import parse_filters


@pytest.mark.parametrize(
    ("query", "rest", "filters"),
    [
        ("lang:go how are jobs queued", "how are jobs queued", Filters(languages=("go",))),
        ("how path:web/* total", "how total", Filters(file_patterns=("web/*",))),
        ("path:web total", "total", Filters(file_patterns=("*web*",))),
        ('file:"my file.py" x', "x", Filters(file_patterns=("*my file.py*",))),
        ("type:markdown x", "x", Filters(source_types=("markdown",))),
        ("type:method x", "x", Filters(chunk_types=("method",))),
        ("repo:shop x", "x", Filters(repo_id="shop")),
        ("test:no x", "x", Filters(tests=False)),
        ("-test:yes x", "x", Filters(tests=False)),
        ("-lang:go NOT path:web x", "x", Filters(excluded=Filters(languages=("go",), file_patterns=("*web*",)))),
        ("std::path:join and a dict{type: int}", "std::path:join and a dict{type: int}", Filters()),
        ("lang: go", "lang: go", Filters()),
    ],
)
def test_filters_are_taken_out_of_a_query(query: str, rest: str, filters: Filters) -> None:
    assert parse_filters(query) == (rest, filters)


def test_they_add_to_those_given() -> None:
    filters = parse_filters("lang:go x", Filters(directory="worker"))[1]
    assert filters == Filters(directory="worker", languages=("go",))


def test_a_test_filter_says_yes_or_no() -> None:
    with pytest.raises(UsageError, match="neither test:yes nor test:no"):
        parse_filters("test:maybe x")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lang:py total", lambda path: path.endswith(".py")),
        ("-lang:python total", lambda path: not path.endswith(".py")),
        ("path:web/ total", lambda path: path.startswith("web/")),
        ("-path:web -path:tests total", lambda path: not path.startswith(("web", "tests"))),
        ("-type:markdown -type:code tax", lambda path: path.endswith(".toml")),
    ],
)
def test_what_is_found_is_what_they_allow(shop: object, query: str, expected: object) -> None:
    with CodeIndexer(str(shop)) as indexer:
        paths = [result.file_path for result in indexer.retrieve(query, limit=50)]
    assert paths
    assert callable(expected)
    assert all(map(expected, paths))


def test_an_unknown_language_is_an_error(shop: object) -> None:
    with CodeIndexer(str(shop)) as indexer, pytest.raises(UsageError, match="Did you mean 'python'"):
        indexer.retrieve("lang:pythn total")
