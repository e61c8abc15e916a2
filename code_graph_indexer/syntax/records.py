"""The frozen records of one file, from bytes to chunks and references.

Records made by the hundred thousand are NamedTuples, which are three times faster to build and pickle. The rest are frozen
dataclasses. Bytes are 0-based and half-open, lines are 1-based and inclusive.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from code_graph_indexer.results import SourceType

CLASS_KINDS = frozenset({"class", "interface", "struct", "enum", "trait", "union", "object", "protocol"})
"""Kinds of definitions that have members."""


FUNCTION_KINDS = frozenset({"function", "method", "macro", "property"})
"""Kinds that hold statements. A property holds them in its accessors."""


Row = TypeVar("Row", bound=tuple[object, ...])


def as_records(cls: type[Row], rows: Iterable[tuple[object, ...]]) -> Iterable[Row]:
    """Make records of plain rows that have all their fields, in a third of the time that calling the class takes."""
    return map(partial(tuple.__new__, cls), rows)


class Definition(NamedTuple):
    """A named thing of a file, after its parent is known. The stage before it is captures.RawDefinition.

    `parent` is the position of the enclosing definition in the file's list, or -1. `start` to `end` is the whole definition
    with its decorators. `lead` is where the comments above it start, and `name_start` where its name stands.
    `path_name` is the dotted name inside the file, such as `Engine.run`. A mere declaration has no body.
    `fewest` and `most` are the numbers of arguments that it takes. `types` are the simple names of their types, where its
    language tells overloads apart.
    """

    kind: str
    name: str
    path_name: str
    start: int
    end: int
    lead: int
    name_start: int
    signature: str
    doc: str
    parent: int
    owner: str
    type_name: str
    has_body: bool
    fewest: int
    most: int
    types: tuple[str, ...] = ()


class Reference(NamedTuple):
    """A use of a name, such as a call or a base class. `scope` is the position of the enclosing definition, or -1.

    Of the kind `runs` it is a call that does not name what it calls: `name` is then the step from the receiver.
    `arguments` counts what a call gives, and is -1 where that is not known. `given` describes each argument by its path, or
    by the kind of its literal: `"`, `'`, `1`, `1.`, `true` or `null`.
    """

    kind: str
    name: str
    receiver: str
    start: int
    scope: int
    arguments: int
    given: tuple[str, ...] = ()


class Import(NamedTuple):
    """An imported name: `from module import name as alias`. The name is `*` for all, and empty for the module itself."""

    module: str
    name: str
    alias: str
    start: int
    scope: int


class Binding(NamedTuple):
    """What says something about a variable's type, after its scope is known. The stage before it is captures.RawBinding.

    It has an annotation, or the path of the assigned expression. With neither, it only hides outer names.
    `owner` is the receiver of a field (`self`), and empty for a local variable. The result of a function has no name.
    A binding of a part of its scope, such as a comprehension, has `from_byte` and `to_byte`. All others have 0 there.
    """

    name: str
    owner: str
    type_name: str
    value: str
    start: int
    scope: int
    from_byte: int = 0
    to_byte: int = 0
    is_param: bool = False


class Argument(NamedTuple):
    """The path of a value that a call passes to a parameter: the one at `place`, counted from 0, or the one named `keyword`."""

    callee: str
    place: int
    keyword: str
    value: str
    start: int
    scope: int


@dataclass(frozen=True, slots=True)
class Syntax:
    """What the parse stage read from one file of a known language.

    `typevars` are type variables with their bounds. `extensions` are the positions of functions that are called as methods
    of a type, each with that type.
    """

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    arguments: tuple[Argument, ...] = ()
    typevars: tuple[tuple[str, str], ...] = ()
    extensions: tuple[tuple[int, str], ...] = ()
    module: str = ""
    module_doc: str = ""
    broken: bool = False


class Chunk(NamedTuple):
    """A unit of retrieval and node of the graph. `parent` is its parent's position in the file's list, or -1.

    `start` to `end` and the lines are the chunk's own text: the chunks of a file are ordered, disjoint and cover it.
    For a definition, `name_line` is the line of its name, and `def_end_line` its last line, children included.
    """

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    start: int
    end: int
    start_line: int
    end_line: int
    name_line: int
    def_end_line: int
    has_body: bool
    parent: int


class Member(NamedTuple):
    """A definition too small to be a chunk of its own, such as a constant or a field. Its text is in `chunk`."""

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    line: int
    end_line: int
    has_body: bool
    chunk: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file before it is parsed. `error` says why it is not indexed."""

    path: str
    language: str | None = None
    source_type: SourceType = SourceType.TEXT
    size: int = 0
    mtime_ns: int = 0
    content_hash: bytes = b""
    encoding: str = ""
    is_test: bool = False
    is_example: bool = False
    is_generated: bool = False
    is_vendored: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file read, parsed, chunked and, for a local embedder, embedded: all that the store keeps of it.

    `text` is UTF-8 with `\\n` line ends (empty once a worker has embedded it), `compressed` the same by zlib. `hashes`,
    `words` (one row of word fields), `grams` (the tokens to cut into trigrams) and `vectors` (int8, when a worker
    embedded) stand beside the chunks. `link_input` is a LinkInput packed by syntax.packing, for the resolver.
    """

    source: SourceFile
    text: bytes = b""
    compressed: bytes = b""
    lines: int = 0
    module: str = ""
    broken: bool = False
    chunks: tuple[Chunk, ...] = ()
    members: tuple[Member, ...] = ()
    hashes: tuple[bytes, ...] = ()
    words: tuple[tuple[str, ...], ...] = ()
    grams: tuple[str, ...] = ()
    vectors: tuple[bytes, ...] = ()
    link_input: bytes = b""


class LinkInput(NamedTuple):
    """What the resolver needs of a file: its syntax without docs, the chunk of each definition, and locations.

    `chunk_of` holds positions in the file's list of chunks. `places` holds pairs of line and column: those of the
    references, then those of the imports, then those of the definitions' names.
    """

    syntax: Syntax
    chunk_of: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
