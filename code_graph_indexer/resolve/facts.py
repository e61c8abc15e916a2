"""The facts of one file that other files may look up: one table for each kind of fact.

`World` reads the tables. The index stores a hash of every key that is read, so that an update knows which files to link
again. Therefore the prefixes of the tables below are part of the index format.
"""

import re
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeVar
from zlib import crc32

from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.notes import key_hash
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import TYPE_KINDS

CALLABLE_KINDS = frozenset({"function", "method", "macro"})
INDEXED_KINDS = TYPE_KINDS | CALLABLE_KINDS

MAX_SLOTS = 4
"""Most values that are stored for a field, and most results for a function. If there are more, they rarely have one type."""

NAME = "n:"
"""Key prefix, followed by a simple name: its definitions in all files. This key and the next three belong to no file."""
MODULE_TAIL = "m:"
"""Key prefix, followed by the last word of a module name: all modules that end with it."""
PASSING = "s:"
"""Key prefix, followed by a simple name: all files that pass an argument to a callee of that name."""
ARGUMENTS = "a:"
"""Key prefix, followed by a simple name: the arguments that all files pass to it. After a path, those of that file."""
MODULE = "w:"
"""Key after a path: the name of the file's module."""

WRITTEN = "=n:"
"""Key prefix, followed by a simple name: whether any file defines the name."""
WRITTEN_VALUE = "=v:"
"""Key prefix, followed by a simple name: whether any file defines a constant, field or short type of the name."""

LISTENER = "@"
"""The start of an event's name among the arguments: the handlers that a framework calls for the event."""

V = TypeVar("V")


class Overload(NamedTuple):
    """A function at linking, in a language where functions with one name may differ in their parameters.

    It takes at least `fewest` and at most `most` arguments. `types` are the simple names of its parameters' types.
    """

    target: Target
    fewest: int
    most: int
    types: tuple[str, ...] = ()


class Slot(NamedTuple):
    """A declared type or an assigned value of a field or variable, or a result of a function.

    If `type_name` is empty, `value` is the expression path of the value. The expression is in the function `frame`, `offset`
    bytes after the start of that function.
    """

    type_name: str
    value: str
    offset: int = 0
    frame: Frame | None = None


class Parameter(NamedTuple):
    """A parameter of a function at linking: its name or label, and the text of its type or an empty text."""

    name: str
    type_name: str


def numbered(function: str, number: int) -> str:
    """Return the key of an overload by its place among the overloads of a function: `run`, then `run#1`."""
    return f"{function}#{number}" if number else function


class PassedArgument(NamedTuple):
    """An argument of a call at linking, for the parameter at `position` (from 0) or the parameter named `keyword`.

    For `run(start)` in the function `main`, `callee` is `run`, `value` is `start` and `dotted` is `main`.
    `callee` and `value` are expression paths. `dotted` is the definition that contains the call. If the value is a parameter
    of that definition, `param` is the position of the parameter, else -1.
    """

    callee: str
    position: int
    keyword: str
    value: str
    dotted: str
    param: int


