"""Write a graph as text in a format for other programs (DOT, GraphML, Mermaid, JSON), or as a picture (SVG)."""

import json
from typing import TYPE_CHECKING

from code_graph_indexer.errors import UsageError
from code_graph_indexer.picture import draw_svg, file_link
from code_graph_indexer.results import GraphExport, GraphNode

if TYPE_CHECKING:
    import networkx as nx

FORMATS = ("dot", "graphml", "mermaid", "json", "svg")


def draw(graph: GraphExport, form: str) -> str:
    """Return a graph as text. `form` is one of FORMATS. Raises UsageError for another format."""
    match form:
        case "dot":
            return _dot(graph)
        case "mermaid":
            return _mermaid(graph)
        case "svg":
            return draw_svg(graph, file_link, standalone=True)
    # networkx takes long to load, and only two formats need it.
    import networkx as nx

    match form:
        case "graphml":
            return "\n".join(nx.generate_graphml(_networkx(graph)))
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


def _label(node: GraphNode) -> str:
    return f"{node.label} ({node.count:,})" if node.count else node.label


def _quoted(text: str) -> str:
    """Return a text in double quotes, without the characters that DOT or Mermaid cannot read."""
    # The two formats escape quotes differently, so marks that could end the text are replaced.
    return '"' + "".join(char for char in text.replace("\\", "/").replace('"', "'") if char.isprintable()) + '"'


def _dot(graph: GraphExport) -> str:
    lines = ["digraph code {", "  rankdir=LR;", "  node [shape=box, fontname=Helvetica];"]
    lines += [
        f"  {_quoted(node.id)} [label={_quoted(_label(node))}, tooltip={_quoted(node.path)}];" for node in graph.nodes
    ]
    for edge in graph.edges:
        style = (
            "" if edge.kind in ("calls", "refers") else f", style={'dashed' if edge.kind == 'overrides' else 'dotted'}"
        )
        label = _quoted(edge.kind) if style else _quoted(str(edge.weight))
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [label={label}{style}];")
    return "\n".join([*lines, "}"])


def _mermaid(graph: GraphExport) -> str:
    # An id of Mermaid is a plain word, which a path is not.
    number = {node.id: f"n{position}" for position, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f"  {number[node.id]}[{_quoted(_label(node))}]" for node in graph.nodes]
    arrows = {"overrides": "-.->", "inherits": "==>"}
    for edge in graph.edges:
        lines.append(f"  {number[edge.source]} {arrows.get(edge.kind, '-->')} {number[edge.target]}")
    return "\n".join(lines)
