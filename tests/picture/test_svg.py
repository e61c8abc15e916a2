"""Pictures can be read: nothing overlaps, nothing is cut, nothing stands outside, and a hostile name is only text."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest

from code_graph_indexer.graph.draw import draw
from code_graph_indexer.graph.layers import layered
from code_graph_indexer.picture import layout
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.picture.svg import draw_svg
from code_graph_indexer.picture.text import shortened, text_width

SVG = "{http://www.w3.org/2000/svg}"

NASTY = '</text><script>alert(1)</script>"&\x00\x1b[31m\u202e' + "x" * 300
"""A name that tries to end its element, its attribute, its line and its direction."""

SLACK = 0.11
"""Half a unit of the last digit that is written, twice."""


def large(nodes: int, edges: int, *, layers: int | None = 3, groups: int = 6) -> GraphExport:
    """Return a random graph, the same at every run. Without `layers` its edges give them."""
    dice = random.Random(nodes * 1000 + edges)
    boxes = [
        GraphNode(
            f"n{number}",
            "name" * dice.randint(1, 12),
            "function",
            f"folder{number % 7}/file{number}.py",
            number,
            count=dice.choice((0, 0, 3, 12_345)),
            group=f"g{number % groups}-{number % layers}" if layers and groups else "",
            layer=number % layers if layers else None,
        )
        for number in range(nodes)
    ]
    frames = tuple(
        GraphNode(key, f"folder/{key}.py", "file", f"folder/{key}.py")
        for key in sorted({node.group for node in boxes} - {""})
    )
    lines = [
        GraphEdge(
            f"n{dice.randrange(nodes)}",
            f"n{dice.randrange(nodes)}",
            dice.choice(("calls", "inherits")),
            1,
            1.0,
            "a.py",
            7,
            dice.choice(("proven", "may", "guessed", "alternative")),
        )
        for _ in range(edges)
    ]
    if layers is None:
        return GraphExport(*layered(boxes, lines), title="random")
    return GraphExport(tuple(boxes), tuple(lines), groups=frames, center="n0", title="random")


GRAPHS = {
    "nothing": GraphExport((), ()),
    "a single box": GraphExport((GraphNode("a", "a", "function", "a.py", 1, layer=0),), ()),
    "a call of itself": GraphExport(
        (GraphNode("a", "a", "function", "a.py", 1, layer=0),),
        (GraphEdge("a", "a", "calls", 1, 1.0, "a.py", 2, "proven"),),
    ),
    "hostile": GraphExport(
        (
            GraphNode("a", NASTY, NASTY, NASTY, 1, NASTY, group="g", layer=0),
            GraphNode("b", "宽宽宽宽" * 9, "class", "b.py", layer=1),
        ),
        (GraphEdge("a", "b", NASTY, 2, 0.5, NASTY, 3, "guessed"),),
        groups=(GraphNode("g", NASTY, "file", NASTY),),
        title=NASTY,
        layers=(NASTY[:60], "right"),
    ),
    "five edges": large(8, 5),
    "forty boxes": large(40, 60),
    "400 edges": large(120, 400),
    "400 edges in layers": large(60, 400, layers=None),
    "eight layers": large(64, 90, layers=8, groups=0),
}
PICTURES = pytest.mark.parametrize(
    "graph",
    [
        pytest.param(graph, id=name, marks=pytest.mark.slow if len(graph.edges) > 100 else ())
        for name, graph in GRAPHS.items()
    ],
)
lay_out = cache(layout.lay_out)


@cache
def element(graph: GraphExport) -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(graph, lambda target: f"/go?{target.path}"))


def number(node: ElementTree.Element, name: str) -> float:
    return float(node.get(name, "0"))


def rectangles(svg: ElementTree.Element, kind: str) -> Iterator[tuple[float, float, float, float]]:
    """Yield the left, top, right and bottom of the boxes of a kind."""
    for link in svg:
        if kind in (link.get("class") or "").split():
            for rect in link.findall(f"{SVG}rect"):
                x, y = number(rect, "x"), number(rect, "y")
                yield x, y, x + number(rect, "width"), y + number(rect, "height")


@pytest.mark.slow
@PICTURES
def test_no_box_overlaps_another(graph: GraphExport) -> None:
    svg = element(graph)
    for kind in ("box", "frame"):
        for a, b in combinations(rectangles(svg, kind), 2):
            assert a[2] <= b[0] + SLACK or b[2] <= a[0] + SLACK or a[3] <= b[1] + SLACK or b[3] <= a[1] + SLACK
    assert len(list(rectangles(svg, "box"))) == len(graph.nodes)


@pytest.mark.slow
@PICTURES
def test_nothing_stands_outside(graph: GraphExport) -> None:
    svg = element(graph)
    _, _, width, height = map(float, (svg.get("viewBox") or "").split())
    for kind in ("box", "frame"):
        for left, top, right, bottom in rectangles(svg, kind):
            assert left >= 0 and top >= 0 and right <= width and bottom <= height
    for text in svg.iter(f"{SVG}text"):
        assert number(text, "x") >= 0 and number(text, "x") + number(text, "textLength") <= width
        assert 0 < number(text, "y") <= height
    for curve in lay_out(graph).curves:
        # A curve stays between its points, but for the bend of a loop.
        assert all(0 <= x <= width and 0 <= y <= height for x, y in curve.points)


@PICTURES
def test_no_text_is_cut(graph: GraphExport) -> None:
    for link in element(graph):
        rect = link.find(f"{SVG}rect")
        texts = link.findall(f"{SVG}text")
        if rect is None or not texts:
            continue
        for text in texts:
            size = 10.5 if text.get("class") == "small" else 12.0
            assert number(text, "textLength") == pytest.approx(text_width(text.text or "", size), abs=0.06)
            assert number(text, "x") + number(text, "textLength") <= number(rect, "x") + number(rect, "width") + SLACK
        rows: dict[str | None, list[tuple[float, float]]] = {text.get("y"): [] for text in texts}
        for text in texts:
            rows[text.get("y")].append((number(text, "x"), number(text, "x") + number(text, "textLength")))
        for row in rows.values():
            assert all(before[1] <= after[0] for before, after in zip(sorted(row), sorted(row)[1:], strict=False))


@pytest.mark.slow
@PICTURES
def test_no_edge_passes_through_a_box(graph: GraphExport) -> None:
    picture = lay_out(graph)
    for curve in picture.curves:
        for box in picture.boxes:
            if box.node.id in (curve.edge.source, curve.edge.target):
                continue
            inside = [
                (x, y) for x, y in curve.points if box.x < x < box.x + box.width and box.y < y < box.y + box.height
            ]
            assert inside == []


@PICTURES
def test_every_box_and_edge_leads_somewhere(graph: GraphExport) -> None:
    links = [link for link in element(graph) if link.tag == f"{SVG}a"]
    assert len(links) == len(graph.nodes) + len(graph.edges) + len(graph.groups)
    for link in links:
        title = link.find(f"{SVG}title")
        assert title is not None and title.text
        label = link.get("aria-label") or ""
        assert label.endswith(title.text)
        # Who speaks to the browser says what is seen.
        assert " ".join(text.text or "" for text in link.iter(f"{SVG}text")) in label
        assert (link.get("href") or "").startswith("/go?")


def test_an_edge_names_its_line_and_its_certainty() -> None:
    titles = [title.text or "" for title in element(GRAPHS["five edges"]).iter(f"{SVG}title")]
    edges = [title for title in titles if "a.py:7" in title]
    assert len(edges) == 5
    assert all(re.search(r"(calls|inherits from) .*, a\.py:7, (proven|may|guessed|depends)", title) for title in edges)


def test_certainty_is_a_style_of_line_with_a_legend() -> None:
    svg = element(GRAPHS["400 edges"])
    classes = {name for link in svg for name in (link.get("class") or "").split()}
    assert {"proven", "may", "guessed", "alternative"} <= classes
    words = {text.text for text in svg.iter(f"{SVG}text")}
    assert {"proven", "guessed", "may, by dynamic dispatch", "depends on the build"} <= words


def test_the_legend_explains_only_what_is_there() -> None:
    words = {text.text for text in element(GRAPHS["a single box"]).iter(f"{SVG}text")}
    assert words == {"a", "a.py"}


def test_an_edge_says_how_many_references_it_stands_for_and_of_which_kind() -> None:
    nodes = tuple(GraphNode(name, name, "function", "a.py") for name in "abc")
    kinds = ("calls", "inherits", "references")
    edges = tuple(GraphEdge("a", name, kind, 3, 1.0) for name, kind in zip("bcb", kinds, strict=True))
    svg = element(GraphExport(nodes, edges))
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert {"calls", "inherits from", "refers to", "2: number of references"} <= set(texts)
    assert texts.count("3") == 3
    heads = {path.get("class") for path in svg.iter(f"{SVG}path") if "head" in (path.get("class") or "")}
    assert heads == {"head", "head open", "head fine"}


@pytest.mark.slow
def test_numbers_of_edges_cover_neither_boxes_nor_one_another() -> None:
    graph = GRAPHS["400 edges in layers"]
    svg = element(replace(graph, edges=tuple(replace(edge, weight=1_234) for edge in graph.edges)))
    counts = [text for text in svg.iter(f"{SVG}text") if text.get("class") == "count"]
    rooms = [
        (number(text, "x"), number(text, "y") - 9, number(text, "x") + number(text, "textLength"), number(text, "y"))
        for text in counts
    ]
    assert rooms
    for first, second in combinations([*rooms, *rectangles(svg, "box")], 2):
        assert first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]


def test_a_hostile_name_stays_text() -> None:
    svg = draw_svg(GRAPHS["hostile"], lambda target: f'javascript:"><script>{target.path}', standalone=True)
    tags = {node.tag for node in ElementTree.fromstring(svg).iter()}
    assert tags <= {f"{SVG}{name}" for name in ("svg", "style", "title", "rect", "path", "text", "a", "g")}
    assert "<script" not in svg
    assert not any(char in svg for char in "\x00\x1b\u202e")


def test_a_file_with_the_name_of_a_script_is_a_file() -> None:
    node = GraphNode("a", "a", "function", "javascript:alert(1)", 3, layer=0)
    assert 'href="./javascript%3Aalert%281%29#L3"' in draw(GraphExport((node,), ()), "svg")


def test_a_saved_picture_brings_its_style_light_and_dark() -> None:
    svg = draw(GRAPHS["five edges"], "svg")
    assert "prefers-color-scheme: dark" in svg
    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
    assert "<style" not in draw_svg(GRAPHS["five edges"], lambda target: "")


def test_what_leads_nowhere_is_no_link() -> None:
    svg = ElementTree.fromstring(draw_svg(GRAPHS["five edges"], lambda target: ""))
    assert list(svg.iter(f"{SVG}a")) == []


@pytest.mark.parametrize(
    ("text", "cells", "short"),
    [
        ("short", 9, "short"),
        ("django/db/models/query.py", 15, "…odels/query.py"),
        ("a_very_long_name_of_a_test", 12, "a_very_…test"),
        ("宽宽宽宽", 6, "宽…宽"),
    ],
)
def test_a_long_text_is_shortened_where_it_says_least(text: str, cells: int, short: str) -> None:
    assert shortened(text, cells) == short
    assert text_width(short, 10) <= cells * 6.03
