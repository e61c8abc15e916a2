"""The doors hold the same: the same filters give the same errors, and the same queries the same results."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from code_graph_indexer import (
    CgiError,
    CodeIndexer,
    CodeRetriever,
    DenseRetriever,
    Filters,
    GraphRetriever,
    HybridRetriever,
    RAGPipeline,
    RAGRouter,
    RetrievedContext,
    SparseRetriever,
    UsageError,
)
from code_graph_indexer.cli import app

LIMIT = 5

Door = Callable[[CodeIndexer, str, Filters, int], object]


def arguments(filters: Filters) -> dict[str, Any]:
    """Return filters as the keyword arguments of `CodeIndexer.retrieve`."""
    return {
        "repo_id": filters.repo_id,
        "language": filters.languages,
        "directory": filters.directory,
        "chunk_type": filters.chunk_types,
        "source_types": filters.source_types,
        "file_patterns": filters.file_patterns,
        "tests": filters.tests,
    }


def search_json(indexer: CodeIndexer, query: str, filters: Filters, limit: int) -> list[tuple[int, float]]:
    """Search by the command line. Raise its message as the error that it shows."""
    options = [("--language", name) for name in filters.languages]
    options += [("--directory", filters.directory)] if filters.directory else []
    options += [("--path", pattern) for pattern in filters.file_patterns]
    options += [("--kind", kind) for kind in filters.chunk_types]
    options += [("--source", source_type) for source_type in filters.source_types]
    words = [word for option in options for word in option]
    result = CliRunner().invoke(
        app, ["search", "--json", "--db", str(indexer.db), "-n", str(limit), *words, "--", query]
    )
    if isinstance(result.exception, CgiError):
        raise result.exception
    if result.exit_code:
        raise UsageError(result.output)
    return [(entry["node_id"], entry["score"]) for entry in json.loads(result.output)["results"]]


def hits(contexts: list[RetrievedContext]) -> list[tuple[int, float]]:
    return [(context.node_id, context.score) for context in contexts]


HYBRID: dict[str, Door] = {
    "retrieve": lambda indexer, query, filters, limit: hits(indexer.retrieve(query, limit=limit, **arguments(filters))),
    "aretrieve": lambda indexer, query, filters, limit: hits(
        asyncio.run(indexer.aretrieve(query, limit=limit, **arguments(filters)))
    ),
    "CodeRetriever": lambda indexer, query, filters, limit: hits(
        CodeRetriever(indexer.store, indexer.embedder(), root=indexer.root).retrieve(query, filters, limit=limit)
    ),
    "HybridRetriever": lambda indexer, query, filters, limit: hits(
        HybridRetriever(indexer.store, indexer.embedder(), root=indexer.root).retrieve(query, filters, limit=limit)
    ),
    "HybridRetriever.aretrieve": lambda indexer, query, filters, limit: hits(
        asyncio.run(
            HybridRetriever(indexer.store, indexer.embedder(), root=indexer.root).aretrieve(query, filters, limit=limit)
        )
    ),
    "cgi search": search_json,
}
LIMITED: dict[str, Door] = HYBRID | {
    "retrieve_by_keyword": lambda indexer, query, filters, limit: indexer.retrieve_by_keyword(
        query, limit=limit, **arguments(filters)
    ),
    "retrieve_with_parents": lambda indexer, query, filters, limit: indexer.retrieve_with_parents(
        query, limit=limit, **arguments(filters)
    ),
    "SparseRetriever": lambda indexer, query, filters, limit: SparseRetriever(indexer.store).retrieve(
        query, filters, limit=limit
    ),
    "DenseRetriever": lambda indexer, query, filters, limit: DenseRetriever(indexer.store, indexer.embedder()).retrieve(
        query, filters, limit=limit
    ),
    "GraphRetriever": lambda indexer, query, filters, limit: GraphRetriever(indexer.store).retrieve(
        query, filters, limit=limit
    ),
}
ALL: dict[str, Door] = LIMITED | {
    "ask": lambda indexer, query, filters, limit: indexer.ask(query, **arguments(filters)),
    "RAGPipeline": lambda indexer, query, filters, limit: RAGPipeline(indexer.store, None, indexer.settings).query(
        query, filters=filters
    ),
}

WRONG = {
    "language": ("cart", Filters(languages=("pythn",)), "there is no language 'pythn'. Did you mean 'python'?"),
    "language in the query": ("lang:pythn cart", Filters(), "there is no language 'pythn'. Did you mean 'python'?"),
    "excluded language": ("-lang:pythn cart", Filters(), "there is no language 'pythn'. Did you mean 'python'?"),
    "source type": ("cart", Filters(source_types=("cod",)), "there is no source type 'cod'. Did you mean 'code'?"),
    "kind": (
        "cart",
        Filters(chunk_types=("functon",)),
        "there is no kind of chunk 'functon'. Did you mean 'function'?",
    ),
    "kind in the query": ("type:functon cart", Filters(), "there is no kind of chunk 'functon'."),
    "one kind of two": ("cart", Filters(chunk_types=("class", "functon")), "there is no kind of chunk 'functon'."),
    "folder": ("cart", Filters(directory="shp"), "there is no folder 'shp' in the index. Did you mean 'shop'?"),
    "folder further down": (
        "cart",
        Filters(directory="src"),
        "there is no folder 'src' in the index. Did you mean 'web/src'?",
    ),
    "far folder": (
        "cart",
        Filters(directory="nope"),
        "there is no folder 'nope' in the index. At the top are 'config', 'shop'",
    ),
    "absolute pattern": ("cart", Filters(file_patterns=("/shop/*",)), "Give 'shop/*'"),
    "open bracket": ("cart", Filters(file_patterns=("shop/[ab",)), "has a '[' without a ']'"),
    "test": ("test:maybe cart", Filters(), "test:maybe is neither test:yes nor test:no"),
}
RIGHT = [
    ("refuse an empty cart", Filters()),
    ("lang:py cart", Filters()),
    ("cart", Filters(languages=("python",), directory="./shop/")),
    ("-path:web how is shipping priced", Filters(chunk_types=("function", "method"))),
    ("total test:no", Filters(file_patterns=("shop/*",))),
    ("tax", Filters(source_types=("markdown", "text"))),
]


@pytest.fixture(scope="module")
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as opened:
        yield opened


@pytest.mark.parametrize("door", ALL)
@pytest.mark.parametrize("fault", WRONG)
def test_every_door_refuses_what_does_not_exist(indexer: CodeIndexer, door: str, fault: str) -> None:
    query, filters, message = WRONG[fault]
    with pytest.raises(UsageError) as raised:
        ALL[door](indexer, query, filters, LIMIT)
    if door != "cgi search":
        assert message in str(raised.value)
    else:
        # The terminal may break the message into lines.
        assert "".join(message.split()) in "".join(str(raised.value).split())


@pytest.mark.parametrize("door", LIMITED)
@pytest.mark.parametrize("limit", [0, -3])
def test_every_door_refuses_a_limit_below_one(indexer: CodeIndexer, door: str, limit: int) -> None:
    with pytest.raises(UsageError):
        LIMITED[door](indexer, "cart", Filters(), limit)


@pytest.mark.slow
@pytest.mark.parametrize(("query", "filters"), RIGHT)
def test_the_hybrid_doors_give_the_same_results(indexer: CodeIndexer, query: str, filters: Filters) -> None:
    expected = HYBRID["retrieve"](indexer, query, filters, LIMIT)
    assert expected
    assert {name: door(indexer, query, filters, LIMIT) for name, door in HYBRID.items()} == dict.fromkeys(
        HYBRID, expected
    )


def test_preferred_folders_have_to_exist(indexer: CodeIndexer) -> None:
    for door in (indexer.retrieve, indexer.ask, RAGPipeline(indexer.store, None, indexer.settings).query):
        with pytest.raises(UsageError, match="there is no folder 'shp' in the index"):
            door("cart", folders=["shp"])


def test_the_router_refuses_what_does_not_exist(indexer: CodeIndexer) -> None:
    with pytest.raises(UsageError, match="Did you mean 'python'"):
        RAGRouter(indexer.store).route("lang:pythn cart")
