"""Read a node of the syntax tree by its role, as a path of `syntax.expressions`.

The header key `expression` of a language gives types of nodes their role, and says where the parts of such a node stand: a
field, the number of a named child or the type of a child, `/` between a part and a part of it. A `^` is what stands before the
node, where the grammar writes an expression as nodes in a row. A `!` means that a node without the part is a call too.

The function of a role gets the `Site` of a node and returns the path of its value, such as `carts[0].total()`. An empty path
is a value that nothing is known of. This module knows the roles, and no language.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

import tree_sitter

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import Language, languages
from code_graph_indexer.languages.registry import load_grammar
from code_graph_indexer.syntax.expressions import (
    ALTERNATIVE,
    ELEMENTS_LIMIT,
    MAX_ELEMENTS,
    NULL,
    NUMBER,
    OBJECT,
    ROOT,
    SENT,
    TEXT,
    bare,
    cast_to,
    joined,
    position_step,
    stepped,
)

BEFORE, ALWAYS = "^", "!"
"""The places of what stands before a node, and of arguments that need no brackets."""

_IN_NAMES = str.maketrans("-$", "__")
_WORD = re.compile(r"[@$#]*[^\W\d][\w$]*[?!]?\Z|[@$#]*[^\W\d][\w$]*|\$\d+")
_SEPARATOR = re.compile(r"\s*(?:::|\\|\.|/|->)\s*")
_CHEAP = re.compile(r"[^\W\d][\w$.]*(?:\(\))?")


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


class Reader(Protocol):
    """The reader of the expressions of one file, as the roles ask it. `Expressions` is the only one."""

    source: bytes
    language: Language

    def read(self, node: tree_sitter.Node, depth: int) -> str:
        """Return the path of a node, inside of which `depth` expressions may be read."""

    def after(self, node: tree_sitter.Node, before: str, depth: int) -> str:
        """Return the path of a node that is a step from what stands before it."""

    def row(self, nodes: Sequence[tree_sitter.Node], depth: int) -> str:
        """Return the path of nodes in a row."""

    def callee(self, function: tree_sitter.Node, depth: int) -> str:
        """Return the path of the function of a call, without its type arguments."""

    def called(self, callee: str, arguments: tree_sitter.Node | None, depth: int, types: str = "") -> str:
        """Return the path of a call, or of what a known function gives."""

    def arguments(self, node: tree_sitter.Node | None, *, depth: int) -> str:
        """Write the arguments in a list by their paths."""

    def types_between(self, function: tree_sitter.Node, arguments: tree_sitter.Node) -> str:
        """Return the type arguments of a call with their brackets, or an empty text."""

    def is_step(self, node: tree_sitter.Node) -> bool:
        """Say whether a node is a step from what stands before it, or holds such a step."""

    def role(self, node: tree_sitter.Node) -> str:
        """Return the name of a node's role, or an empty text."""

    def role_of(self, node: tree_sitter.Node) -> "Role | None":
        """Return the role of a node with its places, or None."""

    def text(self, node: tree_sitter.Node | None) -> str:
        """Return the text of a node. Empty for None."""


class Site(NamedTuple):
    """A node that is read: its parts, the path of what stands before it, and how many expressions inside of it may be read."""

    reader: Reader
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
    """What nodes of a type do, how they are read, and where their parts stand."""

    name: str
    read: Read
    places: tuple[Place, ...]

    def does(self, *names: str) -> bool:
        """Say whether this is a role of one of these names."""
        return self.name in names


def operand(reader: Reader, node: tree_sitter.Node) -> tree_sitter.Node:
    """Return the value behind a `!`. A grammar may read `!a.b` as `(!a).b`. Any other node is returned as it is."""
    # This is the way of most values.
    if not reader.source.startswith(b"!", node.start_byte):
        return node
    role = reader.role_of(node)
    return (role.places[0].of(node) if role is not None and role.name == "signed" else None) or node


