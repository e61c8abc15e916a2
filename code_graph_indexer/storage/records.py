"""The frozen records that every store returns or takes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from code_graph_indexer.results import Neighbour, PackageUse, Use
from code_graph_indexer.storage.identity import is_member
from code_graph_indexer.syntax.records import TYPE_KINDS, WRITTEN_KINDS

MAX_CANDIDATES = 10
"""How many candidates the index stores per ambiguous reference. A longer list would not help anybody to choose."""

USES = ("reads", "writes", "types")
"""Kinds of edges by which a change of a constant, field or type affects who uses it: followed from the change alone.

They mostly lead to members. A graph in memory has those that lead to chunks.
"""


class StoredChunk(NamedTuple):
    """A stored chunk, with the path, language, source type and repository of its file.

    Bytes are offsets into the file's text, half-open. Lines are 1-based and inclusive.
    """

    id: int
    file_id: int
    parent_id: int | None
    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    name_line: int
    def_end_line: int
    path: str
    language: str | None
    source_type: str
    repo_id: str


def definition_id(chunk: StoredChunk) -> int:
    """Return the id of the chunk's definition: the parent's id if the chunk is a `block`, else its own id."""
    return chunk.parent_id if chunk.kind == "block" and chunk.parent_id is not None else chunk.id


class External(NamedTuple):
    """A name outside the repository: `Session.get` in the module `requests` of the ecosystem `pypi`.

    `module` is the text of the import, or empty for what the language itself has. `name` is the path of names behind it, or
    empty for the module. `Session().send()` in it is the result of a call.
    """

    ecosystem: str
    module: str
    name: str


class ResolvedReference(NamedTuple):
    """A linked reference: with a target, with candidates if it is ambiguous, or with neither if it is unresolved.

    One without a target may have a name outside the repository (`external`), with its confidence.

    Source, target and candidates are chunk ids. `column` counts bytes from the start of the line. `tied` means that an
    overload of the target takes the same number of arguments.
    """

    source_id: int
    kind: str
    name: str
    receiver: str
    line: int
    column: int
    target_id: int | None
    confidence: float | None
    candidates: tuple[int, ...] = ()
    origin: str = "resolver"
    tied: bool = False
    external: External | None = None


def joined_name(module: str, name: str) -> str:
    """Return the full name of something in a module: `react.useState`. That of the language's own has no module."""
    return f"{module}.{name}" if module and name else module or name


def name_inside(qualified_name: str, module: str) -> str:
    """Return a definition's name inside its file: `Cart.add` for `shop.cart.Cart.add` in the module `shop.cart`."""
    return qualified_name.removeprefix(f"{module}.") if module else qualified_name


OUTSIDE_KINDS = ("calls", "imports", "inherits", "reads", "types")
"""The kinds of references that are kept with the name that they have outside the repository."""


class FileRow(NamedTuple):
    """A file of the index, without its text. `size` is in bytes. `error` is the reason why it is not indexed, or None."""

    id: int
    path: str
    language: str | None
    source_type: str
    size: int
    lines: int
    module: str
    content_hash: bytes
    error: str | None


HISTORY_KEYS = ("head", "history")
"""The keys of `meta` that date the history: the commit, and a stamp of all that was read. Without it, some may lack."""

HISTORY_TABLES = ("history", "changed_together")
"""The tables that hold it."""


class History(NamedTuple):
    """What git knows of a repository's files. Times are seconds since 1970.

    `files` maps a path to (time of its last commit, number of its authors). `together` maps a path to the files that commits
    changed with it, as (path, number of commits), the most frequent first.
    """

    files: Mapping[str, tuple[int, int]]
    together: Mapping[str, Sequence[tuple[str, int]]]


class ChunkFile(NamedTuple):
    """The file of a chunk, with the properties that ranking needs.

    `marks` are properties that lower the rank: any of `test`, `example`, `generated`, `vendored` and `text`. `text` is
    a file that is not code.
    """

    id: int
    path: str
    marks: tuple[str, ...] = ()


class Edge(NamedTuple):
    """A stored reference between two chunks, seen from one of them.

    `of` is the chunk at the near end, `chunk_id` the chunk at the far end. The query decides which of them is the
    source. `line` is the 1-based line of the reference. `receiver` is the expression before the name: `self.cart` in
    `self.cart.add()`.
    """

    of: int
    chunk_id: int
    kind: str
    line: int
    confidence: float
    receiver: str = ""


def caller_order(neighbour: Neighbour) -> tuple[float, bool, str, int]:
    """Return the key by which callers are sorted: the most certain first, code before tests, then by path and line."""
    symbol = neighbour.symbol
    return -neighbour.confidence, symbol.is_test, symbol.file_path, neighbour.line


def use_order(use: Use) -> tuple[str, int, int, str, str, str, float, bool]:
    """Return the key by which uses are sorted: by place, then by kind, and then by what tells equal ones apart."""
    return use.file_path, use.line, use.column, use.kind, use.name, use.source, -use.confidence, use.candidate


def package_order(use: PackageUse) -> tuple[int, str, str]:
    """Return the key by which packages are sorted: the most used first."""
    return -use.uses, use.ecosystem, use.package


class LinkRow(NamedTuple):
    """All references from a file to another file: how many, the confidence of the surest, and the line of the first.

    `from_test` and `to_test` say whether the files are tests.
    """

    source: str
    target: str
    weight: int
    confidence: float
    line: int
    from_test: bool
    to_test: bool


CHUNK_MARKS = ("", "declaration", "test", "module")
"""Properties of a chunk that lower its rank. The field `mark` of CHUNK_TRAITS is a position in this tuple.

A `declaration` is a function without a body, such as a prototype, if another chunk with its name has one. A `test` is
in a module of tests inside a file of code, as in Rust. The empty string is for all other chunks.
"""


