"""The frozen records of one file, from its bytes to chunks and references.

Records that exist by the hundred thousand are NamedTuples, which are three times faster to build and pickle. The others
are frozen dataclasses. Byte spans are 0-based and half-open. Lines are 1-based and inclusive. An expression path is a
shortened expression, such as `self.load()[0]`, see syntax.expressions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from code_graph_indexer.results import SourceType

CLASS_KINDS = frozenset({"class", "interface", "struct", "enum", "trait", "union", "object", "protocol"})
"""Kinds of definitions that have members."""

INTERFACE_KINDS = frozenset({"interface", "trait", "protocol"})
"""Kinds of definitions whose methods classes implement."""
PUBLIC = "*"
"""The name of a binding whose value lists the names that an import of all names brings, parted by spaces."""

WHOLE = "dot"
"""The name of the value that a template gets as a whole."""

ANY_NAME = "*"
"""The value of such a binding if the names are not known."""

EVERYWHERE = "*"
"""The start of the alias of an import that holds in all files below the folder of its file."""

MIXED = "+"
"""The owner of a binding of an object that gets the members of the value."""

PAYLOAD = "$"
"""The owner of a binding of what an object holds at a position, or a variant of an enum holds: `0`, `Circle$0`."""

TYPE_KINDS = CLASS_KINDS | {"type", "module", "namespace"}
"""Kinds of definitions that code instantiates, inherits from, or asks for members."""

VALUE_KINDS = frozenset({"field", "property", "variable", "constant"})
"""Kinds of definitions that hold a value."""

WRITTEN_KINDS = VALUE_KINDS | {"enum_member", "type"}
"""Kinds of definitions that code reads or writes and does not call."""

CLASS_LIKE_KINDS = CLASS_KINDS | {"scope"}
"""CLASS_KINDS and `scope`: a block that only names the class of its functions, such as `impl Point { … }`."""

FUNCTION_KINDS = frozenset({"function", "method", "macro", "property"})
"""Kinds of definitions that hold statements. A property holds them in its accessors."""


Row = TypeVar("Row", bound=tuple[object, ...])


def as_records(cls: type[Row], rows: Iterable[tuple[object, ...]]) -> Iterable[Row]:
    """Yield a record of type `cls` for each row, which must have all fields.

    This takes a third of the time of calling the class.
    """
    return map(partial(tuple.__new__, cls), rows)


def as_record(cls: type[Row], row: tuple[object, ...]) -> Row:
    """Return a row, which must have all fields, as a record of type `cls`."""
    return tuple.__new__(cls, row)


class Definition(NamedTuple):
    """A parsed definition: a named thing of a file, such as a function, a class, a field or a constant.

    `parent` is the position of the enclosing definition in `Syntax.definitions`, or -1. The bytes from `start` to `end`
    are the whole definition with its decorators, and those from `inner` are the definition without them. `lead` is the
    start of the comments above it, and `name_start` the start of its name.

    `path_name` is the dotted name inside the file, such as `Engine.run`. `owner` is the text of the type before a method that
    is outside its type, as in `func (e *Engine) Run()`. `has_body` is False for a mere declaration. `is_local` is True for
    a function that other files can only call if they include this one, such as a `static` function in C. `is_static` is True
    for a method of the class itself, in a language where its objects may have another method of that name. `is_twin` is True
    for a function that its scope has several times, of which a program takes one.

    `fewest` and `most` are the numbers of arguments that a call may pass. `types` are the simple names of the
    parameters' types. Only languages that tell overloads apart have them. Otherwise any number of arguments fits, and
    `types` is empty.
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
    types: tuple[str, ...]
    inner: int
    is_local: bool = False
    is_static: bool = False
    is_twin: bool = False


def function_around(definitions: Sequence[Definition], position: int) -> int:
    """Return the position of the definition at `position` if it holds statements, else of the nearest around it that does.

    -1 if there is none.
    """
    while position >= 0 and definitions[position].kind not in FUNCTION_KINDS:
        position = definitions[position].parent
    return position


class Reference(NamedTuple):
    """A parsed reference: a use of a name, such as a call or a base class.

    `scope` is the position of the enclosing definition in `Syntax.definitions`, or -1. A reference of the kind `runs`
    is a call that does not name its callee, such as a loop that calls `__iter__`. Its `name` is a step of an expression
    path, such as `[*]`, and its `receiver` is the looped expression. A reference of the kind `expands` is a call in the text
    of a macro, which whoever uses the macro makes. One of the kind `makes` is a function that the text defines. In both, `{0}`
    stands for the first argument of the macro: `{0}_run`. One of the kind `undefines` ends a macro.
    One of the kind `requires` is a type that whoever mixes a trait in must have.

    `arguments` is the number of arguments of a call, or -1 if unknown. `given` describes each argument by its
    expression path or by the kind of its literal: `"`, `'`, `1`, `1.`, `true` or `null`. It is empty for an argument of
    unknown type.
    """

    kind: str
    name: str
    receiver: str
    start: int
    scope: int
    arguments: int
    given: tuple[str, ...] = ()

    @property
    def expression(self) -> str:
        """Return the expression path of what is used: `cart.total` for the name `total` on the receiver `cart`."""
        return f"{self.receiver}.{self.name}" if self.receiver else self.name


class Import(NamedTuple):
    """A parsed import of a name: `from module import name as alias`.

    `name` is `*` for all names, and empty for the module itself. `scope` is the position of the enclosing definition,
    or -1.
    """

    module: str
    name: str
    alias: str
    start: int
    scope: int


