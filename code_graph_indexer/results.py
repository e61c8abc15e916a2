"""The frozen records that every part of the package uses. Lines are 1-based and inclusive."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from html import escape
from itertools import chain
from typing import Any, cast


class SourceType(StrEnum):
    """The type of text that a file holds.

    Example:
        >>> indexer.retrieve("add_tax", limit=1)[0].source_type.value
        'code'
    """

    CODE = "code"
    MARKDOWN = "markdown"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Description:
    """What a language model wrote of a definition (`cgi describe`): one sentence, which no source says.

    Example:
        >>> print(Description("claude-sonnet-5", "Adds the tax to a price."))
        described by claude-sonnet-5: Adds the tax to a price.
    """

    model: str
    sentence: str

    def __str__(self) -> str:
        return f"described by {self.model}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in an answer. `chunk_id` is the id of the chunk that contains the definition.

    `member_id` is the id of a definition that is too small for a chunk of its own, such as a constant or a field.
    `description` is what a language model wrote of it (`cgi describe`), which only `symbol` asks for.

    Example:
        >>> symbol = indexer.symbol("add_tax")[0]
        >>> symbol.kind, symbol.qualified_name
        ('function', 'shop.pricing.add_tax')
    """

    chunk_id: int
    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    file_path: str
    start_line: int
    end_line: int
    language: str | None
    is_test: bool = False
    member_id: int | None = None
    description: Description | None = None

    @property
    def node_id(self) -> int:
        """Return the id of the definition as a node of the graph: its own, or else that of its chunk."""
        return self.chunk_id if self.member_id is None else self.member_id


@dataclass(frozen=True, slots=True)
class OpenSite:
    """A call in an answer that could not be linked to a definition.

    `candidate` is true if the definition in question is one of the possible targets.

    Example:
        >>> indexer.graph.impact("add_tax").open_sites
        ()
    """

    file_path: str
    line: int
    name: str
    receiver: str
    language: str
    is_test: bool
    candidate: bool


@dataclass(frozen=True, slots=True)
class Use:
    """A place in an answer where code uses a definition, or where a text names it.

    `kind` is `calls`, `references` (passed as a value), `reads`, `writes`, `types`, `inherits`, `overrides`, `imports` or
    `docs`. `column` counts bytes from 0. `source` is the qualified name of the definition around the place, and `text` the
    line. `candidate` is true if the definition is one of several that may be meant.

    Example:
        >>> use = indexer.references("TAX_PERCENT")[0].uses[0]
        >>> use.kind, use.file_path, use.text
        ('reads', 'shop/pricing.py', 'return cents + (cents * TAX_PERCENT + 50) // 100')
    """

    kind: str
    file_path: str
    line: int
    column: int
    name: str
    source: str
    confidence: float
    is_test: bool
    candidate: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge in an answer, with the definition at its far end. `line` is the line of the reference.

    Example:
        >>> chunk_id = indexer.symbol("add_tax")[0].chunk_id
        >>> [neighbour.symbol.name for neighbour in indexer.store.callers([chunk_id])]
        ['total']
    """

    symbol: Symbol
    kind: str
    line: int
    confidence: float
    origin: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a long run: `done` of `total` units of a stage, such as files.

    Example:
        >>> stages = []
        >>> report = indexer.index(full=True, report=lambda progress: stages.append(progress.stage))
        >>> len(stages) > 0
        True
    """

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FileOutline:
    """The definitions of a file, in order. `depths` maps the id of each chunk to its depth of nesting, from 0.

    `complete` is false if the grammar could not read the whole file, so that definitions may be missing.

    Example:
        >>> outline = indexer.outline("shop/pricing.py")
        >>> outline.symbols[-1].name
        'shipping_cost'
    """

    path: str
    symbols: tuple[Symbol, ...]
    depths: Mapping[int, int]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Filters:
    """The restrictions of a search. They apply before ranking. An empty field does not restrict.

    `repo_id` is a repository, or several of which any will do. `directory` is a folder below the root. `file_patterns` are
    globs for the path, in which `*` also matches `/`. A chunk that matches any field of `excluded` is left out.

    Example:
        >>> from code_graph_indexer import Filters, SparseRetriever
        >>> filters = Filters(languages=("go",))
        >>> SparseRetriever(indexer.store).retrieve("queue", filters, limit=1)[0].language
        'go'
    """

    repo_id: str | tuple[str, ...] | None = None
    languages: tuple[str, ...] = ()
    directory: str | None = None
    chunk_types: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    tests: bool | None = None
    excluded: "Filters | None" = None

    @property
    def repo_ids(self) -> tuple[str, ...] | None:
        """The repositories that are allowed, or None for all.

        Example:
            >>> from code_graph_indexer import Filters
            >>> Filters(repo_id="shop").repo_ids
            ('shop',)
        """
        return (self.repo_id,) if isinstance(self.repo_id, str) else self.repo_id


PROVEN = 0.9
"""The least confidence of an edge that is called proven. More than 97 in 100 of these edges are right.

docs/measured/calls.md has the measurement.
"""

ALTERNATIVE_DEFINITION = 0.8
"""Confidence in each of several definitions behind one declaration, of which a build takes one."""

CALLED_BACK = 0.74
"""Confidence in a function that a caller of the code around the call passes to it, as in `run(save)`."""

ANOTHER_BUILD = 0.4
"""Confidence in a definition that is in no build together with the call, because a preprocessor excludes either of them."""

IMPACT_DEPTH = 5
"""Default number of hops for the impact of a change. A change rarely affects definitions that are farther away."""