class StoredFile(NamedTuple):
    """A file with its text, as the linker reads it. `chunk_ids` and `member_ids` are in the order in the file."""

    id: int
    path: str
    language: str
    is_test: bool
    text: bytes
    chunk_ids: list[int]
    member_ids: list[int]
    content_hash: bytes


class StoredDefinition(NamedTuple):
    """A stored definition: a chunk, or a member of a chunk, such as a field.

    `dotted` is the name inside the file, such as `Cart.add`. `line` is the 1-based line of the name. `chunk_id` is the
    chunk that is the definition's node in the graph. `language` is empty if the file has none.
    """

    path: str
    language: str
    line: int
    name: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool
    signature: str
    doc: str

    @property
    def target(self) -> "Target":
        """Return the definition as the target of a reference."""
        return Target(self.path, self.dotted, self.kind, self.chunk_id, self.has_body)


class Target(NamedTuple):
    """A definition at linking: one that a reference may mean.

    `dotted` is the dotted name inside the file, such as `Cart.total`. `chunk_id` is the id of its node in the graph.
    `is_local` is true for a function that other files can only call if they include its file.
    """

    path: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool
    is_local: bool = False

    @property
    def name(self) -> str:
        """Return the simple name: `Cart.total` → `total`."""
        return self.dotted.rpartition(".")[2]

    @property
    def is_type(self) -> bool:
        """Say whether the definition is a type or module: code may instantiate it, inherit from it or call its members."""
        return self.kind in TYPE_KINDS

    @property
    def holds_value(self) -> bool:
        """Say whether the definition holds a value, or is a short type: code that calls it runs what it holds."""
        return self.kind in WRITTEN_KINDS or is_member(self.chunk_id)


class ExactUse(NamedTuple):
    """A linked reference at a line and column, from a SCIP index.

    `target` is None if the definition is outside the repository. `source_id` is the chunk that contains the use. If `kind` is
    `overrides`, the definition at this location overrides the target.
    """

    line: int
    column: int
    kind: str
    name: str
    source_id: int
    target: Target | None


class Sums(NamedTuple):
    """The numbers of indexed files, of their lines, and of chunks in an index. `parsed` files have a language."""

    files: int
    lines: int
    chunks: int
    parsed: int


class WordCounts(NamedTuple):
    """How many chunks have words, and how many of them contain each term. Terms that none contains may be left out."""

    chunks: int
    having: Mapping[str, int]


def by_size(counter: Counter[str]) -> dict[str, int]:
    """Return counts in order: the largest first, equal counts by name."""
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


class StoredFileIds(NamedTuple):
    """The ids of a file that was written, and of its chunks and members in order. The ids of
    members begin at FIRST_MEMBER.

    `fresh` holds the positions in `chunk_ids`, from 0, of the chunks that are new or have a new text.
    """

    file_id: int
    chunk_ids: list[int]
    fresh: frozenset[int]
    member_ids: list[int]


class LinkedRegistration(NamedTuple):
    """A linked registration: a place where a framework learns of code that it calls.

    `source_id` is the chunk around it. `target_id` is the chunk of the handler, or of the file with the mounted router.
    `target_name` is the variable of that router, or the handler as written. The other fields are those of a Registration.
    """

    source_id: int
    framework: str
    kind: str
    verb: str
    name: str
    router: str
    line: int
    target_id: int | None
    target_name: str


UNLINKED = "while its calls were looked up"
"""The last words of the error of a file whose references could not be resolved. Its definitions are in the index."""


class LinkedFile(NamedTuple):
    """A file after it is linked: rows for the tables `refs`, `candidates` and `registrations` of the index.

    `lookups` are the packed hashes of the keys that linking looked up. An update links the file again when what such a key
    names changes. `error` says why it has no rows, if linking failed.
    """

    file_id: int
    lookups: bytes
    rows: list[tuple[Any, ...]]
    candidates: list[tuple[int, int, int]]
    registrations: list[tuple[Any, ...]]
    error: str | None = None

    @classmethod
    def of(
        cls,
        file_id: int,
        lookups: bytes,
        references: Iterable[ResolvedReference],
        registrations: Iterable[LinkedRegistration],
    ) -> "LinkedFile":
        """Make the rows of references and registrations. Those of each source chunk are numbered from 0, in their order."""
        rows: list[tuple[Any, ...]] = []
        candidates: list[tuple[int, int, int]] = []
        ordinals: dict[int, int] = defaultdict(int)
        for (
            source_id,
            kind,
            name,
            receiver,
            line,
            column,
            target,
            sure,
            chunk_ids,
            origin,
            tied,
            external,
        ) in references:
            ordinal = ordinals[source_id]
            ordinals[source_id] = ordinal + 1
            if chunk_ids:
                candidates += [(source_id, ordinal, chunk_id) for chunk_id in chunk_ids]
            ambiguous = 1 if tied or chunk_ids else 0
            # The resolver made nearly all of them, and a null is smaller.
            stored_origin = None if origin == "resolver" else origin
            rows.append(
                (
                    source_id,
                    ordinal,
                    kind,
                    name,
                    receiver,
                    line,
                    column,
                    target,
                    sure,
                    ambiguous,
                    stored_origin,
                    external,
                )
            )
        ordinals.clear()
        registered: list[tuple[Any, ...]] = []
        for registration in registrations:
            ordinal = ordinals[registration.source_id]
            ordinals[registration.source_id] = ordinal + 1
            registered.append((registration.source_id, ordinal, *registration[1:]))
        return cls(file_id, lookups, rows, candidates, registered)
