"""A search for a path finds the routes that answer it."""

import pytest

from code_graph_indexer.graph.results import Route
from code_graph_indexer.web.paths import query_path, routes_named

ROUTES = [
    Route("route", "shop", verb, name, "routes.rb", 1, "", None, is_test=False)
    for verb, name in (
        ("GET", "/carts/:id/edit"),
        ("GET", "/carts/:id"),
        ("DELETE", "/carts/:id"),
        ("GET", "/carts/new"),
        ("GET", "/items/<int:number>"),
        ("", "/items/"),
    )
]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("/carts/:id", ["GET /carts/:id", "DELETE /carts/:id", "GET /carts/:id/edit"]),
        ("/carts/{number}", ["GET /carts/:id", "DELETE /carts/:id", "GET /carts/:id/edit"]),
        ("DELETE /carts/7", ["DELETE /carts/:id"]),
        ("/carts/new", ["GET /carts/new", "GET /carts/:id", "DELETE /carts/:id", "GET /carts/:id/edit"]),
        ("/items", [" /items/", "GET /items/<int:number>"]),
        ("/elsewhere", []),
    ],
)
def test_a_path_finds_its_routes_however_parameters_are_written(query: str, names: list[str]) -> None:
    routes = [f"{route.verb} {route.name}" for route in routes_named(ROUTES, query)]
    assert sorted(routes) == sorted(names)
    assert routes[:1] == names[:1]


def test_words_are_no_path() -> None:
    assert query_path("carts") == query_path("where is /carts") == ""
