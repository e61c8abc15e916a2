"""What questions to the graph are answered with. Every answer says how sure it is, and what the index does not know."""

from dataclasses import dataclass

from code_graph_indexer.types import OpenSite, Symbol

PROVEN = 0.9
"""Confidence from which an edge is called proven: of those, more than 97 in 100 are right (docs/calls.md)."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure an answer is: edges that are proven, guessed by name, or may be taken by dynamic dispatch.

    `unresolved` counts the call sites that could not be linked and might belong to the answer; `truncated` says that a limit of
    depth, size or time cut the answer off.
    """

    proven: int = 0
    guessed: int = 0
    may: int = 0
    unresolved: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One edge as seen from where the question started.

    `symbol` is what it leads to, `line` where the reference stands, in `file_path`; `depth` counts from 1.
    `kind` is that of the edge; `confidence` is the lowest on the way there, `may` says that somewhere on it an edge is taken
    only when dynamic dispatch chooses an override. `via` is the symbol it was reached from.
    """

    symbol: Symbol
    kind: str
    file_path: str
    line: int
    confidence: float
    depth: int = 1
    may: bool = False
    via: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    """What is reached from one definition, nearest first."""

    symbol: Symbol
    steps: tuple[Step, ...]
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class CallPaths:
    """The shortest ways from one definition to another; each is the list of its steps."""

    source: Symbol
    target: Symbol
    paths: tuple[tuple[Step, ...], ...]
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Impact:
    """Who is affected when some definitions change, by distance, and the test files to run.

    Tests that changed come first, then those that are nearest. `unmapped` are changed files without definitions in the index,
    `removed` the names that a diff takes away, with their files (`path:name`), `open_sites` calls that could not be linked
    and may be of what changed, the likeliest first.
    """

    changed: tuple[Symbol, ...]
    affected: tuple[Step, ...]
    tests: tuple[str, ...]
    certainty: Certainty
    unmapped: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    open_sites: tuple[OpenSite, ...] = ()


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The classes above and below a class."""

    symbol: Symbol
    bases: tuple[Step, ...]
    derived: tuple[Step, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file that imports, or is imported by, another one; `lines` are where the imports stand."""

    path: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileLinks:
    """What a file imports, or what imports it; `outside` are imported modules that are not in the repository."""

    path: str
    files: tuple[FileLink, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unused:
    """A definition without a known reference, with how sure it is that it is not used, and why not surer."""

    symbol: Symbol
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A definition that much depends on; `rank` is its PageRank in the graph of calls, 1 divided by their number on average."""

    symbol: Symbol
    callers: int
    callees: int
    rank: float


@dataclass(frozen=True, slots=True)
class Community:
    """Files that refer to each other more than to others; `folder` holds most of them, `hubs` are referred to most."""

    folder: str
    files: tuple[str, ...]
    hubs: tuple[str, ...]
    inside: int
    outside: int


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of an exported graph: a file, or a definition."""

    id: str
    label: str
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of an exported graph; `weight` counts the references between its ends."""

    source: str
    target: str
    kind: str
    weight: int
    confidence: float


@dataclass(frozen=True, slots=True)
class GraphExport:
    """A part of the graph, to be drawn or computed with."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class ScipExport:
    """What a SCIP index that was written holds."""

    path: str
    documents: int
    definitions: int
    references: int