def listed(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """List the named children of a node but comments."""
    return [child for child in node.named_children if not child.is_extra]


def dotted(text: str) -> str:
    """Write a qualified name with dots: `a::b` → `a.b`. Empty if the text is none."""
    text = _SEPARATOR.sub(".", text).strip(".")
    return text if all(map(_WORD.fullmatch, text.split("."))) else ""


def is_name(text: str) -> bool:
    """Say whether a text is a plain name. Some languages have hyphens or dollars in names."""
    return text.isidentifier() or text.translate(_IN_NAMES).isidentifier()


def _name(site: Site) -> str:
    """Read a name, which may be qualified: `cart`, `shop::cart`."""
    text = site.reader.text(site.node)
    if text in site.reader.language.null_words:
        return NULL
    return text if is_name(text) else dotted(text)


def _text(_: Site) -> str:
    """Read a text."""
    return TEXT


def _number(_: Site) -> str:
    """Read a literal that is no text."""
    return NUMBER


def _null(_: Site) -> str:
    """Read a null."""
    return NULL


def _given(site: Site) -> str:
    """Read what a function without a name gets, or an object of the type that is named there: Swift's `\\.total`."""
    return cast_to(site.text(0)) if site.part(0) is not None else site.reader.language.implicit_parameter


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
    if reader.role(named) not in ("", "name"):
        # C++ nests names to the right: `absl::(CordBuffer::make)`.
        name = reader.read(named, site.depth)
    else:
        match = _WORD.search(text)
        # PHP's `self::$shared` is the member `shared`.
        word = text if is_name(text) else match[0] if match is not None else ""
        name = word.lstrip("$") if is_path else word
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
    callee = reader.callee(function, site.depth) if function is not None else site.path(0)
    arguments = site.part(1)
    if arguments is None:
        if function is None or len(site.places) == 1:
            return stepped(callee, "()")
        # A function behind the brackets is one more argument. Elixir reads a member like a call.
        is_more = len(listed(site.node)) == 1 or reader.role(function) == "call"
        return callee if is_more and site.places[1].name != ALWAYS else stepped(callee, "()")
    if reader.source[arguments.start_byte : arguments.start_byte + 1] == b"[":
        # Swift's grammar takes an element for a call.
        return stepped(callee, position_step(reader.text(arguments).strip("[] ")))
    if function is None:
        return reader.called(callee, arguments, site.depth)
    return reader.called(callee, arguments, site.depth, reader.types_between(function, arguments))


def _method(site: Site) -> str:
    """Read a call in one node: the receiver, the name of the method and what makes it a call, as arguments or a block."""
    name = site.text(1).lstrip("$").replace("::", ".")
    receiver = site.part(0)
    callee = name if receiver is None else stepped(site.path(0), f".{name}")
    is_call = any(place.name == ALWAYS or place.of(site.node) is not None for place in site.places[2:])
    return site.reader.called(callee, site.part(2), site.depth) if is_call else callee


def _generic(site: Site) -> str:
    """Read a function or type with type arguments. Where a function runs without brackets, this calls it: `cart.as[Box]`."""
    reader, path = site.reader, site.path(0)
    return reader.called(path, None, site.depth, site.text(1)) if reader.language.getter else path


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
    is_call = made is not None and site.reader.role(made) == "generic"
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
    """Read a list by the paths of its elements: `[a, b]` → `[a|b]`. One without elements is `[]`."""
    elements = listed(site.node)
    return _container(site, elements, "[]") if elements else "[]"


def _mapping(site: Site) -> str:
    """Read a mapping by the paths of its values: `{1: a}` → `{a}`. The part is the value of an entry."""
    entries = listed(site.node)
    if spread := [site.reader.read(entry, site.depth) for entry in entries if site.reader.role(entry) == "spread"]:
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
        if site.reader.role(value) != "spread" and _CHEAP.fullmatch(path) and path != NULL:
            paths[path] = None
        elif brackets == "{}":
            # A mapping of different things is a record. Its keys choose different types.
            return NUMBER
    text = "|".join(paths)
    return f"{brackets[0]}{text}{brackets[1]}" if text and len(text) < ELEMENTS_LIMIT else NUMBER


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
    "given": (_given, 1),
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
def types_of(name: str, *roles: str) -> tuple[str, ...]:
    """List the types of the nodes with any of these roles in a language, as far as its grammar gives them a name."""
    kinds = (kind for kind, role in roles_of(name).items() if role.name in roles)
    return named_types(name, kinds)


def named_types(name: str, kinds: Iterable[int]) -> tuple[str, ...]:
    """List the types with these ids in the grammar of a language, without signs and what a tree does not show."""
    grammar = load_grammar(name)
    return tuple(
        dict.fromkeys(
            grammar.node_kind_for_id(kind) or ""
            for kind in kinds
            if grammar.node_kind_is_named(kind) and grammar.node_kind_is_visible(kind)
        )
    )


@cache
def roles_of(name: str) -> dict[int, Role]:
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
            roles.update(dict.fromkeys(kinds[node_type], Role(role, read, places)))
    return roles


@cache
def has_keys(name: str) -> bool:
    """Say whether a language has objects with keys."""
    return any(role.name in ("key", "put") for role in roles_of(name).values())
