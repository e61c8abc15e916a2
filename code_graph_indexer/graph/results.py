"""The frozen records with which the graph answers. Lines are 1-based and inclusive."""

from dataclasses import dataclass

from code_graph_indexer.results import Certainty, ExternalUse, OpenSite, Symbol, Tables, Use

CERTAINTIES = ("proven", "alternative", "may", "guessed")
"""The names of certainties, the surest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """An edge in an answer that a walk follows.

    `symbol` is the definition that the edge leads to, and `via` the definition that it comes from. `line` is the line of the
    reference, in `file_path`. `depth` is the number of edges from the start of the walk, from 1. `kind` is the kind of the
    edge. `confidence` is the lowest confidence of these edges. `may` is true if dynamic dispatch decides whether one of these
    edges is taken. `alternative` is true if the build decides it, because one of them leads to one of several definitions, or
    stands under the opposite condition.

    Example:
        >>> step = indexer.callers("add_tax")[0].steps[0]
        >>> step.symbol.qualified_name, step.file_path, step.line
        ('shop.cart.Cart.total', 'shop/cart.py', 24)
    """

    symbol: Symbol
    kind: str
    file_path: str
    line: int
    confidence: float
    depth: int = 1
    may: bool = False
    via: str = ""
    alternative: bool = False


@dataclass(frozen=True, slots=True)
class UsesOfKind:
    """The uses of a definition that are of one kind: the first of them as steps, and the number of all."""

    kind: str
    steps: tuple[Step, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Reach(Tables):
    """The definitions that a walk from one definition reaches, nearest first.

    `declarations` declare the definition in other places, such as a header. `alternatives` are definitions that another build
    takes instead of it, such as those for other platforms. `references` are the places that use a definition as a value, such
    as a table of functions, if you ask for its callers. `external` are the calls of the definition itself that lead out of the
    repository, if you ask for its callees.

    Example:
        >>> reach = indexer.callees("Cart.total")[0]
        >>> len(reach.steps)
        5
    """

    symbol: Symbol
    steps: tuple[Step, ...]
    certainty: Certainty
    declarations: tuple[Symbol, ...] = ()
    alternatives: tuple[Symbol, ...] = ()
    references: tuple[Step, ...] = ()
    external: tuple[ExternalUse, ...] = ()


@dataclass(frozen=True, slots=True)
class References(Tables):
    """All known uses of a definition, by kind, code before tests.

    `unlinked_lines` counts the lines of code in `unlinked_files` that hold its name and are linked to no definition of it:
    text, another thing of that name, or a use that was not followed.

    Example:
        >>> references = indexer.references("TAX_PERCENT")[0]
        >>> [use.source for use in references.uses], references.unlinked_lines
        (['shop.pricing.add_tax'], 0)
    """

    symbol: Symbol
    uses: tuple[Use, ...]
    unlinked_lines: int = 0
    unlinked_files: int = 0


@dataclass(frozen=True, slots=True)
class PathEnd:
    """A call at which the known calls end: it is in `caller`, so many calls away from the source, and has no known target.

    `candidates` are the first definitions that it might run. `leads` says whether these reach the target by known calls.

    Example:
        >>> indexer.graph.paths("place_order", "add_tax").ends
        ()
    """

    caller: Symbol
    file_path: str
    line: int
    name: str
    depth: int
    candidates: tuple[Symbol, ...]
    leads: bool

    def __str__(self) -> str:
        """Write the place of the call, and what it might run."""
        might = ", ".join(dict.fromkeys(symbol.qualified_name for symbol in self.candidates))
        return f"{self.file_path}:{self.line}  {self.name}(…) in {self.caller.qualified_name}  might call {might}"


@dataclass(frozen=True, slots=True)
class CallPaths(Tables):
    """The shortest call paths from one definition to another. Each path is a tuple of steps.

    If there is none, `ends` are the calls at which the known calls from the source end.

    Example:
        >>> paths = indexer.graph.paths("place_order", "add_tax").paths
        >>> [step.symbol.name for step in paths[0]]
        ['total', 'add_tax']
    """

    source: Symbol
    target: Symbol
    paths: tuple[tuple[Step, ...], ...]
    certainty: Certainty
    ends: tuple[PathEnd, ...] = ()


@dataclass(frozen=True, slots=True)
class Impact(Tables):
    """The definitions that a change affects, nearest first, and the test files to run.

    In `tests`, changed tests come first, then those named after the change, then the nearest ones. If no test is within the
    depth, they are farther away.
    `unmapped` are changed files without definitions in the index. `removed` are names that a diff deletes, as `path:name`.
    `open_sites` are calls that could not be linked and may be calls of the changed definitions, the likeliest first.
    `test_steps` are the uses in tests that lead to the change, nearest first. Unlike `affected`, they may repeat a definition
    and be farther away. A step of the confidence 0.2 is a call that only has the right name.
    `silent` says how tests may use the change although no link leads there: as a property, by an operator or by dispatch.
    `distances` counts the affected definitions that are no tests, at each distance from 1.

    Example:
        >>> impact = indexer.graph.impact("add_tax")
        >>> impact.tests
        ('tests/test_cart.py',)
    """

    changed: tuple[Symbol, ...]
    affected: tuple[Step, ...]
    tests: tuple[str, ...]
    certainty: Certainty
    unmapped: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    open_sites: tuple[OpenSite, ...] = ()
    test_steps: tuple[Step, ...] = ()
    silent: tuple[str, ...] = ()
    distances: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hierarchy(Tables):
    """The classes above and below a class. `outside` names bases that are not in the repository.

    Example:
        >>> indexer.graph.hierarchy("EmptyCartError").outside
        ('Exception',)
    """

    symbol: Symbol
    bases: tuple[Step, ...]
    derived: tuple[Step, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file that another file imports, or that imports the other file. `lines` are the lines of the import statements.

    Example:
        >>> link = indexer.graph.dependents("shop/pricing.py").files[0]
        >>> link.path, link.lines
        ('shop/cart.py', (4,))
    """

    path: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileLinks(Tables):
    """The files that a file imports, or the files that import it. `outside` names imported modules outside the repository.

    Example:
        >>> [link.path for link in indexer.graph.imports("shop/cart.py").files]
        ['shop/items.py', 'shop/pricing.py']
    """

    path: str
    files: tuple[FileLink, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A place in an answer where a framework learns of code that it calls: a route, a command, a task and the like.

    `name` is the URL pattern of a route with the prefixes of all routers above it, or the name of a command, task, event or
    fixture. `verb` is empty if the framework calls the handler for any method. `handler` is the handler as written, and
    `symbol` its definition, or None if the handler is not known.

    Example:
        >>> [(route.verb, route.name, route.handler) for route in indexer.graph.routes()]
        []
    """

    kind: str
    framework: str
    verb: str
    name: str
    file_path: str
    line: int
    handler: str
    symbol: Symbol | None
    is_test: bool


@dataclass(frozen=True, slots=True)
class Unused:
    """A definition without a known reference.

    `confidence` (0 to 1) says how sure it is that nothing uses the definition. `reason` explains the confidence.

    Example:
        >>> unused = indexer.graph.unused()
        >>> "cancel_order" in [entry.symbol.name for entry in unused]
        True
    """

    symbol: Symbol
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A definition that many others depend on. `rank` is its PageRank in the graph of calls, and all ranks sum to 1.

    `alternatives` are definitions that another build takes instead of it. They are no hubs of their own.

    Example:
        >>> hub = indexer.graph.hubs(limit=1)[0]
        >>> 0 < hub.rank < 1
        True
    """

    symbol: Symbol
    callers: int
    callees: int
    rank: float
    alternatives: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Community:
    """Files that refer to each other more than to others.

    `folder` contains most of the files. `hubs` are the three files with the most references to them. `inside` counts the
    references between the files, and `outside` the references to and from other files.

    Example:
        >>> communities = indexer.graph.communities()
        >>> sum(len(community.files) for community in communities) > 0
        True
    """

    folder: str
    files: tuple[str, ...]
    hubs: tuple[str, ...]
    inside: int
    outside: int
