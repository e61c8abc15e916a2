"""The graph is written so that other programs read it."""

import json
import re
from xml.etree import ElementTree

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.graph.draw import draw
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.picture.text import printable

LABELS = (
    'x"];\nevil [label="',
    "a & b &lt; #35; #quot;",
    "<img src=x onerror=evil()>",
    "`**bold**`",
    "style a:b#35;c",
    "1. Install",
    "- [x] {done} (so) |y|",
    "C:\\new\\",
    "std::vector::at",
    "Größe",
    "",
    " ",
    "end",
    "\x01\u202e",
)
"""Names that mean something to a program that draws."""

HOSTILE = GraphExport(
    tuple(GraphNode(f"{label}.py", label, "section", f"{label}.py") for label in LABELS),
    (GraphEdge(f"{LABELS[0]}.py", f"{LABELS[1]}.py", "calls", 2, 0.9),),
)

NODE = re.compile(r'  n\d+\["(?P<label>[^"]+)"\]')
DOT_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


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


def shown(label: str) -> str:
    """Return what a drawing shows of a label: without control characters and line ends."""
    return printable(label)


def test_json_and_graphml_can_be_read_again() -> None:
    assert [node["label"] for node in json.loads(draw(HOSTILE, "json"))["nodes"]] == list(LABELS)
    tree = ElementTree.fromstring(draw(HOSTILE, "graphml"))
    namespace = {"g": "http://graphml.graphdrawing.org/xmlns"}
    key = tree.find("g:key[@attr.name='label']", namespace)
    assert key is not None
    labels = [data.text or "" for data in tree.iterfind(f".//g:node/g:data[@key='{key.get('id')}']", namespace)]
    assert labels == [shown(label) for label in LABELS]


def test_a_name_is_one_label_of_mermaid() -> None:
    head, *lines = draw(HOSTILE, "mermaid").split("\n")
    assert (head, lines.pop()) == ("flowchart LR", "  n0 --> n1")
    matches = [NODE.fullmatch(line) for line in lines]
    labels = [match["label"] for match in matches if match]
    assert len(labels) == len(LABELS)
    # What is left beside Mermaid's own escapes is nothing that it or a browser would obey.
    assert not [label for label in labels if re.search(r"[^\w ./:(),+-]", re.sub(r"#\d+;", "", label))]
    # Mermaid cuts off the end of such a line.
    assert not [label for label in labels if re.search(r"style.*:\S*#.*;", label)]
    assert [re.sub(r"#(\d+);", lambda mark: chr(int(mark[1])), label).strip() for label in labels] == [
        shown(label).strip() for label in LABELS
    ]
    assert "std::vector::at" in labels and "Größe" in labels


def test_a_name_is_one_string_of_dot() -> None:
    lines = [line for line in draw(HOSTILE, "dot").split("\n") if "tooltip=" in line]
    strings = [DOT_STRING.findall(line) for line in lines]
    assert [DOT_STRING.sub("", line) for line in lines] == ["   [label=, tooltip=];"] * len(LABELS)
    labels = [re.sub(r"\\(.)", r"\1", label).replace("&amp;", "&") for _, label, _ in strings]
    assert labels == [shown(label) for label in LABELS]
    assert not [label for _, label, _ in strings if re.search(r"&(?!amp;)", label)]


def test_paths_that_differ_in_a_control_character_stay_two_nodes() -> None:
    nodes = tuple(GraphNode(f"a\n{mark}.py", "a", "file", "a") for mark in "\x01\x02")
    strings = {
        DOT_STRING.findall(line)[0] for line in draw(GraphExport(nodes, ()), "dot").split("\n") if "label" in line
    }
    assert len(strings) == 2


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="known: dot, graphml, mermaid, json"):
        draw(HOSTILE, "png")
