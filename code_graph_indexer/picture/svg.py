"""Draw a graph as SVG: text as text, every box and edge a link, and certainty by the style of the line."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.picture.layout import MAX_CELLS, NAME_SIZE, PATH_SIZE, Box, Curve, Layout, lay_out
from code_graph_indexer.picture.text import printable, shortened, text_width

Link = Callable[[GraphNode | GraphEdge], str]
"""The type of a function that maps a node, group or edge to the address that it leads to. An empty address is no link."""

WORDS = {
    "proven": "proven",
    "alternative": "depends on the build",
    "may": "may, by dynamic dispatch",
    "guessed": "guessed",
}
"""What the line styles mean, the surest first."""

VERBS = {
    "calls": "calls",
    "references": "refers to",
    "inherits": "inherits from",
    "overrides": "overrides",
    "affects": "affects",
    "refers": "depends on",
}
"""The kinds of edges as words in the title of an edge."""

HEAD = 7.0
"""Length of the head of an arrow."""

HEADS = {"inherits": "open", "overrides": "open", "references": "fine"}
"""The shapes of heads, by the kind of edge. That of any other kind is full."""

COUNT_SIZE = 9.0
"""Font size of the number of references beside an edge."""

LOOP = 34.0
"""How far an edge bends out that joins two boxes of one layer."""

LEGEND_LINE, LEGEND_GAP, SAMPLE = 18.0, 22.0, 30.0
"""Height of a line of the legend, the space between its entries, and the length of its sample lines."""

MIN_WIDTH = 360.0
"""Smallest width of a picture, so that the legend has room."""

_SEEN = re.compile(r"<text[^>]*>([^<]*)</text>")
"""Pattern of the texts in a drawing."""


def file_link(target: GraphNode | GraphEdge) -> str:
    """Return the address of a line beside a picture: saved in the root of the repository, it leads into the files."""
    if not target.path:
        return ""
    # The dot keeps a file named `javascript:…` a file.
    return f"./{quote(target.path)}" + (f"#L{target.line}" if target.line else "")


@cache
def stylesheet() -> str:
    """Return the style sheet of pictures. A page that shows pictures includes it once."""
    return (Path(__file__).parent / "picture.css").read_text(encoding="utf-8")


def draw_svg(graph: GraphExport, link: Link, *, standalone: bool = False) -> str:
    """Return a graph as an SVG element. With `standalone`, it is a file with its own style sheet."""
    layout = lay_out(graph)
    width = max(layout.width, MIN_WIDTH)
    legend, height = _legend(graph, layout, width)
    labels = {node.id: node.label for node in graph.nodes}
    parts = [
        *(f'<text class="small" {_text(heading.text, heading.x, heading.y, PATH_SIZE)}' for heading in layout.headings),
        *(_frame(frame, link) for frame in layout.frames),
        *(_curve(curve, link, labels) for curve in layout.curves),
        *_counts(layout),
        *(_box(box, link, graph.center) for box in layout.boxes),
        *legend,
    ]
    title = escape(printable(graph.title or "graph"))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="code-picture" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="group" aria-label="{title}">'
    )
    style = f"<style>\n{stylesheet()}</style>\n" if standalone else ""
    paper = f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>\n'
    return "\n".join([f"{head}\n{style}<title>{title}</title>\n{paper}".rstrip("\n"), *parts, "</svg>"])


def _text(text: str, x: float, y: float, size: float) -> str:
    """Return the rest of an SVG text element, from its attributes on. Its width is stated, so that no font cuts it."""
    width = f'textLength="{text_width(text, size):.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'x="{x:.1f}" y="{y:.1f}" {width}>{escape(text)}</text>'


def _linked(address: str, classes: str, title: str, content: str) -> str:
    """Wrap the drawing of a thing (`content`) in a link, or in a group if the address is empty. `title` shows on hovering."""
    title = escape(printable(title))
    if not address:
        return f'<g class="{classes}"><title>{title}</title>{content}</g>'
    # Who speaks to the browser says what is seen, so the name of a link begins with it.
    seen = " ".join(_SEEN.findall(content))
    label = title if seen in title else f"{seen}, {title}"
    return f'<a class="{classes}" href="{escape(printable(address))}" aria-label="{label}"><title>{title}</title>{content}</a>'


def _rect(box: Box, radius: float) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="{radius:.0f}"/>'
    )


def _frame(frame: Box, link: Link) -> str:
    text = f'<text class="small" {_text(frame.text, frame.x + 6, frame.y + 14, PATH_SIZE)}'
    return _linked(link(frame.node), "frame", frame.node.label, _rect(frame, 5) + text)


def _box(box: Box, link: Link, center: str) -> str:
    """Draw a box with its name, and its subtitle and badge if it has any. `center` is the id of the node in the middle."""
    node = box.node
    classes = ["box", "fold" if node.count else node.kind if node.kind.isalpha() else "node"]
    classes += [
        word
        for word, holds in (("test", node.is_test), ("center", node.id == center), ("cyclic", node.cyclic))
        if holds
    ]
    y = box.y + box.height / 2 + (4 if not box.subtitle else -3)
    content = _rect(box, 4) + f'<text class="name" {_text(box.text, box.x + 8, y, NAME_SIZE)}'
    if box.subtitle:
        content += f' <text class="small" {_text(box.subtitle, box.x + 8, y + 14, PATH_SIZE)}'
    if box.badge:
        x = box.x + box.width - 8 - text_width(box.badge, PATH_SIZE)
        content += f' <text class="small" {_text(box.badge, x, y, PATH_SIZE)}'
    return _linked(link(node), " ".join(classes), _box_title(node), content)


def _box_title(node: GraphNode) -> str:
    """Return what a browser shows on hovering over a box."""
    if node.count:
        return f"{node.label}: {node.count:,} folded, open{', in a cycle' if node.cyclic else ''}"
    place = f", {node.path}:{node.line}" if node.line else ""
    return f"{node.kind} {node.name or node.path}{place}{', in a cycle' if node.cyclic else ''}"


def _curve(curve: Curve, link: Link, labels: dict[str, str]) -> str:
    """Draw an edge: a wide invisible line to hit, the line and the head. `labels` are those of the nodes, by id."""
    edge = curve.edge
    path = _path(curve)
    head = _head(edge.kind, *curve.points[-1], HEAD if curve.backward else -HEAD, curve.vertical)
    content = f'<path class="hit" d="{path}"/><path class="line" d="{path}"/>{head}'
    classes = " ".join(filter(None, ("edge", edge.certainty, "cyclic" if edge.cyclic else "")))
    return _linked(link(edge), classes, _edge_title(edge, labels), content)


def _head(kind: str, x: float, y: float, back: float, vertical: bool = False) -> str:
    """Draw the head of an arrow with its point at a place. `back` leads along the line, away from the point."""
    shape = HEADS.get(kind, "")
    sides = (
        (f"l-3.5 {back:.0f}", "h7", f"l3.5 {back:.0f}") if vertical else (f"l{back:.0f} -3.5", "v7", f"l{back:.0f} 3.5")
    )
    drawing = f"{sides[0]}M{x:.1f} {y:.1f}{sides[2]}" if shape == "fine" else f"{sides[0]}{sides[1]}z"
    return f'<path class="{f"head {shape}".rstrip()}" d="M{x:.1f} {y:.1f}{drawing}"/>'


def _counts(layout: Layout) -> Iterator[str]:
    """Yield the numbers of references beside the ends of edges.

    A number that would cover a box or another number is left out. The title of the edge has it.
    """
    taken = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in layout.boxes]
    for curve in layout.curves:
        if curve.edge.weight < 2:
            continue
        text = f"{curve.edge.weight:,}"
        width = text_width(text, COUNT_SIZE)
        for point, towards in (curve.points[:2], curve.points[:-3:-1]):
            forward = towards[curve.vertical] >= point[curve.vertical]
            if curve.vertical:
                x, y = point[0] + 3, point[1] + (HEAD + COUNT_SIZE if forward else -HEAD - 2)
            else:
                x, y = point[0] + (HEAD + 2 if forward else -HEAD - 2 - width), point[1] - 2
            room = (x, y - COUNT_SIZE, x + width, y)
            if all(_apart(room, other) for other in taken):
                taken.append(room)
                yield f'<text class="count" {_text(text, x, y, COUNT_SIZE)}'
                break


def _apart(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Say whether two rectangles do not touch. They are left, top, right and bottom."""
    return first[2] < second[0] or second[2] < first[0] or first[3] < second[1] or second[3] < first[1]


