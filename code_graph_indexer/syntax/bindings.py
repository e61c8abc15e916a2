"""Read the names that code binds, each with a hint to its type: variables, parameters, fields, and what functions return."""

from itertools import accumulate

import tree_sitter

from code_graph_indexer.syntax.callbacks import path_given, path_passed, read_callback
from code_graph_indexer.syntax.captured import (
    Captured,
    Match,
    Reader,
    delayed,
    dotted_name,
    without_quotes,
)
from code_graph_indexer.syntax.expressions import ALTERNATIVE, cast_to, record_type, stepped
from code_graph_indexer.syntax.parameters import ANY_NUMBER
from code_graph_indexer.syntax.records import ANY_NAME, MIXED, PAYLOAD, PUBLIC, Binding
from code_graph_indexer.syntax.roles import is_name

STEPS = {"value": "", "each": "[*]", "pairs": "[:]", "enter": "[>]", "made": "()"}
"""The step from an expression to the value of a variable, by the capture of the expression.

| capture | the variable holds |
|---|---|
| `@value` | the value of the expression |
| `@each` | an element of the value |
| `@pairs` | an element with its key |
| `@enter` | what entering the value gives, as in `with open(path) as stream` |
| `@made` | an instance of the value, which is a class |
| `@element` | a list with the value in it, as after `carts << Cart.new` |
"""

Part = tuple[int, int]
"""The part of a scope where a name is visible."""


def _read_names(file: Captured, match: Match) -> None:
    """Read variables, parameters or fields, which `match.name` tells apart, with the hints to their types."""
    name, nodes, captures = match.name, match.nodes, match.captures
    is_param = name == "param"
    if len(captures) == 1 and name in ("local", "param"):
        # Names that only hide others, as of a number in C. There are many of these.
        for node in nodes:
            file.bind(node, is_param=is_param)
        return
    value = _value(file, match)
    if "key" in captures:
        # `const { total: sum } = cart` binds `sum` to a member.
        value = stepped(value, f".{file.first(match, 'key')}")
    if name == "assigned":
        file.assigned.update(node.start_byte for node in nodes)
    if name == "field.made":
        file.made.update(node.start_byte for node in nodes)
    owner, table = (file.receiver(match), "field") if name.startswith("field") else ("", "local")
    type_name = _bound_type(file, match)
    if "callback" in captures:
        read_callback(file, match, type_name)
        return
    for node in nodes:
        file.bind(
            node,
            value or path_passed(file, node, match),
            match.part(),
            # RSpec's `let(:cart) { … }` names a variable by a symbol.
            name=file.text(node).removeprefix(":"),
            owner=owner,
            type_name=type_name,
            table=table,
            is_param=is_param,
        )


def _bound_type(file: Captured, match: Match) -> str:
    """Return the text of the type that a match declares for a name, or an empty text.

    It is `() -> ` for a variable that holds a function without a name, and ends with `...` for a parameter that takes
    any number.
    """
    captures = match.captures
    if "type" not in captures:
        # This is the way of most names. A variable that holds a function without a name hides others of its name.
        return "() -> " if "function" in captures else ""
    type_name = file.first(match, "type").lstrip(": ")
    if type_name.startswith("(") and captures["type"][0].type == "tuple":
        # `isinstance(x, (A, B))`
        type_name = " | ".join(file.text(node) for node in captures["type"][0].named_children)
    if "struct" in type_name:
        type_name = record_type(type_name)
    if type_name and "many" in captures:
        type_name = type_name.strip("\"'") + ANY_NUMBER
    return type_name or ("() -> " if "function" in captures else "")


def _value(file: Captured, match: Match) -> str:
    """Return the expression path of the value that a variable gets or a function returns.

    It is a cast for another name of a type (`@alias`), and empty if the match has no such value.
    """
    if alias := match.captures.get("alias"):
        return cast_to(file.text(*alias))
    if match.name == "result":
        return file.path(match.nodes[0])
    for capture, nodes in match.captures.items():
        if capture == "element" and (path := file.path(*nodes)):
            return f"[{path}]"
        if capture in STEPS:
            step = delayed(STEPS[capture]) if "async" in match.captures else STEPS[capture]
            return stepped(file.path(*nodes), step)
    return ""


