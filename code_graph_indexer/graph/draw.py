"""Write a part of the graph for other programs: DOT, GraphML, Mermaid, JSON."""

import json

import networkx as nx

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import GraphExport

FORMATS = ("dot", "graphml", "mermaid", "json")


def draw(graph: GraphExport, form: str) -> str:
    """Write a graph in one of FORMATS. Raises UsageError for another one."""
    match form:
        case "dot":
            return _dot(graph)
        case "mermaid":
            return _mermaid(graph)
        case "graphml":
            return "\n".join(nx.generate_graphml(_networkx(graph)))
        case "json":
            return json.dumps(nx.node_link_data(_networkx(graph), edges="edges"), ensure_ascii=False, indent=2)
    raise UsageError(f"there is no format {form!r}; known: {', '.join(FORMATS)}")


def _networkx(graph: GraphExport) -> "nx.MultiDiGraph[str]":
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes:
        made.add_node(node.id, label=node.label, kind=node.kind, path=node.path)
    for edge in graph.edges:
        made.add_edge(edge.source, edge.target, kind=edge.kind, weight=edge.weight, confidence=edge.confidence)
    return made


def _quoted(text: str) -> str:
    """Quote a text as both DOT and Mermaid read it."""
    return '"' + "".join(one for one in text.replace("\\", "/").replace('"', "'") if one.isprintable()) + '"'


def _dot(graph: GraphExport) -> str:
    lines = ["digraph code {", "  rankdir=LR;", "  node [shape=box, fontname=Helvetica];"]
    lines += [f"  {_quoted(one.id)} [label={_quoted(one.label)}, tooltip={_quoted(one.path)}];" for one in graph.nodes]
    for edge in graph.edges:
        style = (
            "" if edge.kind in ("calls", "refers") else f", style={'dashed' if edge.kind == 'overrides' else 'dotted'}"
        )
        label = _quoted(edge.kind) if style else _quoted(str(edge.weight))
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [label={label}{style}];")
    return "\n".join([*lines, "}"])


def _mermaid(graph: GraphExport) -> str:
    number = {one.id: f"n{place}" for place, one in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f"  {number[one.id]}[{_quoted(one.label)}]" for one in graph.nodes]
    arrows = {"overrides": "-.->", "inherits": "==>"}
    for edge in graph.edges:
        lines.append(f"  {number[edge.source]} {arrows.get(edge.kind, '-->')} {number[edge.target]}")
    return "\n".join(lines)