def _edge_title(edge: GraphEdge, labels: dict[str, str]) -> str:
    verb = VERBS.get(edge.kind, edge.kind)
    count = f" ({edge.weight:,} references)" if edge.weight > 1 else ""
    place = f", {edge.path}:{edge.line}" if edge.line else ""
    sure = f", {WORDS[edge.certainty]}" if edge.certainty in WORDS else ""
    cycle = ", closes a cycle" if edge.cyclic else ""
    return f"{labels[edge.source]} {verb} {labels[edge.target]}{count}{place}{sure}{cycle}"


def _path(curve: Curve) -> str:
    """Return the SVG path of an edge, which leaves and reaches each layer straight."""
    points = [(y, x) for x, y in curve.points] if curve.vertical else list(curve.points)

    def place(along: float, across: float) -> str:
        return f"{across:.1f} {along:.1f}" if curve.vertical else f"{along:.1f} {across:.1f}"

    parts = [f"M{place(*points[0])}"]
    for number, ((along, across), (end, end_across)) in enumerate(pairwise(points)):
        # Every second part passes a layer, between its boxes.
        if number % 2:
            parts.append(f"L{place(end, end_across)}")
            continue
        bend = max(along, end) + LOOP if curve.loop else (along + end) / 2
        parts.append(f"C{place(bend, across)} {place(bend, end_across)} {place(end, end_across)}")
    return "".join(parts)