def _read_members(file: Captured, match: Match) -> None:
    """Read variables that take the members of their name: `const { total } = cart`."""
    if "callback" in match.captures:
        read_callback(file, match, "")
        return
    value = _value(file, match)
    for node in match.nodes:
        file.bind(node, stepped(value, f".{file.text(node)}"), match.part())


def _put(file: Captured, match: Match, name: str, value: str, part: Part = (0, 0)) -> None:
    """Record that `name` gets `value` at the start of a match. A later match there with the same main capture replaces it."""
    start = match.nodes[0].start_byte
    file.bindings[start, match.name, 0] = Binding(name, "", "", value, start, -1, *part)


def _read_result(file: Captured, match: Match) -> None:
    """Add the path of the value that a function returns to the bindings of the file, under an empty name."""
    _put(file, match, "", _value(file, match), match.part())


def _read_yielded(file: Captured, match: Match) -> None:
    """Read what a function yields, as the result `[a|b]`, a list. A value that begins with no name is left out."""
    paths = file.bare_path(match.nodes[0]).split(ALTERNATIVE)
    if elements := "|".join(path for path in paths if is_name(path[:1])):
        _put(file, match, "", f"[{elements}]", match.part())


def _read_public(file: Captured, match: Match) -> None:
    """Read which names a file gives to whoever imports all, as a binding PUBLIC: ANY_NAME if they are no list of texts."""
    node = match.nodes[0]
    elements = [element for element in node.named_children if element.type != "comment"]
    texts = [without_quotes(file.text(element)) for element in elements if element.type == "string"]
    is_list = node.type in ("list", "tuple", "string") and len(texts) == len(elements)
    _put(file, match, PUBLIC, " ".join(texts if is_list and all(map(str.isidentifier, texts)) else ()) or ANY_NAME)


def _read_whole(file: Captured, match: Match) -> None:
    """Bind the name of the default export to the value that a file exports as a whole, unless a plain name is bound there."""
    value, earlier = _value(file, match), file.bindings.get((match.nodes[0].start_byte, match.name, 0))
    # In `const app = module.exports = {}` the name says more than the braces.
    if value and not (earlier and is_name(earlier.value)):
        _put(file, match, file.language.default_export, value, match.part())


def _read_unpacked(file: Captured, match: Match) -> None:
    """Read the variables that take the parts of one value."""
    names = match.nodes[0]
    value = _value(file, match) or path_passed(file, names, match)
    _unpack(file, names, next(iter(match.captures.get("value", ())), None), value, match.part())


def _unpack(file: Captured, names: tree_sitter.Node, value: tree_sitter.Node | None, path: str, part: Part) -> None:
    """Bind each name of a list to its part of the value, whose node, if there is one, is `value`, and whose path is `path`.

    In `a, b = x, y` the part of `b` is `y`. Any other value is indexed: in `a, b = pair` the part of `b` is `pair[1]`.
    `part` is the part of the scope where the names are visible.
    """
    values = value.named_children if value is not None and _is_list(value) else []
    if any(child.type == "=>" for child in names.children):
        # PHP's `['total' => $total] = $cart` takes the entries of keys.
        return
    commas = list(accumulate(int(child.type == ",") for child in names.children))
    # Rust's `_` is no name. Nothing may stand between two commas: `[, second]`.
    targets = [
        (position, node)
        for position, node in zip(commas, names.children, strict=True)
        if (node.is_named and not node.is_extra) or node.type == "_"
    ]
    for position, node in targets:
        # A starred name makes lists of different lengths, whose parts cannot be matched by position.
        node_value = values[position] if len(values) == len(targets) > position else None
        node_path = file.path(node_value) if node_value is not None else stepped(path, f"[{position}]")
        if len(node.children) > 1 and node.children[0].is_named and node.children[1].type in ("(", "{"):
            # It takes an object of the type that it begins with apart.
            continue
        if _is_list(node):
            _unpack(file, node, node_value, node_path, part)
            continue
        # `self.width, self.height = size` binds fields.
        owner, _, name = file.text(node).rpartition(".")
        if is_name(owner):
            file.bind(node, node_path, part, name=name, owner=owner, table="field")
        else:
            file.bind(node, node_path, part)


def _is_list(node: tree_sitter.Node) -> bool:
    """Say whether commas stand between the parts of a node."""
    return any(child.type == "," for child in node.children)


# What holds in a part of a function, or is the part of an object.


