"""Read expressions from the syntax tree, as the paths of `syntax.expressions`.

The header key `expression` of a language gives types of nodes their role, and says where the parts of such a node stand: a
field, the number of a named child or the type of a child, `/` between a part and a part of it. A `^` is what stands before the
node, where the grammar writes an expression as nodes in a row. A `!` means that a node without the part is a call too.

The function of a role gets the `Site` of a node and returns the path of its value, such as `carts[0].total()`. An empty path
is a value that nothing is known of. This module knows the roles, and no language.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import Language, languages, libraries_of, load_parser
from code_graph_indexer.languages.registry import load_grammar
from code_graph_indexer.syntax.expressions import (
    ALTERNATIVE,
    ARGUMENT_LIMIT,
    MAX_ARGUMENTS,
    MAX_ELEMENTS,
    NO_ARGUMENT,
    NULL,
    NUMBER,
    OBJECT,
    PATH_LIMIT,
    ROOT,
    SENT,
    SOURCE_LIMIT,
    TEXT,
    TYPE_ARGUMENT,
    bare,
    cast_to,
    joined,
    limited,
    parted,
    position_step,
    stepped,
)

OWNER_DEPTH = 3
"""How many nodes around a name are searched for what it is a member of."""

MAKER_DEPTH = 6
"""How many nodes around a label are searched for what it belongs to."""

DEPTH = 60
"""Most expressions inside of each other that are read. The resolver does not follow a longer chain to its end."""

EACH = "[*]"
"""The step to each element of a list."""

BEFORE, ALWAYS = "^", "!"
"""The places of what stands before a node, and of arguments that need no brackets."""

_WORD = re.compile(r"[@$#]*[^\W\d][\w$]*[?!]?\Z|[@$#]*[^\W\d][\w$]*|\$\d+")
_SEPARATOR = re.compile(r"\s*(?:::|\\|\.|/|->)\s*")
_NESTED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_MODULE_TEXT = re.compile(r"""(["'`])[^"'`\s]{1,120}\1""")
_CHEAP = re.compile(r"[^\W\d][\w$.]*(?:\(\))?")
_PLAIN_TYPE = re.compile(r"[^\W\d_][\w.:<>,?\[\]]{0,60}")
"""Pattern of a type argument that is kept: names with type arguments of their own."""

_JOINTS = frozenset({".", "::", "?.", "->"})
"""Marks between a name and what it is a member of, in a row of nodes."""

_BETWEEN = frozenset({"(", ")", ".", "::", "?.", "->", "&", "*", "await"})
"""Marks between the nodes of a row that change nothing."""


class Texts(dict[bytes, str]):
    """A cache for one file: the bytes of a text → the text as a `str`.

    Most texts occur often. If they are one object, pickle writes them only once.
    """

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = raw.decode("utf-8", "replace")
        return text


class Place(NamedTuple):
    """Where a part of a node stands: the number of a named child, the id of a field, or the type of a child."""

    number: int | None
    field: int
    name: str
    inner: "Place | None"

    def of(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        """Return the part of a node, or None if it has none."""
        if self.field:
            part = node.child_by_field_id(self.field)
        elif self.number is not None:
            children = listed(node)
            part = children[self.number] if -len(children) <= self.number < len(children) else None
        else:
            part = next((child for child in node.children if child.type == self.name), None)
        return part if self.inner is None or part is None else self.inner.of(part)


class Site(NamedTuple):
    """A node that is read: its parts, the path of what stands before it, and how many expressions inside of it may be read."""

    reader: "Expressions"
    node: tree_sitter.Node
    places: tuple[Place, ...]
    before: str
    depth: int

    def part(self, position: int) -> tree_sitter.Node | None:
        """Return a part of the node. None if it has none, or the place is not known."""
        return self.places[position].of(self.node) if position < len(self.places) else None

    def path(self, position: int) -> str:
        """Return the path of a part, or of what stands before the node."""
        if self.places[position].name == BEFORE:
            return self.before
        part = self.part(position)
        return self.reader.read(part, self.depth) if part is not None else ""

    def text(self, position: int) -> str:
        """Return the text of a part."""
        return self.reader.text(self.part(position))


Read = Callable[[Site], str]
"""A function that reads the nodes of a role."""


class Role(NamedTuple):
    """How nodes of a type are read, and where their parts stand."""

    read: Read
    places: tuple[Place, ...]

    def does(self, *names: str) -> bool:
        """Say whether this is a role of one of these names."""
        return any(self.read is ROLES[name][0] for name in names)


class Expressions:
    """The expressions of one file. The path of an expression is empty if it has none."""

    def __init__(self, source: bytes, language: Language, texts: Texts) -> None:
        self.source = source
        self.language = language
        self.texts = texts
        self._roles = _roles(language.name)
        self.has_keys = _has_keys(language.name)
        # What a generic function gives depends on its arguments.
        self._keeps_arguments = "typevar" in language.captures or bool(libraries_of(language.name))
        # Equal texts are equal expressions, and most occur often.
        self._paths: dict[bytes, str] = {}

    def path(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the path of a node, or of neighbouring nodes that form one expression."""
        start, end = node.byte_range
        if others:
            end = others[-1].end_byte
        if end - start > SOURCE_LIMIT:
            return ""
        raw = self.source[start:end]
        path = self._paths.get(raw)
        if path is None:
            path = limited(self.row((node, *others), DEPTH)) if others else self._read(node, DEPTH)
            self._paths[raw] = path
        return path

    def of_text(self, text: bytes) -> str:
        """Return the path of an expression that stands in no tree, such as the text of a macro."""
        # An expression alone is a statement.
        source = text + b";"
        node = load_parser(self.language.name).parse(source).root_node.descendant_for_byte_range(0, len(text))
        is_whole = node is not None and not node.has_error and node.end_byte - node.start_byte == len(text)
        return Expressions(source, self.language, self.texts).path(node) if node is not None and is_whole else ""

    def read(self, node: tree_sitter.Node, depth: int) -> str:
        """Return the path of a node. `depth` is how many expressions inside of it may be read."""
        start, end = node.byte_range
        raw = self.source[start:end]
        path = self._paths.get(raw)
        if path is None:
            path = self._paths[raw] = self._read(node, depth)
        return path

    def _read(self, node: tree_sitter.Node, depth: int) -> str:
        """Return the path of a node by its role. Empty if it has no role, or `depth` is 0."""
        role = self._roles.get(node.kind_id)
        return limited(role.read(Site(self, node, role.places, "", depth - 1))) if role is not None and depth else ""

    def after(self, node: tree_sitter.Node, before: str, depth: int) -> str:
        """Return the path of a node that is a step from what stands before it."""
        role = self._roles.get(node.kind_id)
        if role is None or not before or not depth:
            return ""
        places = role.places
        if places and places[0].name != BEFORE:
            # The first part of the node is the step: `?.b` in `a?.b.c()`.
            part = places[0].of(node)
            before = self.after(part, before, depth - 1) if part is not None else ""
            places = (Place(None, 0, BEFORE, None), *places[1:])
        return role.read(Site(self, node, places, before, depth - 1))

    def row(self, nodes: Sequence[tree_sitter.Node], depth: int) -> str:
        """Return the path of nodes in a row: the first is the head, and each of the others a step.

        In the text of a macro, names, marks and brackets are all that the grammar tells.
        """
        path = ""
        for node in nodes:
            role = self.role(node)
            if node.type == ",":
                break
            if role is None:
                if node.is_extra or node.type in _BETWEEN or node.type.endswith("specifier"):
                    continue
                return ""
            if not path:
                path = self.read(node, depth)
            else:
                path = stepped(path, f".{self.text(node)}") if role is _name else self.after(node, path, depth)
            if not path:
                return ""
        return path

    def owner(self, node: tree_sitter.Node, around: tree_sitter.Node | None) -> str | None:
        """Return the path of what a name is a member of. Empty if it stands alone, None if that has no path.

        `around` is its parent.
        """
        start, end = node.byte_range
        # What stands before a node is found from the root of the tree, and few nodes stand in rows.
        before = node.prev_sibling if around is not None and self.role(around) is _row else None
        if before is not None and before.type in _JOINTS:
            return self._row_before(before) or None
        for _ in range(OWNER_DEPTH):
            if around is None:
                return ""
            role = self._roles.get(around.kind_id)
            if role is not None and role.read in (_member, _root, _method):
                named = role.places[1].of(around)
                # A grammar may nest to the right: `Value` in `json::(Value::size)`.
                if (
                    named is not None
                    and named.start_byte <= start
                    and (named.end_byte == end or named.start_byte == start)
                ):
                    return self._before_all(around, role)
            if around.end_byte != end and around.start_byte != start:
                return ""
            if role is not None and role.read is _name and around.start_byte < start:
                return dotted(self.texts[self.source[around.start_byte : start]]) or None
            around = around.parent
        return ""

    def _row_before(self, mark: tree_sitter.Node) -> str:
        """Return the path of what stands before a mark in a row of nodes. Empty if it has none."""
        row: list[tree_sitter.Node] = []
        before: tree_sitter.Node | None = mark
        while before is not None:
            is_joint = before.type in _JOINTS
            row.insert(0, before)
            node, before = before, before.prev_sibling
            if is_joint or before is None or before.type in _JOINTS:
                continue
            # Brackets are those of a call or an element, unless they stand alone.
            if self.role(node) is not _row or self.role(before) not in (_name, _row):
                break
        return self.path(*row[:-1]) if row[1:] else ""

    def ends_in_text(self, node: tree_sitter.Node, end: int) -> bool:
        """Say whether text follows a name that ends at a byte: `$name` in a template."""
        around: tree_sitter.Node | None = node
        while around is not None and around.end_byte <= end:
            around = around.parent
        return around is not None and (around == node or self.role(around) is _text)

    def made_by(self, node: tree_sitter.Node, around: tree_sitter.Node | None) -> str | None:
        """Return the path of what is made with a value for a name: `Cart` in `Cart(total=1)`, `Cart()` in `Cart{Total: 1}`.

        Empty if that has no path. None if the name is no label. `around` is its parent.
        """
        start = node.start_byte
        for _ in range(OWNER_DEPTH):
            if around is None or self.source[around.start_byte : start].strip(b"."):
                return None
            role = self._roles.get(around.kind_id)
            if role is not None and (role.read in (_key, _labelled) or (role.read is _put and self.is_passed(around))):
                named = role.places[0].of(around)
                is_name = named is not None and named.byte_range == node.byte_range
                # The name alone is a value with the key of its name, but no label.
                is_label = is_name and (around.end_byte > node.end_byte or role.read is _key)
                return self._maker(around) if is_label else None
            around = around.parent
        return None

    def is_passed(self, node: tree_sitter.Node) -> bool:
        """Say whether a node is an argument of a call."""
        call = node.parent.parent if node.parent is not None else None
        role = self._roles.get(call.kind_id) if call is not None else None
        is_call = role is not None and role.read in (_call, _new) and len(role.places) > 1
        return call is not None and role is not None and is_call and role.places[1].of(call) == node.parent

    def entry_of(self, node: tree_sitter.Node, around: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """Return the object or pattern that a name is a key of, or both key and value. None for any other name.

        `around` is its parent.
        """
        role = self._roles.get(around.kind_id) if around is not None else None
        if around is None or role is None:
            # This is the way of most names.
            return None
        if role.read in (_key, _put):
            entry = around.parent if role.places[0].of(around) == node else None
            return entry if entry is not None and self.role(entry) in (_mapping, _object) else None
        return around if role.read in (_mapping, _object) else None

    def _maker(self, label: tree_sitter.Node) -> str:
        """Return the path of the object that a label or key belongs to. Empty if nothing within MAKER_DEPTH tells it."""
        around, lists, inside, inner = label.parent, 0, label.parent.type if label.parent is not None else "", ""
        for _ in range(MAKER_DEPTH):
            if around is None:
                break
            role = self._roles.get(around.kind_id)
            if role is not None and role.read in (_call, _method):
                return (
                    (self._before(around, role) or "") if role.places[0].name == BEFORE else self._callee(around, role)
                )
            if role is not None and role.read in (_new, _literal):
                cls = role.places[0].of(around)
                name = dotted(self.text(cls))
                made = f"{name}()" if name else cast_to(self.text(cls))
                return made + "[0]" * lists + inner
            if role is not None and role.read is _cast:
                # The brackets of an array stand with its name.
                return cast_to(self.text(role.places[0].of(around))) + inner
            if role is not None and role.read is _key and around != label:
                outer = role.places[0].of(around)
                is_member = outer is not None and self.source[outer.start_byte - 1 : outer.start_byte] == b"."
                inner = f".{self.text(outer)}{inner}" if is_member else inner
            around = around.parent
            lists += around is not None and around.type == inside
        return ""

    def _callee(self, call: tree_sitter.Node, role: Role) -> str:
        """Return the path of what a call of this role calls."""
        if role.read is _call:
            function = role.places[0].of(call)
            return self.read(function, DEPTH) if function is not None else ""
        receiver, name = role.places[0].of(call), self.text(role.places[1].of(call))
        return name if receiver is None else stepped(self.read(receiver, DEPTH), f".{name}")

    def _before_all(self, node: tree_sitter.Node, role: Role) -> str | None:
        """Return the path before the name of a member, also where a grammar nests to the right. Empty or None as `_before`."""
        before = self._before(node, role)
        parts = [before] if before else []
        around = node.parent
        while parts and around is not None and len(parts) < DEPTH:
            outer = self._roles.get(around.kind_id)
            named = outer.places[1].of(around) if outer is not None and outer.read is _member else None
            if outer is None or named is None or named.byte_range != node.byte_range:
                return ".".join(reversed(parts))
            if further := self._before(around, outer):
                parts.append(further)
            node, around = around, around.parent
        return ".".join(reversed(parts)) if parts else before

    def _before(self, node: tree_sitter.Node, role: Role) -> str | None:
        """Return the path of the first part of a member. Empty if it has none, None if that has no path."""
        if role.places[0].name != BEFORE:
            part = role.places[0].of(node)
            return (self.read(operand(self, part), DEPTH) or None) if part is not None else ""
        step = node if node.prev_named_sibling is not None or node.parent is None else node.parent
        row: list[tree_sitter.Node] = []
        before = step.prev_sibling
        while before is not None:
            row.insert(0, before)
            # What is no step from something before it is the head.
            before = before.prev_sibling if before.type in _BETWEEN or self.is_step(before) else None
        return (self.path(*row) if row else "") or None

    def is_step(self, node: tree_sitter.Node) -> bool:
        """Say whether a node is a step from what stands before it, or holds such a step."""
        role = self._roles.get(node.kind_id)
        if role is None or not role.places:
            return False
        part = role.places[0].of(node) if role.read is _same else None
        return role.places[0].name == BEFORE or (part is not None and self.is_step(part))

    def role(self, node: tree_sitter.Node) -> Read | None:
        """Return the function that reads nodes of this type, or None."""
        role = self._roles.get(node.kind_id)
        return role.read if role is not None else None

    def role_of(self, node: tree_sitter.Node) -> Role | None:
        """Return the role of a node with its places, or None."""
        return self._roles.get(node.kind_id)

    def leaves(self, node: tree_sitter.Node) -> bool:
        """Say whether a statement leaves the block, so that the code below it does not run."""
        return self.role(node) is _leave

    def text(self, node: tree_sitter.Node | None) -> str:
        """Return the text of a node. Empty for None."""
        return self.texts[self.source[node.start_byte : node.end_byte]] if node is not None else ""

    def name_of(self, node: tree_sitter.Node) -> tree_sitter.Node:
        """Return the node of the name in a node that is a member. Any other node is returned as it is."""
        role = self._roles.get(node.kind_id)
        return (role.places[1].of(node) if role is not None and role.read is _member else None) or node

    def type_arguments(self, node: tree_sitter.Node) -> str:
        """Return the text of the type arguments of a generic function or type, with their brackets."""
        return self.text(self._roles[node.kind_id].places[1].of(node))

    def first_argument(self, call: tree_sitter.Node) -> str:
        """Return the path of the first argument of a call. Empty if it has none."""
        role = self._roles.get(call.kind_id)
        arguments = role.places[1].of(call) if role is not None and role.read is _call and role.places[1:] else None
        first = listed(arguments)[:1] if arguments is not None else []
        return self.path(*first) if first else ""

    def arguments(
        self,
        node: tree_sitter.Node | None,
        until: tree_sitter.Node | None = None,
        *,
        depth: int = DEPTH,
        labels: bool = False,
    ) -> str:
        """Write the arguments in a list by their paths: `carts,_,late=x`. Empty if none has a path.

        Only the arguments before the node `until` count. With `labels`, those of arguments without a path are kept.
        """
        if node is None or not self._keeps_arguments:
            return ""
        paths: list[str] = []
        for argument in listed(node)[:MAX_ARGUMENTS]:
            if self.role(argument) is _spread or (until is not None and argument.start_byte >= until.start_byte):
                # What stands behind several arguments in one has no certain position.
                break
            path = self._argument(argument, depth)
            if labels or not path.endswith(f"={NO_ARGUMENT}"):
                paths.append(path)
        while paths and paths[-1] == NO_ARGUMENT:
            paths.pop()
        return ",".join(paths)

    def _argument(self, node: tree_sitter.Node, depth: int) -> str:
        """Write one argument by its path: `carts`, or `xs=carts` if it has the name or the label of its parameter."""
        role = self._roles.get(node.kind_id)
        name, value = "", node
        if role is not None and role.read is _labelled:
            label, inner = (place.of(node) for place in role.places)
            if inner is None:
                return NO_ARGUMENT
            value = inner
            name = f"{self.text(label)}=" if label is not None and label != value else ""
        unread = name + NO_ARGUMENT if self.language.labels else NO_ARGUMENT
        if value.end_byte - value.start_byte > 2 * ARGUMENT_LIMIT:
            return unread
        path = self.read(value, depth)
        is_plain = (path[:1].isidentifier() or path[:1] == "<") and path.isprintable()
        is_short = len(path) <= ARGUMENT_LIMIT and ALTERNATIVE not in path and not any(mark in path for mark in '{}"|:')
        # What nests deeper could not be told from the brackets around it.
        is_flat = "(" not in _NESTED.sub("", path)
        is_literal = path == NULL or path in self.language.truth_values
        return name + path if is_plain and is_short and is_flat and not is_literal else unread

    def called(self, callee: str, arguments: tree_sitter.Node | None, depth: int, types: str = "") -> str:
        """Return the path of a call with its type arguments, or of a module or a cast, where a known function gives this."""
        if callee and ALTERNATIVE not in callee:
            path = self._worth(callee, listed(arguments) if arguments is not None else [], depth)
            if path is not None:
                return path
        return stepped(callee, f"({self._passed(types, self.arguments(arguments, depth=depth))})")

    def before(self, function: tree_sitter.Node, arguments: tree_sitter.Node, argument: tree_sitter.Node) -> str:
        """Write what binds type variables of a call before one of its arguments: `:=<Cart>,carts` in `each<Cart>(carts, f)`."""
        types = self.types_between(function, arguments)
        return self._passed(types, self.arguments(arguments, until=argument, labels=True))

    def _passed(self, types: str, arguments: str) -> str:
        """Join the text of the type arguments of a call and its written arguments."""
        return ",".join(filter(None, [*(self._type_arguments(types) if types else ()), arguments]))

    def types_between(self, function: tree_sitter.Node, arguments: tree_sitter.Node) -> str:
        """Return the type arguments of a call with their brackets, behind the function or at its end, or an empty text."""
        named = self.name_of(function)
        if self.role(named) is _generic:
            return self.type_arguments(named)
        between = self.source[function.end_byte : arguments.start_byte].decode("utf-8", "replace").strip()
        return between if between.startswith("<") else ""

    def _type_arguments(self, types: str) -> list[str]:
        """Write the type arguments of a call: `<Cart>` → `:=<Cart>`. None if one is not plain, or the language keeps none."""
        texts = ["".join(text.split()) for text in parted(types.strip(":")[1:-1])]
        is_plain = self._keeps_arguments and all(map(_PLAIN_TYPE.fullmatch, texts))
        return [f"{TYPE_ARGUMENT}<{text}>" for text in texts] if is_plain else []

    def _worth(self, callee: str, arguments: Sequence[tree_sitter.Node], depth: int) -> str | None:
        """Return the cast, module or bases that a function known to the language gives, or None for any other function."""
        language = self.language
        first = arguments[0] if arguments else None
        if language.casts(callee):
            return cast_to(self.text(first).strip("\"' ")) if first is not None else None
        if callee.rpartition(".")[2] in language.module_calls:
            return f'"{self.text(first)[1:-1]}"' if _MODULE_TEXT.fullmatch(self.text(first)) else ""
        if callee in language.super_functions and len(arguments) == 2:
            return f"<^{self.text(first)}>"
        return None


def operand(reader: Expressions, node: tree_sitter.Node) -> tree_sitter.Node:
    """Return the value behind a `!`. A grammar may read `!a.b` as `(!a).b`. Any other node is returned as it is."""
    role = reader.role_of(node)
    is_negated = (
        role is not None and role.read is _signed and reader.source[node.start_byte : node.start_byte + 1] == b"!"
    )
    return (role.places[0].of(node) if role is not None and is_negated else None) or node


def listed(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """List the named children of a node but comments."""
    return [child for child in node.named_children if not child.is_extra]


def dotted(text: str) -> str:
    """Write a qualified name with dots: `a::b` → `a.b`. Empty if the text is none."""
    text = _SEPARATOR.sub(".", text).strip(".")
    return text if all(map(_WORD.fullmatch, text.split("."))) else ""


def _name(site: Site) -> str:
    """Read a name, which may be qualified: `cart`, `shop::cart`."""
    text = site.reader.text(site.node)
    if text in site.reader.language.null_words:
        return NULL
    return text if text.isidentifier() else dotted(text)


def _text(_: Site) -> str:
    """Read a text."""
    return TEXT


def _number(_: Site) -> str:
    """Read a literal that is no text."""
    return NUMBER


def _null(_: Site) -> str:
    """Read a null."""
    return NULL


def _sent(_: Site) -> str:
    """Read what is sent to a generator."""
    return SENT


def _same(site: Site) -> str:
    """Read what is worth its part: `(x)`, `await x`."""
    return site.path(0)


def _yielded(site: Site) -> str:
    """Read what a generator gives and gets back, by what it gives."""
    return site.path(0)


def _signed(site: Site) -> str:
    """Read a value with a sign: `&x` and `*x` have the path of `x`, `-1` is a number, and any other sign gives no path."""
    path, part, start = site.path(0), site.part(0), site.node.start_byte
    sign = site.reader.source[start : start + 1]
    # Kotlin's `x!!` is x.
    is_behind = part is not None and part.start_byte == start
    return path if is_behind or sign in (b"&", b"*") or (path == NUMBER and sign in (b"-", b"+")) else ""


def _leave(_site: Site) -> str:
    """Read a statement after which the code below it does not run. It is no value."""
    return ""


def _last(site: Site) -> str:
    """Read a block, which is worth its last expression."""
    children = listed(site.node)
    return site.reader.read(children[-1], site.depth) if children else ""


def _row(site: Site) -> str:
    """Read brackets: the call `()` or element `[]` of what stands before them. Alone, they are the row of nodes inside."""
    reader, start = site.reader, site.node.start_byte
    step = "[]" if reader.source[start : start + 1] == b"[" else "()"
    return stepped(site.before, step) if site.before else reader.row(site.node.children, site.depth)


def _member(site: Site) -> str:
    """Read a member of an object: the object and the name."""
    reader, named = site.reader, site.part(1)
    if named is None:
        return ""
    is_path = ":" in reader.text(site.node)
    if site.places[0].name != BEFORE and site.part(0) is None:
        # `::std::move` begins at the root.
        return reader.read(named, site.depth) if is_path else ""
    part = site.part(0)
    owner = site.path(0) if part is None else reader.read(operand(reader, part), site.depth)
    text = reader.text(named).lstrip(".")
    if text.isdigit():
        # Rust and Swift write the element of a tuple as a member: `pair.0`.
        return stepped(owner, position_step(text))
    if reader.is_step(named):
        # Dart nests the brackets of an element like a name.
        return reader.after(named, owner, site.depth)
    if reader.role(named) not in (None, _name):
        # C++ nests names to the right: `absl::(CordBuffer::make)`.
        name = reader.read(named, site.depth)
    else:
        match = _WORD.search(text)
        # PHP's `self::$shared` is the member `shared`.
        name = "" if match is None else match[0].lstrip("$") if is_path else match[0]
    if is_path and owner == reader.language.tree.own:
        return name
    return stepped(owner, f".{name}") if name else ""


def _root(site: Site) -> str:
    """Read a name in another one, or at the root: `Shop::Cart`, `::Shop`."""
    name = site.text(1)
    return stepped(site.path(0), f".{name}") if site.part(0) is not None else f"{ROOT}{name}"


def _step(site: Site) -> str:
    """Read a value with a step behind it, which the second place spells: `x?` in Rust, which enters `x`."""
    return stepped(site.path(0), site.places[1].name if len(site.places) > 1 else "")


def _call(site: Site) -> str:
    """Read a call by its function and arguments. In square brackets it is an element, and some functions give a cast."""
    reader = site.reader
    function = None if site.places[0].name == BEFORE else site.part(0)
    callee, arguments = site.path(0), site.part(1)
    if arguments is None:
        if function is None or len(site.places) == 1:
            return stepped(callee, "()")
        # A function behind the brackets is one more argument. Elixir reads a member like a call.
        is_more = len(listed(site.node)) == 1 or reader.role(function) is _call
        return callee if is_more and site.places[1].name != ALWAYS else stepped(callee, "()")
    if reader.source[arguments.start_byte : arguments.start_byte + 1] == b"[":
        # Swift's grammar takes an element for a call.
        return stepped(callee, position_step(reader.text(arguments).strip("[] ")))
    if function is None:
        return reader.called(callee, arguments, site.depth)
    types = reader.types_between(function, arguments)
    if types and reader.language.casts(callee):
        return cast_to(types[1:-1])
    return reader.called(callee, arguments, site.depth, types)


def _method(site: Site) -> str:
    """Read a call in one node: the receiver, the name of the method and what makes it a call, as arguments or a block."""
    name = site.text(1).lstrip("$").replace("::", ".")
    receiver = site.part(0)
    callee = name if receiver is None else stepped(site.path(0), f".{name}")
    is_call = any(place.name == ALWAYS or place.of(site.node) is not None for place in site.places[2:])
    return site.reader.called(callee, site.part(2), site.depth) if is_call else callee


def _generic(site: Site) -> str:
    """Read a function or type with type arguments: the name and the arguments."""
    return site.path(0)


def _index(site: Site) -> str:
    """Return the path of an element: `carts[0]`, or `carts[]` at a place that is no small number."""
    return stepped(site.path(0), position_step(site.text(1).strip("[]() ")))


def _either(site: Site) -> str:
    """Read what may be worth any of its parts."""
    return joined(site.path(position) for position in range(len(site.places)))


def _binary(site: Site) -> str:
    """Read an operator: both values if either may be the result, else the method that the sign runs, else nothing."""
    language, sign = site.reader.language, site.text(1)
    if sign in language.alternative_operators:
        return joined((site.path(0), site.path(2)))
    if sign == ">" and (call := _compared(site)):
        return call
    method = language.operator_methods.get(sign)
    return stepped(site.path(0), f".{method}()") if method else ""


def _compared(site: Site) -> str:
    """Read `load<T>(x)` where the grammar takes it for two comparisons. Empty if it is no such call."""
    left, sign, right = (site.part(position) for position in range(3))
    if left is None or sign is None or right is None or left.type != site.node.type:
        return ""
    function = site.places[0].of(left)
    is_call = site.reader.text(right)[:1] == "(" and right.start_byte == sign.end_byte
    if function is None or not is_call or site.reader.text(site.places[1].of(left)) != "<":
        return ""
    return site.reader.called(site.reader.read(function, site.depth), right, site.depth)


def _cast(site: Site) -> str:
    """Read a cast, whose part is the type."""
    return cast_to(site.text(0))


def _literal(site: Site) -> str:
    """Read a literal that begins with its type: `[]Cart{}`. That of a class is an object of it."""
    made = site.path(0)
    return f"{made}()" if made else _cast(site)


def _conversion(site: Site) -> str:
    """Return the path of `T(x)`: a cast to T, `<T>`. With type arguments it is a call: `make[string](x)` is `make()`."""
    made = site.part(0)
    is_call = made is not None and site.reader.role(made) is _generic
    return stepped(site.path(0), "()") if is_call else _cast(site)


def _new(site: Site) -> str:
    """Read a new object by its class and arguments. With type arguments, also apart, it may be a cast to its type too."""
    text = site.text(0) + site.text(2)
    name, *types = re.split(r"[<\[]", text, maxsplit=1)
    if types and types[0].strip() != ">":
        # A class inside a function is found by its name alone.
        return f"{dotted(name)}(){ALTERNATIVE}{cast_to(text)}"
    made = "" if types else site.path(0)
    return stepped(made or dotted(name), f"({site.reader.arguments(site.part(1), depth=site.depth)})")


def _condition(site: Site) -> str:
    """Read `a?.b`, whose second part is a step from the first."""
    steps = site.part(1)
    return site.reader.after(steps, site.path(0), site.depth) if steps is not None else ""


def _list(site: Site) -> str:
    """Read a list by the paths of its elements: `[a, b]` → `[a|b]`."""
    return _container(site, listed(site.node), "[]")


def _mapping(site: Site) -> str:
    """Read a mapping by the paths of its values: `{1: a}` → `{a}`. The part is the value of an entry."""
    entries = listed(site.node)
    if spread := [site.reader.read(entry, site.depth) for entry in entries if site.reader.role(entry) is _spread]:
        # An object made of others has the members of each.
        return joined(spread)
    values = [site.places[0].of(entry) or entry for entry in entries] if site.places else entries
    return _container(site, values, "{}")


def _object(site: Site) -> str:
    """Read an object whose members are its entries, as a mapping, or as OBJECT if the paths of its entries tell nothing."""
    path = _mapping(site)
    return OBJECT if path == NUMBER else path


def _container(site: Site, values: Sequence[tree_sitter.Node], brackets: str) -> str:
    """Write the paths of elements in brackets, without those that are no plain name or call.

    It is `0` if none is left, and for a mapping if any is missing: its values are different things.
    """
    paths: dict[str, None] = {}
    for value in values[:MAX_ELEMENTS]:
        # Elements that are more than names and calls seldom are functions.
        path = bare(site.reader.read(value, site.depth))
        if site.reader.role(value) is not _spread and _CHEAP.fullmatch(path) and path != NULL:
            paths[path] = None
        elif brackets == "{}":
            # A mapping of different things is a record. Its keys choose different types.
            return NUMBER
    text = "|".join(paths)
    return f"{brackets[0]}{text}{brackets[1]}" if text and len(text) < PATH_LIMIT else NUMBER


def _spread(site: Site) -> str:
    """Read what stands for several elements or arguments: `*xs`."""
    return site.path(0)


def _key(site: Site) -> str:
    """Read a value with the name of a member before it."""
    return site.path(1)


def _put(site: Site) -> str:
    """Read what gives a name a value, and is worth the value. In the braces of an object the name is a member."""
    return site.path(1)


def _typed(_: Site) -> str:
    """Read what has a name or pattern, a value and perhaps a declared type. It is no expression."""
    return ""


def _labelled(site: Site) -> str:
    """Read an argument with a label: the label and the value."""
    return site.path(1)


ROLES: dict[str, tuple[Read, int]] = {
    "name": (_name, 0),
    "text": (_text, 0),
    "number": (_number, 0),
    "null": (_null, 0),
    "sent": (_sent, 0),
    "same": (_same, 1),
    "yield": (_yielded, 1),
    "signed": (_signed, 1),
    "leave": (_leave, 0),
    "last": (_last, 0),
    "row": (_row, 0),
    "member": (_member, 2),
    "root": (_root, 2),
    "step": (_step, 2),
    "call": (_call, 1),
    "method": (_method, 3),
    "generic": (_generic, 2),
    "index": (_index, 1),
    "either": (_either, 1),
    "binary": (_binary, 3),
    "cast": (_cast, 1),
    "literal": (_literal, 1),
    "conversion": (_conversion, 1),
    "new": (_new, 1),
    "condition": (_condition, 2),
    "list": (_list, 0),
    "mapping": (_mapping, 0),
    "object": (_object, 0),
    "spread": (_spread, 1),
    "labelled": (_labelled, 2),
    "key": (_key, 2),
    "put": (_put, 2),
    "typed": (_typed, 2),
}
"""The roles of nodes: how each is read, and how many places it has at least."""


def _place(grammar: tree_sitter.Language, text: str) -> Place:
    """Read the text of a place in a header: `function`, `0`, `call_suffix/value_arguments`."""
    name, _, rest = text.partition("/")
    inner = _place(grammar, rest) if rest else None
    number = int(name) if name.lstrip("-").isdigit() else None
    return Place(number, grammar.field_id_for_name(name) or 0, name, inner)


@cache
def name_types(name: str) -> tuple[str, ...]:
    """List the types of the nodes that are names in a language, as far as its grammar gives them a name."""
    grammar = load_grammar(name)
    kinds = (kind for kind, role in _roles(name).items() if role.read is _name and grammar.node_kind_is_named(kind))
    return tuple(
        dict.fromkeys(grammar.node_kind_for_id(kind) or "" for kind in kinds if grammar.node_kind_is_visible(kind))
    )


@cache
def _roles(name: str) -> dict[int, Role]:
    """Return the roles of the nodes of a language, by the ids of their types.

    Raises GrammarError for a role that does not exist or has too few places, and for a type that the grammar does not have.
    """
    grammar = load_grammar(name)
    kinds: dict[str, list[int]] = {}
    for kind in range(grammar.node_kind_count):
        kinds.setdefault(grammar.node_kind_for_id(kind) or "", []).append(kind)
    roles: dict[int, Role] = {}
    for line in languages()[name].expression:
        role, types, *texts = line.split()
        read, least = ROLES.get(role, (None, 0))
        if read is None or len(texts) < least:
            raise GrammarError(
                f"{name}.scm: the expression {line!r} has no role of {', '.join(ROLES)}, or too few places"
            )
        places = tuple(_place(grammar, text) for text in texts)
        for node_type in types.split(","):
            if node_type not in kinds:
                raise GrammarError(
                    f"{name}.scm: the grammar has no nodes {node_type!r}, which the expression {line!r} names"
                )
            roles.update(dict.fromkeys(kinds[node_type], Role(read, places)))
    return roles


@cache
def _has_keys(name: str) -> bool:
    """Say whether a language has objects with keys."""
    return any(role.read in (_key, _put) for role in _roles(name).values())
