"""The frozen records of a part of the graph, for a picture or another program."""

from dataclasses import dataclass

from code_graph_indexer.results import Certainty

COMPLETE = Certainty()
"""The certainty of a picture that lacks nothing."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of a graph: a definition, a file, or a fold, which stands for several of them.

    `name` is the qualified name of a definition, and `line` its first line in `path`. `count` is the number of definitions or
    files that a fold stands for, and 0 for any other node. You open a fold by its `id`. `group` is the id of the group that
    holds the node. `layer` is its column in a picture, if the question says it. `cyclic` marks a file or folder in a cycle.

    Example:
        >>> node = indexer.graph.export(["add_tax"]).nodes[0]
        >>> node.path.endswith(".py")
        True
    """

    id: str
    label: str
    kind: str
    path: str
    line: int = 0
    name: str = ""
    count: int = 0
    group: str = ""
    layer: int | None = None
    is_test: bool = False
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of a graph. `weight` counts the references between its ends, and `confidence` is that of the surest.

    `path` and `line` are the place of a reference. `certainty` names how sure the surest is: `proven`, `alternative` (the build
    decides), `may` (dynamic dispatch decides) or `guessed`. `cyclic` marks an edge that closes a cycle.

    Example:
        >>> edge = indexer.graph.export(["add_tax"]).edges[0]
        >>> edge.kind
        'calls'
    """

    source: str
    target: str
    kind: str
    weight: int
    confidence: float
    path: str = ""
    line: int = 0
    certainty: str = ""
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class GraphExport:
    """A part of the graph, for drawing or computing. `truncated` is true if a limit left nodes out.

    `groups` are the files or classes that hold nodes. `center` is the id of the node or group that the graph is about.
    `implied` counts the dependencies left out because heavier ones imply them. `title` says what the graph is about.
    `layers` are the headings of the columns of a picture, in their order. `certainty` says what the answer may lack.

    Example:
        >>> export = indexer.graph.export(["add_tax"])
        >>> len(export.nodes), export.truncated
        (2, False)
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool = False
    groups: tuple[GraphNode, ...] = ()
    center: str = ""
    certainty: Certainty = COMPLETE
    implied: int = 0
    title: str = ""
    layers: tuple[str, ...] = ()