class Binding(NamedTuple):
    """A parsed name in a scope, with a hint to its type: an annotation, or the expression path of its value.

    With neither hint, it only hides outer names. `owner` is the receiver of a field (`self`), and empty for a local
    variable. The return value of a function is a binding with an empty name.

    `scope` is the position of the enclosing definition, or -1. `from_byte` to `to_byte` is the part of the scope in
    which the name is visible, such as a comprehension. Both are 0 for the whole scope. `arm` is the position of the arm around
    it in `Syntax.arms`, or -1. Only a name that a scope binds several times has one.
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
    arm: int = -1


class Arm(NamedTuple):
    """A part of a function that runs under a condition, from `start` to `end`: a block of an `if`, or of a loop.

    `from_byte` to `to_byte` is the whole statement. `is_rest` says that the arm runs if no other arm of the statement does.
    `leaves` says that the code after the statement does not run after the arm.
    """

    start: int
    end: int
    from_byte: int
    to_byte: int
    is_rest: bool
    leaves: bool


COMPUTED = "[*]"
"""The name of a function that an object gets under names which code puts together: `app[method] = function`."""

TABLE_ENTRY = "="
"""The keyword of an Argument that is no argument of a call, but a function that a table holds."""


class Argument(NamedTuple):
    """A parsed argument of a call, by the expression path of its value.

    It goes to the parameter at position `place`, counted from 0. If `place` is -1, it goes to the parameter named
    `keyword`.
    """

    callee: str
    place: int
    keyword: str
    value: str
    start: int
    scope: int


class Branch(NamedTuple):
    """A parsed branch of a preprocessor: from `start` up to the next branch, these names are set.

    `!DEBUG` says that the name `DEBUG` is not set. `?` stands for a condition that is no single name.
    """

    start: int
    names: tuple[str, ...]


class Registration(NamedTuple):
    """A parsed registration: a place where a framework learns of code that it calls, such as a route and its handler.

    `kind` is `route`, `mount`, `router`, `command`, `task`, `listener`, `emit`, `dependency`, `fixture`, `use`, `entry` or
    `plugin`. For `@app.get("/carts")`, `verb` is `GET`, `name` is `/carts` and `router` is `app`. A `router` is a variable
    that adds a prefix, and its handler is the name of the variable.

    `handlers` are the expression paths of what the framework calls, or names in texts after a quote. If the handler is a
    definition of this file, `definition` is its position in `Syntax.definitions`, else -1. `members` are the methods that
    the framework calls of a class.
    """

    framework: str
    kind: str
    verb: str
    name: str
    router: str
    handlers: tuple[str, ...]
    members: tuple[str, ...]
    definition: int
    start: int
    scope: int


SETTER = "="
"""The end of the name of a method that runs when code writes a member, as Ruby's `total=` does for `cart.total = 1`."""

COUNTED = "#"
"""The start of a list of macros in the text of another. The number of its arguments says which one it uses."""

ADDED_MEMBER = "+"
"""The start of the name under which a file passes on what it adds to a type of another file."""

MACRO_USE = "#"
"""The name under which a file passes on its uses of macros outside of functions."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """The result of parsing one file of a known language.

    `typevars` pairs each type variable with its bound: `Box.T` with `Shape & Named`. `extensions` pairs the position of
    a function with the type of which it is called as a method. `branches` are in the order of the text. `broken` says
    that the grammar could not read the whole file.

    The resolver gets a syntax without docs. There, `chunk_of` holds the position of each definition's chunk in the file's list,
    `member_of` its position in the list of members, or -1 if it has a chunk of its own. `places` holds pairs of line and
    column: first of the references, then of the imports, then of the definitions' names,
    then of the registrations.
    """

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    arguments: tuple[Argument, ...] = ()
    typevars: tuple[tuple[str, str], ...] = ()
    extensions: tuple[tuple[int, str], ...] = ()
    branches: tuple[Branch, ...] = ()
    registrations: tuple[Registration, ...] = ()
    arms: tuple[Arm, ...] = ()
    module: str = ""
    module_doc: str = ""
    broken: bool = False
    chunk_of: tuple[int, ...] = ()
    member_of: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()


class Chunk(NamedTuple):
    """A chunk as the chunker makes it: a unit of retrieval and a node of the graph.

    `parent` is the position of its parent in the file's list, or -1.

    `start` to `end` and the lines are the chunk's own text. The chunks of a file are ordered, disjoint and cover the
    file. For a definition, `name_line` is the line of its name, and `def_end_line` is its last line, children included.

    A member is a definition that is too small for a chunk of its own, such as a constant or a field. It has no text, and its
    parent is the chunk that contains its name.
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


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file before parsing, with its language and classification. `secrets` is how many are masked in its text.

    `error` is the reason why it is not indexed, or None.
    """

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
    secrets: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file after reading, parsing and chunking: everything that the store keeps of it.

    `text` is UTF-8 with `\\n` line ends, and is empty once a worker has embedded the file. `compressed` is the same
    text, compressed by zlib. `hashes`, `words` (one row of word fields) and `vectors` (int8) have one entry per chunk.
    `vectors` is empty unless a worker embedded the file. `grams` are the distinct tokens from which trigrams are cut.

    `link_input` is the syntax for the resolver, packed by syntax.packing. `names` are what a LinkTable takes of it, packed.
    Both are empty without a language.
    """

    source: SourceFile
    text: bytes = b""
    compressed: bytes = b""
    lines: int = 0
    module: str = ""
    broken: bool = False
    chunks: tuple[Chunk, ...] = ()
    members: tuple[Chunk, ...] = ()
    hashes: tuple[bytes, ...] = ()
    words: tuple[tuple[str, ...], ...] = ()
    grams: str = ""
    vectors: tuple[bytes, ...] = ()
    link_input: bytes = b""
    names: bytes = b""