def _legend(graph: GraphExport, layout: Layout, width: float) -> tuple[list[str], float]:
    """Return the elements of the legend below a picture, and the height of both. It explains only what the picture shows."""
    entries = [*_samples(graph), *(("", hole) for hole in _holes(graph))]
    x, y, parts = 12.0, layout.height + 12, []
    for sample, words in entries:
        start = SAMPLE + 6 if sample else 0.0
        size = start + text_width(words, PATH_SIZE)
        if x > 12 and x + size > width - 12:
            x, y = 12.0, y + LEGEND_LINE
        if sample:
            parts.append(f'<g transform="translate({x:.1f} {y:.1f})">{sample}</g>')
        parts.append(f'<text class="small" {_text(words, x + start, y, PATH_SIZE)}')
        x += size + LEGEND_GAP
    return parts, y + 10 if entries else layout.height


def _samples(graph: GraphExport) -> Iterator[tuple[str, str]]:
    """Yield what a picture shows, as a drawing or an empty text, with what it means."""
    line = f'<path class="line" d="M0 -4h{SAMPLE:.0f}"/>'
    for name, words in WORDS.items():
        if any(edge.certainty == name for edge in graph.edges):
            yield f'<g class="edge {name}">{line}</g>', words
    if any(edge.cyclic for edge in graph.edges):
        yield f'<g class="edge cyclic">{line}</g>', "closes a cycle of the framed boxes"
    shapes: dict[str, list[str]] = {}
    for kind in dict.fromkeys(edge.kind for edge in graph.edges):
        shapes.setdefault(HEADS.get(kind, ""), []).append(kind)
    for kinds in shapes.values():
        verbs = printable(" or ".join(VERBS.get(kind, kind) for kind in kinds))
        yield f'<g class="edge">{line}{_head(kinds[0], SAMPLE, -4, -HEAD)}</g>', shortened(verbs, MAX_CELLS)
    if any(edge.weight > 1 for edge in graph.edges):
        yield "", "2: number of references"
    if any(node.count for node in graph.nodes):
        yield "", "▸ 12: folded, opens on click"


def _holes(graph: GraphExport) -> Iterable[str]:
    """Yield a sentence for each thing that a picture may lack."""
    certainty = graph.certainty
    if graph.implied:
        yield f"not shown: {graph.implied:,} lighter dependencies that others imply"
    if certainty.unresolved:
        yield f"not shown: {certainty.unresolved:,} unresolved calls of that name"
    if certainty.unread:
        yield f"{certainty.unread:,} files not read whole"
    if graph.truncated or certainty.truncated:
        yield "cut off by a limit"
