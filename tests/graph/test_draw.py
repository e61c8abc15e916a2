"""The graph is written so that other programs read it."""

import json
from xml.etree import ElementTree

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.graph.draw import draw
from code_graph_indexer.results import GraphEdge, GraphExport, GraphNode

HOSTILE = GraphExport(
    (GraphNode("a", 'x"];\nevil [label="', "function", "a.py"), GraphNode("b", "y", "function", "b.py")),
    (GraphEdge("a", "b", "calls", 2, 0.9),),
)


def test_a_drawing_has_the_definitions_around_a_name(indexer: CodeIndexer) -> None:
    text = indexer.graph.draw(["Shape.describe"], form="mermaid")
    assert text.startswith("flowchart LR\n")
    assert '"store.put"' in text and '"Shape.area"' in text


def test_without_a_name_files_are_drawn(indexer: CodeIndexer) -> None:
    export = indexer.graph.export()
    assert [node.id for node in export.nodes] == [
        "shapes/base.py",
        "shapes/square.py",
        "shapes/store.py",
        "tests/test_square.py",
    ]
    assert indexer.graph.export(limit=2).truncated


def test_json_and_graphml_can_be_read_again() -> None:
    assert [node["id"] for node in json.loads(draw(HOSTILE, "json"))["nodes"]] == ["a", "b"]
    assert ElementTree.fromstring(draw(HOSTILE, "graphml")).tag.endswith("graphml")


@pytest.mark.parametrize("form", ["dot", "mermaid"])
def test_names_cannot_break_out_of_a_drawing(form: str) -> None:
    text = draw(HOSTILE, form)
    assert "evil" in text
    assert not any(line.lstrip().startswith("evil") for line in text.splitlines())
    assert all(line.count('"') % 2 == 0 for line in text.splitlines())


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="known: dot, graphml, mermaid, json"):
        draw(HOSTILE, "png")
