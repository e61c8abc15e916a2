"""A picture shows a part of the graph that a person can read, and what it folds away is counted."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from code_graph_indexer import CodeIndexer, NotInIndexError, UsageError
from code_graph_indexer.graph.answers import hierarchy_graph, impact_graph
from code_graph_indexer.graph.fold import Fold, fold_of, places_of, unfold
from code_graph_indexer.graph.layers import layered, without_implied
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.results import Symbol


def symbol(number: int, path: str, *, test: bool = False) -> Symbol:
    return Symbol(number, "function", f"f{number}", f"m.f{number}", "", "", path, number, number, None, test)


def folded(count: int, files: int) -> Fold:
    """Return a fold of definitions, spread over files in ten folders. A third of the files are tests."""
    paths = [f"{'tests' if file % 3 == 0 else 'lib'}/d{file % 10}/f{file}.py" for file in range(files)]
    symbols = [symbol(number, paths[number % files], test=number % files % 3 == 0) for number in range(count)]
    return fold_of("<", symbols, {})


def labels(graph: GraphExport, layer: int) -> list[str]:
    return [node.label for node in graph.nodes if node.layer == layer]


def arrows(graph: GraphExport) -> set[tuple[str, str, str]]:
    names = {node.id: node.label for node in graph.nodes}
    return {(names[edge.source], edge.kind, names[edge.target]) for edge in graph.edges}


@pytest.mark.parametrize(("count", "files"), [(0, 1), (1, 1), (7, 3), (60, 1), (400, 90), (3000, 700)])
@pytest.mark.parametrize("room", [2, 12, 18])
def test_what_is_folded_away_is_counted(count: int, files: int, room: int) -> None:
    root = folded(count, files)
    shown = unfold(root, room, ())
    assert len(shown) <= room
    assert sum(fold.count for fold in shown if fold.parts or fold.symbol) == count
    assert len(places_of(shown)) == max(count, 1) if count else True


@pytest.mark.slow
def test_every_fold_opens_by_its_id() -> None:
    opened: list[str] = []
    for _ in range(300):
        shown = unfold(folded(400, 90), 12, opened)
        closed = [fold for fold in shown if fold.parts]
        if not closed:
            break
        opened.append(closed[0].id)
    assert len(shown) == 400


def test_tests_do_not_crowd_out_code() -> None:
    shown = unfold(folded(400, 90), 18, ())
    assert sum(fold.is_test for fold in shown) <= 9


def test_a_definition_stands_between_its_callers_and_callees(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(["Shape.describe"])
    assert labels(graph, 0) == ["Shape.describe"]
    assert labels(graph, -1) == ["put", "test_describe"]
    # What dynamic dispatch may run is there, and marked.
    assert labels(graph, 1) == ["Shape.area", "Square.area", "Tile.area"]
    assert [edge.certainty for edge in graph.edges] == ["proven", "proven", "proven", "may", "may"]


def test_an_edge_leads_to_the_line_of_the_reference(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(["Shape.describe"])
    places = {(edge.path, edge.line) for edge in graph.edges}
    assert places == {("shapes/store.py", 6), ("tests/test_square.py", 5), ("shapes/base.py", 9)}


def test_a_class_shows_its_members(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(["Square"])
    assert labels(graph, 0) == ["Square", "area"]
    assert ("Tile", "inherits", "Square") in arrows(graph)
    assert ("Tile.area", "calls", "area") in arrows(graph) or ("Tile.area", "overrides", "area") in arrows(graph)


def test_a_path_has_a_layer_for_each_call(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(["store.report"], to="Shape.area")
    ways = [node.label for node in sorted(graph.nodes, key=lambda node: node.layer or 0)]
    assert ways == ["store.report", "store.put", "Shape.describe", "Shape.area"]
    assert {(a, "calls", b) for a, b in pairwise(ways)} == arrows(graph)


def test_without_a_path_both_ends_are_shown(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(["Shape.area"], to="store.report")
    assert [node.label for node in graph.nodes] == ["Shape.area", "store.report"]
    assert graph.edges == ()


def test_a_folder_marks_the_cycle_of_its_files(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(folder="shapes")
    cyclic = {node.label for node in graph.nodes if node.cyclic}
    assert cyclic == {"base.py", "store.py"}
    assert [edge.cyclic for edge in graph.edges].count(True) == 1


def test_a_folder_shows_what_it_needs_from_another(indexer: CodeIndexer) -> None:
    graph = indexer.graph.picture(folder="tests", to="shapes")
    assert {(edge.source, edge.target) for edge in graph.edges} >= {("<tests/test_square.py", ">shapes/square.py")}
    assert indexer.graph.picture(folder="shapes", to="tests").nodes == ()


def test_the_whole_repository_is_a_folder(indexer: CodeIndexer) -> None:
    assert indexer.graph.picture() == indexer.graph.picture(folder=".")
    assert indexer.graph.picture().title == "The whole repository"


def test_a_hierarchy_has_the_bases_on_the_left(indexer: CodeIndexer) -> None:
    graph = hierarchy_graph(indexer.graph.hierarchy("Square"))
    layers = {node.label: node.layer for node in graph.nodes}
    assert layers == {"base.Shape": -1, "square.Square": 0, "square.Tile": 1}
    assert arrows(graph) == {
        ("square.Square", "inherits", "base.Shape"),
        ("square.Tile", "inherits", "square.Square"),
    }


def test_an_impact_has_a_layer_for_each_hop(indexer: CodeIndexer) -> None:
    impact = indexer.graph.impact("store.put")
    graph = impact_graph(impact)
    assert graph.layers[0] == "changed: 1"
    assert sum(node.count or 1 for node in graph.nodes) == 1 + len(impact.affected)
    assert ("store.put", "affects", "store.report") in arrows(graph)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda graph: graph.picture(folder="shape"), NotInIndexError, "Did you mean .shapes"),
        (lambda graph: graph.picture(["put"], folder="shapes"), UsageError, "not both"),
        (lambda graph: graph.picture(["put", "report"], to="area"), UsageError, "two names"),
        (lambda graph: graph.picture(to="shapes"), UsageError, "two names"),
    ],
)
def test_a_wrong_question_says_what_to_do(
    indexer: CodeIndexer, ask: Callable[[object], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(indexer.graph)


def graph_of(*pairs: str) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Return a graph of pairs of letters: `ab` leads from a to b."""
    nodes = [GraphNode(letter, letter, "file", letter) for letter in sorted(set("".join(pairs)))]
    return nodes, [GraphEdge(pair[0], pair[1], "refers", 1, 1.0) for pair in pairs]


