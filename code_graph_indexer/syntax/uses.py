"""List the uses of names that are no calls: what code reads and writes, and the types that it names.

Every name in the tree that is no definition, no call and no local variable may be one. The resolver drops those that mean
nothing in the repository.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from operator import itemgetter
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.languages.registry import load_grammar
from code_graph_indexer.syntax.expected import expected
from code_graph_indexer.syntax.holders import holder
from code_graph_indexer.syntax.innermost import bounds
from code_graph_indexer.syntax.names import EXPORT, IMPORTS, Names
from code_graph_indexer.syntax.parameters import type_arguments_at
from code_graph_indexer.syntax.roles import is_name, roles_of, types_of
from code_graph_indexer.syntax.surroundings import KEY_MARK, Surroundings
from code_graph_indexer.syntax.trees import Expressions

_MEMBERS = ("property_", "field_")
"""The starts of the types of names that are members: without what they are members of, they are keys of a literal."""

_BEFORE_KEY = (b"{", b",", b" ", b"\t", b"\n")
"""What stands before the mark of a key."""

_PATTERN = "pattern"
"""A part of the types of what takes an object apart."""

NO_ENTRY = (None, None)
"""What stands for the parent and the object of a name that is no key."""

_TYPES = "type_"
"""The start of the types of names that are those of types."""

_ASSIGNMENT = re.compile(rb"\s*(?:(?:&?[-+*/%&|^@]|<<|>>>?|\*\*|//|\?\?|\|\||&&|\.|~)?=(?![=~>])|:=)|(?:\+\+|--)(?!\w)")
"""Pattern of what follows a name that code writes. With a blank before it, `++` joins two values."""

_STEPPED = re.compile(rb"[^\w\s)\]'\"`]\s*(?:\+\+|--)(?:\w|\.|->)*$")
"""Pattern of what stands before a name that code counts up or down. Behind a value, `++` joins it with another one."""

_FURTHER = re.compile(rb"\s*(?:\??\.|->|::|[\[(])")
"""Pattern of what follows a name that has a member, or an element, or is called."""

_SEPARATORS = (b".", b":", b">", b"/")
"""The last bytes of the marks between a name and what it is a member of."""

NO_NAME = "_"
"""What stands for a value that nothing names."""

_SPREAD = b"..."
"""The mark before what stands for several values."""

MARK = b"."
"""The mark before a member whose type is known."""

_RANGE = ".."
"""The mark between the bounds of a range."""

_NAME = re.compile(rb"[A-Za-z_]\w*")
"""Pattern of a name at the start of a text."""

_LABEL = re.compile(rb"\s*[=:]")
"""Pattern of what follows a label of an argument."""

Name = tuple[int, int, tree_sitter.Node]
"""The first byte of a name, its end, and its node."""


MAX_OWNER = 40
"""The most bytes between a mark such as `++` and the name that it steps."""

IMPORT_DEPTH = 4
"""How many nodes around a name are searched for an import."""


class Hidden(NamedTuple):
    """The names that mean local variables: those that each definition sees, and where those of a part of one are seen.

    `bounds` has the bytes where a variable of a name begins and ends to be seen, in turn.
    """

    visible: Sequence[Set[str]]
    bounds: Mapping[str, Sequence[int]]

    def holds(self, name: str, start: int, scope: int) -> bool:
        """Say whether a name at a byte in a definition means a local variable."""
        if scope >= 0 and name in self.visible[scope]:
            return True
        bounds = self.bounds.get(name)
        return bounds is not None and bisect_right(bounds, start) % 2 == 1


@cache
def _type_kinds(name: str) -> frozenset[int]:
    """Return the ids of the types of names that are those of types, in a language that tells them from others."""
    roles, grammar = roles_of(name), load_grammar(name)
    kinds = (kind for kind, role in roles.items() if role.name == "name")
    return frozenset(kind for kind in kinds if (grammar.node_kind_for_id(kind) or "").startswith(_TYPES))


def in_order(nodes: Iterable[tree_sitter.Node], taken: Set[int]) -> list[Name]:
    """Return names in the order of the text, one for each byte, but for those at the bytes `taken`.

    Where one name is a node in another, that of a type says more.
    """
    # Most names are taken, so that nothing is asked of them but where they begin.
    names = [(start, node.end_byte, node) for node in nodes if (start := node.start_byte) not in taken]
    names.sort(key=itemgetter(0, 1))
    firsts: list[Name] = []
    last_start = -1
    for name in names:
        start, end, node = name
        if start != last_start:
            firsts.append(name)
            last_start = start
        elif firsts[-1][1] == end and node.type.startswith(_TYPES) and not firsts[-1][2].type.startswith(_TYPES):
            firsts[-1] = name
    return firsts


def names_in_texts(source: bytes, texts: Iterable[tree_sitter.Node]) -> list[Name]:
    """List the names with which texts begin, each with the node of its text."""
    matches = ((_NAME.match(source, text.start_byte, text.end_byte), text) for text in texts)
    return [(*match.span(), text) for match, text in matches if match is not None]


class NameReader:
    """A reader of the uses of names in one file."""

    def __init__(
        self,
        source: bytes,
        language: Language,
        expressions: Expressions,
        names: Names,
        imported: Set[str],
        implicit: Mapping[int, str] | None = None,
    ) -> None:
        """Read the names of a file. `implicit` has what the members in patterns belong to, if code leaves that out."""
        self._names = names
        self._imports = bounds(names.imports)
        self._source = source
        self._implicit = implicit or {}
        self._has_implicit_members = implicit is not None
        self._expressions = expressions
        self._surroundings = Surroundings(expressions)
        self._imported = imported
        self._words = language.null_words | language.reserved
        # In C, macros define the words for true and false.
        self._words |= frozenset() if language.condition and not language.variadic else language.truth_values
        self._words |= language.self_names | language.self_types | {NO_NAME}
        self._names_members = language.implicit_self
        self._type_kinds = _type_kinds(language.name)
        # What follows a label that no node tells. Where there are keys, that is one in a row of nodes.
        key_mark = KEY_MARK if types_of(language.name, "row") else None
        self._label_mark = key_mark if expressions.has_keys else _LABEL
        self._counts = language.counts_type_arguments
        # Where closures number what they get, `$0`, this mark before a name is that of a wrapped property.
        self._marks_properties = language.implicit_parameter.startswith("$")
        self._separators = frozenset({*_SEPARATORS, language.import_separator.encode()})

    def uses(
        self,
        nodes: Sequence[Name],
        scopes: Iterable[int],
        hidden: Hidden,
        taken: Set[int],
    ) -> Iterator[tuple[str, str, str, int, int, int, tuple[str, ...]]]:
        """Yield the rows of the uses, as those of a `Reference`.

        `scopes` has the definition around each node, and `hidden` the names of local variables. At the bytes `taken` stands
        something else: a definition, a variable, a call.
        """
        source, type_kinds, separators = self._source, self._type_kinds, self._separators
        texts, keys = self._expressions.texts, self._names.keys
        for (start, end, node), scope in zip(nodes, scopes, strict=True):
            around, entry = keys.get(node, NO_ENTRY)
            if entry is None and start in taken:
                continue
            name = texts[source[start:end]]
            is_type = node.kind_id in type_kinds if type_kinds else self._stands_as_type(node, start, end, around)
            is_member = source[start - 1 : start] in separators and self._is_member(node, start)
            made = None if is_member else self._made_by(node, start, end, entry)
            if made:
                yield self._kind_of_key(node, around, entry), name, made, start, scope, -1, ()
            if start in taken or (made is not None and (entry is None or entry != around)):
                continue
            # A variable may have the name of its type, of the field in `offsetof(struct cart, total)`, or of `case .total`.
            is_local = not is_member and not is_type and hidden.holds(name, start, scope)
            is_local = is_local and not (node.type.startswith(_MEMBERS) or start in self._implicit)
            if is_local or (not is_member and name in self._words):
                continue
            if name.startswith("$"):
                name, start = self._unmarked(name, start)
            receiver = self._receiver(node, around, name, is_member=is_member)
            if receiver is not None:
                kind, count = "types" if is_type else self._kind(node, end), self._type_arguments(end)
                yield kind, name, receiver, start, scope, count, ()

    def _type_arguments(self, end: int) -> int:
        """Return how many type arguments stand behind a name that ends at a byte. -1 where they tell no types apart."""
        return type_arguments_at(self._source, end) if self._counts else -1

    def _stands_as_type(self, node: tree_sitter.Node, start: int, end: int, around: tree_sitter.Node | None) -> bool:
        """Say whether a name declares what is behind it: `Address Address`, or `Address? home` where members are seen alone."""
        source = self._source
        if source[end : end + 1] == b" " and source.startswith(source[start:end] + b" ", end + 1):
            return True
        around = around or (node.parent if self._names_members and self._expressions.has_keys else None)
        if not self._names_members or around is None:
            return False
        return around.type.startswith("nullable") or around.child_by_field_name("type") == node

    def _unmarked(self, name: str, start: int) -> tuple[str, int]:
        """Return a name without a mark, and its first byte: PHP's `self::$shared` and Swift's `$shared` mean `shared`."""
        is_marked = self._marks_properties or self._source[start - 1 : start] == b":"
        return (name[1:], start + 1) if is_marked else (name, start)

    def _kind(self, node: tree_sitter.Node, end: int) -> str:
        """Say whether code reads or writes a name that ends at a byte, or names a type or module that holds the next name.

        What follows a name in a text is text.
        """
        if self._source[end : end + 2] == b"::":
            return "types"
        if node.start_byte in self._implicit:
            return "reads"
        if _ASSIGNMENT.match(self._source, end):
            return "reads" if self._surroundings.ends_in_text(node, end) else "writes"
        before = self._source[max(0, node.start_byte - MAX_OWNER) : node.start_byte]
        # Few names have a mark before them, and to look for two texts takes a fraction of the time of a pattern.
        is_stepped = (b"++" in before or b"--" in before) and _STEPPED.search(before)
        return "writes" if is_stepped and not _FURTHER.match(self._source, end) else "reads"

    @staticmethod
    def _kind_of_key(node: tree_sitter.Node, around: tree_sitter.Node | None, entry: tree_sitter.Node | None) -> str:
        """Say what code does with the key of an object, or with a label. A pattern takes what the object has."""
        if _PATTERN in (entry or around or node.parent or node).type:
            return "reads"
        return "labels" if entry is None else "writes"

    def _made_by(self, node: tree_sitter.Node, start: int, end: int, entry: tree_sitter.Node | None) -> str | None:
        """Return the path of what is made with a value for a name. None if it is no key or label.

        For the key of an object it is what the object is put into, and for that of a pattern what the pattern takes apart.
        """
        if entry is not None:
            return holder(self._expressions, entry)
        mark = self._label_mark
        is_label = (start, end) in self._names.labels or (mark is not None and mark.match(self._source, end))
        return self._surroundings.made_by(node) if is_label else None

    def _receiver(
        self, node: tree_sitter.Node, around: tree_sitter.Node | None, name: str, *, is_member: bool
    ) -> str | None:
        """Return the path of what a name is a member of, or an empty text. None if the name is no use of anything.

        `around` is its parent, if that is known.
        """
        if not is_name(name.lstrip("@$#")):
            return None
        around = around or node.parent
        if name in self._imported and bisect_right(self._imports, node.start_byte) % 2 and _is_imported(around):
            return None
        receiver = self._surroundings.owner(node, around)
        if self._has_implicit_members and not receiver and self._is_implicit(node.start_byte):
            return self._implicit.get(node.start_byte) or expected(self._expressions, node) or None
        return receiver if receiver or not (is_member or self._is_key(node, around)) else None

    def _is_implicit(self, start: int) -> bool:
        """Say whether a mark stands before a name at a byte, and nothing that has such a member."""
        source = self._source
        return source[start - 1 : start] == MARK and source[start - 2 : start - 1] != MARK

    def _is_member(self, node: tree_sitter.Node, start: int) -> bool:
        """Say whether a mark before a name, one of the separators, joins it to what it is a member of."""
        source = self._source
        if source[start - 3 : start] == _SPREAD:
            return False
        # The way to a sibling begins at the root of the tree.
        before = node.prev_sibling if source[start - 2 : start] == _RANGE.encode() else None
        if before is not None and before.type == _RANGE:
            return False
        # `.len = 3` in the braces of a literal is a key.
        return source[start - 1 : start] != b"." or source[start - 2 : start - 1] not in _BEFORE_KEY

    def _is_key(self, node: tree_sitter.Node, around: tree_sitter.Node | None) -> bool:
        """Say whether the types of a name and of its parent make it the key of a literal, or a parameter of a macro."""
        # Where code names the members of its object alone, such a name is a member.
        is_member = node.type.startswith(_MEMBERS) and not self._names_members
        return is_member or (around is not None and around.type.endswith("params"))


def _is_imported(around: tree_sitter.Node | None) -> bool:
    """Say whether a name stands in an import, by its parent."""
    for _ in range(IMPORT_DEPTH):
        if around is None:
            return False
        if IMPORTS.search(around.type):
            return True
        if around.type == EXPORT:
            # An export from another file imports its names. Any other names what this file has.
            return around.child_by_field_name("source") is not None
        around = around.parent
    return False