class Table(dict[str, V]):
    """The facts of one kind in a file, by name. `start` is the hash of their lookup keys up to the name.

    It is 0 if no lookup is noted, because the facts do not change.
    """

    __slots__ = ("start",)
    start: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts of one file. Most tables go by the dotted name of a definition in the file.

    A lookup key is the path of the file, a zero byte, the prefix of the table, and the name.
    `by_name` maps a simple name to the definitions that other files may see.
    """

    path: str
    language: str
    module: str = ""
    is_test: bool = False
    by_name: dict[str, list[Target]] = field(default_factory=dict)

    definitions: Table[Target] = field(default_factory=Table, metadata={"prefix": "d:"})
    """Definitions. The file as a module has the empty name."""
    values: Table[Target] = field(default_factory=Table, metadata={"prefix": "=:"})
    """Definitions with a node of their own that code reads, writes or names: constants, fields, enum members, short types."""
    class_methods: Table[Target] = field(default_factory=Table, metadata={"prefix": "z:"})
    """Methods of a class itself, where its objects have another method of that name, and those of a module itself."""
    bases: Table[tuple[str, ...]] = field(default_factory=Table, metadata={"prefix": "b:"})
    """The texts of the bases of a class."""
    slots: Table[tuple[Slot, ...]] = field(default_factory=Table, metadata={"prefix": "f:"})
    """The types or values of `class.field`, or of a variable."""
    results: Table[tuple[Slot, ...]] = field(default_factory=Table, metadata={"prefix": "r:"})
    """The result types or returned values of a function or property."""
    aliased_types: Table[str] = field(default_factory=Table, metadata={"prefix": "t:"})
    """The text of the type that a type alias is another name for."""
    type_bounds: Table[tuple[tuple[str, str], ...]] = field(default_factory=Table, metadata={"prefix": "v:"})
    """The type variables of a definition, or of the file under the empty name, each with its bound: `T` and `Shape`."""
    parameters: Table[tuple[Parameter, ...]] = field(default_factory=Table, metadata={"prefix": "p:"})
    """The parameters of a function of which any has a type."""
    overloads: Table[tuple[Overload, ...]] = field(default_factory=Table, metadata={"prefix": "o:"})
    """All definitions of a function, in a language that tells overloads apart."""
    twins: Table[dict[str, list[tuple[Target, ...]]]] = field(default_factory=Table, metadata={"prefix": "w*"})
    """Under the empty name: the functions that the file has several times, under conditions, by dotted name.

    These are groups of definitions with the same parameters.
    """
    decorators: Table[dict[str, list[str]]] = field(default_factory=Table, metadata={"prefix": "w@"})
    """Under the empty name: the decorators of functions, by dotted name.

    A decorator is the expression path of its call: `retry()`, or `retry()()` for `@retry(3)`.
    """
    conditions: Table[dict[int, tuple[str, ...]]] = field(default_factory=Table, metadata={"prefix": "c:"})
    """The names of the branches of a preprocessor around each definition of a function, by its chunk."""
    expansions: Table[tuple[str, ...]] = field(default_factory=Table, metadata={"prefix": "y:"})
    """The names of the functions that the text of a macro calls."""
    macro_functions: Table[tuple[str, ...]] = field(default_factory=Table, metadata={"prefix": "g:"})
    """The names of the functions that the text of a macro defines."""
    extended_types: Table[dict[int, str]] = field(default_factory=Table, metadata={"prefix": "x:"})
    """The texts of the types that the extension functions of a name extend, by chunk."""
    receivers: Table[str] = field(default_factory=Table, metadata={"prefix": "x@"})
    """The text of the type before a method outside of its type, if it has type arguments: `fun <A> Box<A>.first(): A`."""
    shapes: Table[str] = field(default_factory=Table, metadata={"prefix": "h:"})
    """How many parameters and results a method has, `2>1`, for structural types."""
    methods: Table[list[str]] = field(default_factory=Table, metadata={"prefix": "l:"})
    """The names of the methods in the body of an interface."""
    holders: Table[bool] = field(default_factory=Table, metadata={"prefix": "q:"})
    """Functions to whose objects or to which themselves functions belong: `Old.prototype.draw = function () {}`."""
    getters: Table[bool] = field(default_factory=Table, metadata={"prefix": "e:"})
    """Methods that run when a member is read or assigned without brackets."""
    imports: Table[tuple[str, str]] = field(default_factory=Table, metadata={"prefix": "i:"})
    """The import that binds a name: a module, and the name in the module."""
    second_imports: Table[tuple[str, str]] = field(default_factory=Table, metadata={"prefix": "j:"})
    """A second import that binds the same name."""
    whole_imports: Table[tuple[str, ...]] = field(default_factory=Table, metadata={"prefix": "*"})
    """Under the empty name: the modules that are imported whole (`from m import *`)."""
    unnamed_imports: Table[tuple[str, ...]] = field(default_factory=Table, metadata={"prefix": "k:"})
    """Under the empty name: the imported modules that may declare a name of their own, as Go packages do."""
    arguments: Table[list[PassedArgument]] = field(default_factory=Table, metadata={"prefix": ARGUMENTS})
    """The arguments of all calls of a simple name."""
    fixtures: Table[str] = field(default_factory=Table, metadata={"prefix": "u:"})
    """The dotted name of the function that makes the fixture of a name."""

    def __post_init__(self) -> None:
        path_hash = key_hash(f"{self.path}\0")
        for table, prefix in zip(self.tables(), _PREFIXES, strict=True):
            table.start = crc32(prefix, path_hash)

    def value_names(self) -> set[str]:
        """Return the simple names of the constants, fields and short types."""
        return {dotted.rpartition(".")[2] for dotted in self.values}

    def names(self) -> set[str]:
        """Return the simple names of all definitions."""
        return {dotted.rpartition(".")[2] for dotted in self.definitions if dotted} | self.value_names()

    def tables(self) -> tuple[Table[object], ...]:
        """Return all tables, in the order of PREFIXES."""
        return _TABLES(self)


PREFIXES: dict[str, str] = {table.name: table.metadata["prefix"] for table in fields(FileFacts) if table.metadata}
"""The prefix of each table's lookup keys, by its name."""

_PREFIXES, _TABLES = [prefix.encode() for prefix in PREFIXES.values()], attrgetter(*PREFIXES)
# Made once, since a record is made for each file.


@lru_cache(maxsize=100_000)
def import_tail(text: str) -> str:
    """Return the last word of an import's text, without a file extension: `./lib/cart.js` → `cart`."""
    parts = [part for part in re.split(r"[/\\:.]+", text) if part]
    if "/" in text and "." in text.rpartition("/")[2].strip("."):
        # The first dot ends the word, as in `module_tails`: `./cart.test.js` is noted as `cart`.
        return text.rpartition("/")[2].partition(".")[0]
    return parts[-1] if parts else ""