def test_layers_lead_from_left_to_right() -> None:
    nodes, edges = layered(*graph_of("ab", "bc", "ac", "dc"))
    assert {node.id: node.layer for node in nodes} == {"a": 0, "b": 1, "c": 2, "d": 1}
    assert not any(edge.cyclic for edge in edges)


def test_what_a_longer_way_implies_is_left_out() -> None:
    nodes, edges = layered(*graph_of("ab", "bc", "cd", "ac", "ad", "bd"))
    assert {edge.source + edge.target for edge in without_implied(nodes, edges)} == {"ab", "bc", "cd"}


def test_a_heavy_edge_is_shown_although_a_longer_way_of_lighter_ones_leads_there() -> None:
    nodes, edges = layered(*graph_of("ab", "bc", "ac", "cd", "ad"))
    weights = {"ab": 9, "bc": 2, "ac": 5, "cd": 4, "ad": 4}
    heavy = [replace(edge, weight=weights[edge.source + edge.target]) for edge in edges]
    assert {edge.source + edge.target for edge in without_implied(nodes, heavy)} == {"ab", "ac", "bc", "cd"}


def test_a_cycle_stays_closed() -> None:
    nodes, edges = layered(*graph_of("ab", "bc", "ca", "cb", "xa"))
    shown = without_implied(nodes, edges)
    assert {node.id for node in nodes if node.cyclic} == {"a", "b", "c"}
    assert [edge.source + edge.target for edge in edges if edge.cyclic] == ["bc"]
    assert {edge.source + edge.target for edge in shown} == {"ca", "ab", "bc", "xa"}


def test_a_picture_is_drawn_as_svg(indexer: CodeIndexer) -> None:
    svg = ElementTree.fromstring(indexer.graph.draw(["Shape.describe"], form="svg"))
    texts = {text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Shape.describe", "Shape.area", "shapes/store.py", "used by 2", "uses 3"} <= texts
