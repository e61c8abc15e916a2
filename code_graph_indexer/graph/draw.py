"""Write a graph as text in a format for other programs (DOT, GraphML, Mermaid, JSON), or as a picture (SVG)."""

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from code_graph_indexer.errors import UsageError
from code_graph_indexer.picture.graph import GraphExport, GraphNode
from code_graph_indexer.picture.svg import draw_svg, file_link
from code_graph_indexer.picture.text import printable

if TYPE_CHECKING:
    import networkx as nx

FORMATS = ("dot", "graphml", "mermaid", "json", "svg")

_PLAIN = re.compile(r"(?!\d+[.)] )\w[\w ./:(),+-]*")
"""Pattern of a label that Mermaid shows as it is. It takes `1. Start` for a list."""

_MERMAID_MARK = re.compile(r"[^\w ]")
_DOT_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\""})


def draw(graph: GraphExport, form: str) -> str:
    """Return a graph as text. `form` is one of FORMATS. Raises UsageError for another format."""
    match form:
        case "dot":
            return _dot(_printable(graph))
        case "mermaid":
            return _mermaid(_printable(graph))
        case "svg":
            return draw_svg(graph, file_link, standalone=True)
    # networkx takes long to load, and only two formats need it.
    import networkx as nx

    match form:
        case "graphml":
            return "\n".join(nx.generate_graphml(_networkx(_printable(graph))))
        case "json":
            # The key `edges` is named, because its default differs between versions of networkx.
            return json.dumps(nx.node_link_data(_networkx(graph), edges="edges"), ensure_ascii=False, indent=2)
    raise UsageError(f"there is no format {form!r}; known: {', '.join(FORMATS)}")


def _networkx(graph: GraphExport) -> "nx.MultiDiGraph[str]":
    import networkx as nx

    multigraph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes:
        multigraph.add_node(node.id, label=node.label, kind=node.kind, path=node.path, line=node.line, count=node.count)
    for edge in graph.edges:
        # Two definitions may be joined by several kinds of edges, hence the multigraph.
        multigraph.add_edge(edge.source, edge.target, kind=edge.kind, weight=edge.weight, confidence=edge.confidence)
    return multigraph


def _printable(graph: GraphExport) -> GraphExport:
    """Return a graph whose texts have no control characters, which GraphML forbids and no other format shows."""
    ids = {node.id: _printable_id(node.id, number) for number, node in enumerate(graph.nodes)}
    nodes = (
        replace(node, id=ids[node.id], label=printable(node.label), path=printable(node.path)) for node in graph.nodes
    )
    edges = (replace(edge, source=ids[edge.source], target=ids[edge.target]) for edge in graph.edges)
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def _printable_id(node_id: str, number: int) -> str:
    # Two paths may differ in such a character alone.
    return node_id if node_id.isprintable() else f"{printable(node_id)} ({number})"


def _label(node: GraphNode) -> str:
    return f"{node.label} ({node.count:,})" if node.count else node.label


def _dot_text(text: str) -> str:
    """Return a text as a string of DOT."""
    return f'"{text.translate(_DOT_ESCAPES)}"'


def _dot_label(text: str) -> str:
    """Return a text as a label of DOT, in which `&lt;` would be read as a character of HTML."""
    return _dot_text(text.replace("&", "&amp;"))


def _mermaid_label(text: str) -> str:
    """Return a text as a label of Mermaid. HTML, Markdown and entities in it are shown, not obeyed."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    # A label may not be empty. Mermaid mangles entities behind a colon, so with one mark all are written so.
    return f'"{_MERMAID_MARK.sub(lambda mark: f"#{ord(mark[0])};", text) or " "}"'


def _dot(graph: GraphExport) -> str:
    """Write a graph in DOT. Calls and references show their number. Other edges are dashed or dotted, and show their kind."""
    lines = ["digraph code {", "  rankdir=LR;", "  node [shape=box, fontname=Helvetica];"]
    lines += [
        f"  {_dot_text(node.id)} [label={_dot_label(_label(node))}, tooltip={_dot_label(node.path)}];"
        for node in graph.nodes
    ]
    for edge in graph.edges:
        style = (
            "" if edge.kind in ("calls", "refers") else f", style={'dashed' if edge.kind == 'overrides' else 'dotted'}"
        )
        label = _dot_label(edge.kind if style else str(edge.weight))
        lines.append(f"  {_dot_text(edge.source)} -> {_dot_text(edge.target)} [label={label}{style}];")
    return "\n".join([*lines, "}"])


def _mermaid(graph: GraphExport) -> str:
    """Write a graph as a flowchart of Mermaid. Its edges have no labels, and their arrows tell overrides and bases apart."""
    # An id of Mermaid is a plain word, which a path is not.
    number = {node.id: f"n{position}" for position, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f"  {number[node.id]}[{_mermaid_label(_label(node))}]" for node in graph.nodes]
    arrows = {"overrides": "-.->", "inherits": "==>"}
    for edge in graph.edges:
        lines.append(f"  {number[edge.source]} {arrows.get(edge.kind, '-->')} {number[edge.target]}")
    return "\n".join(lines)