def _read_lambda(file: Captured, match: Match) -> None:
    """Read what a call gives to a function without name and declared parameters: `it`, or an object as `this`."""
    callee, node, language = match.captures["callee"][0], match.nodes[0], file.language
    receiver, _, name = file.bare_path(callee).removesuffix("()").rpartition(".")
    first = node.named_children[:1]
    if name in language.lends_self:
        # `with(cart) { … }` has its object in the brackets.
        value = receiver or file.expressions.first_argument(callee)
        bound, table = min(language.self_names), "self"
    elif any("parameter" in child.type or child.type == "lambda_function_type" for child in first):
        return
    else:
        value, bound, table = path_given(file, callee, node, 0), language.implicit_parameter, "local"
    if value:
        file.bind(node, value, node.byte_range, name=bound, table=table)
    if value and table == "local" and bound.endswith("0"):
        # Those behind `$0` are counted.
        file.bind(node, path_given(file, callee, node, 1), node.byte_range, name=f"{bound[:-1]}1", table="second")


def _read_lent(file: Captured, match: Match) -> None:
    """Bind the words for the object itself, such as `this`, to `@value` in the body of a function."""
    value = file.path(*match.captures["value"])
    for name in file.language.self_names if value else ():
        file.bind(match.nodes[0], value, match.nodes[0].byte_range, name=name, table="self")


def _read_mixed(file: Captured, match: Match) -> None:
    """Record that an object gets the members of others, as a binding MIXED: `Object.assign(cart, prices)`."""
    name, node = file.text(match.nodes[0]).removesuffix(".prototype"), match.captures["value"][0]
    value = file.bare_path(node).removesuffix(".prototype")
    if value and is_name(name):
        file.bindings[node.start_byte, MIXED, 0] = Binding(name, MIXED, "", value, node.start_byte, -1)


def _read_payload(file: Captured, match: Match) -> None:
    """Read the type of what an object or a variant of an enum holds at a place, as a field of the owner PAYLOAD."""
    node, variant = match.nodes[0], file.first(match, "variant")
    key = file.first(match, "key") or str(place_in(node))
    name = f"{variant}{PAYLOAD}{key}" if variant else key
    file.bind(node, name=name, owner=PAYLOAD, type_name=file.text(node).lstrip(": "), table="field")


def _read_held(file: Captured, match: Match) -> None:
    """Bind a name of a pattern to what the object has there: in `Shape::Circle(size)` and in `Point { x, .. }`.

    The object is `@value`. Without that, the path has both ways: the pattern names a variant of an enum, or a class.
    """
    node, named = match.nodes[0], match.captures["variant"][0]
    variant = dotted_name(file.text(named))
    key = file.first(match, "key") or (file.text(node) if "member" in match.captures else "")
    if "member" in match.captures:
        # The name of a variable is also that of a field: `Place { total } => total`.
        file.references.setdefault(node.start_byte, ("reads", key, variant))
    place = key or str(place_in(node, named))
    if "value" in match.captures:
        value = stepped(file.path(*match.captures["value"]), f".{variant}{PAYLOAD}{place}")
    else:
        step = f".{key}" if key else f"[{place}]"
        value = f"{variant}{PAYLOAD}{place}{ALTERNATIVE}<{variant}>{step}"
    file.bind(node, value, match.part())


BINDING_READERS: dict[str, Reader] = {
    **dict.fromkeys(("local", "assigned", "param", "field"), _read_names),
    "held": _read_held,
    "lambda": _read_lambda,
    "lent": _read_lent,
    "member": _read_members,
    "mixed": _read_mixed,
    "payload": _read_payload,
    "public": _read_public,
    "result": _read_result,
    "unpack": _read_unpacked,
    "whole": _read_whole,
    "yielded": _read_yielded,
}


def place_in(node: tree_sitter.Node, before: tree_sitter.Node | None = None) -> int:
    """Return the position of a node in the list around it, or in the list that `before` is the head of.

    The node may be inside of the element of the list: the type of a parameter.
    """
    while (
        node.parent is not None
        and node.parent.parent is not None
        and (before is None or node.parent != before.parent)
        and not node.parent.type.endswith(("parameters", "list", "patterns"))
    ):
        node = node.parent
    siblings = node.parent.children if node.parent is not None else []
    return sum(sibling.type == "," and sibling.start_byte < node.start_byte for sibling in siblings)