@dataclass(frozen=True, slots=True)
class ExternalUse:
    """A reference that leads out of the repository: to a name in a package, at a version if a lock file fixes one.

    `column` counts bytes from the start of the 1-based `line`. `definition` is the qualified name around the reference,
    and `chunk_id` its chunk.

    Example:
        >>> use = indexer.graph.external("dataclasses")[0]
        >>> use.ecosystem, use.package, use.qualified_name, use.confidence
        ('pypi', 'python', 'dataclasses.dataclass', 0.95)
    """

    ecosystem: str
    package: str
    version: str
    module: str
    qualified_name: str
    kind: str
    file_path: str
    line: int
    column: int
    confidence: float
    definition: str
    is_test: bool
    chunk_id: int


def is_in_package(name: str, package: str, qualified_name: str) -> bool:
    """Say whether a name of a package is `name`, or in the package, module or type of that name.

    Example:
        >>> [is_in_package(name, "requests", "requests.Session.get") for name in ("requests", "requests.Session", "requests.S")]
        [True, True, False]
    """
    return name == package or (qualified_name.startswith(name) and qualified_name[len(name) :][:1] in _ENDS)


_ENDS = ("", ".", "/", ":", "\\", "(")
"""What may stand after a name that another name begins with."""


@dataclass(frozen=True, slots=True)
class PackageUse:
    """A package outside the repository, with the number of references to it. The version is empty if nothing fixes it.

    Example:
        >>> PackageUse("npm", "react", "18.3.1", 40).uses
        40
    """

    ecosystem: str
    package: str
    version: str
    uses: int

    @property
    def key(self) -> tuple[str, str]:
        """Return what tells the package from others: its ecosystem and its name."""
        return self.ecosystem, self.package


@dataclass(frozen=True, slots=True)
class Certainty:
    """The certainty of an answer: counts of edges that are proven, guessed, or possible by dynamic dispatch (`may`).

    `alternative` counts the edges that depend on the build: they lead to one of several definitions, such as one for each
    platform.
    `unresolved` counts the calls that could not be linked and may belong to the answer. `truncated` is true if a limit of
    depth, size or time cut the answer off. `unread` counts the files that may hold more of the answer, but were not read
    whole, because their grammar or a limit stopped the reading.

    Example:
        >>> certainty = indexer.callers("add_tax")[0].certainty
        >>> certainty.proven, certainty.unresolved
        (1, 0)
    """

    proven: int = 0
    guessed: int = 0
    may: int = 0
    unresolved: int = 0
    truncated: bool = False
    unread: int = 0
    alternative: int = 0

    @property
    def complete(self) -> bool:
        """Say whether nothing is known that the answer may lack."""
        return not (self.unresolved or self.unread or self.truncated)


@dataclass(frozen=True, slots=True)
class ExpectedWord:
    """A word that the asker expects in the code: the number of chunks that have it, or else the names that come near.

    Example:
        >>> [word.text for word in indexer.expected("tax place_odrer")]
        ['tax (7)', 'place_odrer (none; near place_order)']
    """

    word: str
    chunks: int
    nearest: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the word with its count, or with the names near it."""
        if self.chunks:
            return f"{self.word} ({self.chunks:,})"
        return f"{self.word} (none; near {', '.join(self.nearest)})" if self.nearest else f"{self.word} (none)"


def expected_text(words: Sequence[ExpectedWord]) -> str:
    """Return the expected words in a sentence, or an empty text without any."""
    return f"Expected words: {', '.join(word.text for word in words)}." if words else ""


class Tables:
    """The lists of an answer as HTML tables, for notebooks. The text of a repository is never taken for HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return a table for each list of records, of its first TABLE_ROWS rows and the columns that any of them fills."""
        lists = ((field.name, getattr(self, field.name)) for field in fields(cast(Any, self)))
        return "".join(_table(name, _records(value)) for name, value in lists if isinstance(value, tuple))


TABLE_ROWS = 50
"""The most rows of a list that a notebook shows."""


def _records(values: Sequence[object]) -> list[object]:
    """List the records of a tuple. Those of tuples in it, such as paths, follow one another."""
    records: list[object] = []
    for value in values:
        records.extend(value if isinstance(value, tuple) else (value,))
    return [record for record in records if is_dataclass(record)]


def _table(name: str, records: Sequence[object]) -> str:
    """Write records as an HTML table with a heading. Empty without records."""
    rows = to_rows(records[:TABLE_ROWS])
    columns = [column for column in dict.fromkeys(chain.from_iterable(rows)) if any(row.get(column) for row in rows)]
    lines: list[list[object]] = [[*columns], *([row.get(column, "") for column in columns] for row in rows)]
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in line)}</tr>" for line in lines)
    rest = f", the first {TABLE_ROWS} of {len(records)}" if len(records) > TABLE_ROWS else ""
    return f"<p><b>{escape(name)}{rest}</b></p><table>{body}</table>" if records else ""


def to_rows(records: Iterable[object]) -> list[dict[str, object]]:
    """Return records as flat dictionaries, one a row, as a data frame takes them.

    A record in a field gives one column for each of its own fields, such as `symbol_name`. Fields with several values are left
    out, so that all records of a kind have the same columns.

    Example:
        >>> from code_graph_indexer import to_rows
        >>> rows = to_rows(indexer.callers("add_tax")[0].steps)
        >>> rows[0]["symbol_name"], rows[0]["line"]
        ('total', 24)
    """
    return [dict(_columns(record, "")) for record in records]


def _columns(record: object, prefix: str) -> Iterator[tuple[str, object]]:
    """Yield the fields of a record as name and value. A record in it gives its fields behind its name."""
    for field in fields(cast(Any, record)):
        value = getattr(record, field.name)
        if is_dataclass(value):
            yield from _columns(value, f"{prefix}{field.name}_")
        elif not isinstance(value, tuple | Mapping):
            yield f"{prefix}{field.name}", value
