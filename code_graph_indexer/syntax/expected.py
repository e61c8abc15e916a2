"""Find what code names a member of without writing it: `.red` is a member of the type that its place expects.

The place says it by its declared type, by what it is compared with or assigned to, or by the parameter that takes it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.syntax.expressions import NO_ARGUMENT, cast_to, joined, stepped
from code_graph_indexer.syntax.records import PAYLOAD
from code_graph_indexer.syntax.roles import Place, Role, dotted, listed
from code_graph_indexer.syntax.trees import Expressions

MAX_DEPTH = 16
"""How many nodes around a member are searched for what says its type."""

CALL_DEPTH = 3
"""How many nodes around an argument are searched for the call."""

ELEMENT, MEMBER = "[*]", "."


class Site(NamedTuple):
    """A node around a member with its role, and the part of it that holds the member. A result leaves a function."""

    reader: Expressions
    around: tree_sitter.Node
    role: Role
    part: tree_sitter.Node
    is_result: bool


def expected(reader: Expressions, node: tree_sitter.Node) -> str:
    """Return the path of an expression with the type that the place of a member expects. Empty if nothing says it.

    `node` is the name of the member.
    """
    part, steps, is_result = node.parent, "", False
    for _ in range(MAX_DEPTH):
        around = part.parent if part is not None else None
        if part is None or around is None:
            break
        role = reader.role_of(around)
        if role is None:
            if not is_result and (parameter := _parameter(reader, part, around)):
                return stepped(parameter, steps)
        elif (says := _saying(role)) is not None:
            return stepped(says(Site(reader, around, role, part, is_result)), steps)
        elif role.does("leave", "last"):
            is_result = True
        elif role.does("list"):
            steps = ELEMENT + steps
        elif not role.does("same", "either", "spread", "member", "call"):
            break
        part = around
    return ""


def _saying(role: Role) -> Callable[[Site], str] | None:
    """Return the function that reads what a node says of the type of its parts, or None if it says nothing."""
    if role.does("same") and len(role.places) < 2:
        return None
    return next((says for name, says in _SAYING.items() if role.does(name)), None)


def _compared(site: Site) -> str:
    """Return the path of what a member is compared with."""
    sign = site.reader.text(site.role.places[1].of(site.around))
    return _other(site, site.role.places[::2]) if sign in site.reader.language.comparisons else ""


def _assigned(site: Site) -> str:
    """Return the path of what a member is assigned to."""
    return _other(site, site.role.places)


def _other(site: Site, places: Sequence[Place]) -> str:
    """Return the path of the one of two parts that does not hold the member."""
    parts = [place.of(site.around) for place in places]
    held = parts[1] if site.part == parts[0] else parts[0]
    return site.reader.path(held) if held is not None else ""


def _cast(site: Site) -> str:
    """Return a cast to the type that stands with a value."""
    return cast_to(site.reader.text(site.role.places[0].of(site.around)))


def _declared(site: Site) -> str:
    """Return a cast to the declared type of a variable, or of a result. Before a default value stands its type."""
    around, role = site.around, site.role
    if not site.is_result and site.part != role.places[1].of(around):
        before = site.part.prev_named_sibling
        declares = site.reader.role_of(before) if before is not None else None
        if before is None or declares is None or not declares.does("typed"):
            return ""
        around, role = before, declares
    kind = role.places[2].of(around) if len(role.places) > 2 else None
    if kind is not None and not kind.is_named:
        # An arrow before the type.
        kind = kind.next_named_sibling
    return cast_to(site.reader.text(kind).lstrip(": "))


def _labelled(site: Site) -> str:
    """Return the path of the parameter that a labelled argument goes to."""
    around = site.around.parent
    return _parameter(site.reader, site.around, around) if around is not None and not site.is_result else ""


def _made(site: Site) -> str:
    """Return the path of the parameter of a constructor whose arguments stand in no list of their own."""
    return "" if site.is_result else _argument(site.reader, site.around, site.part, site.around)


_SAYING: dict[str, Callable[[Site], str]] = {
    "typed": _declared,
    "labelled": _labelled,
    "binary": _compared,
    "same": _assigned,
    "cast": _cast,
    "new": _made,
}
"""What says the type of a member, by the role of the node around it."""


def _parameter(reader: Expressions, argument: tree_sitter.Node, around: tree_sitter.Node) -> str:
    """Return the path of the parameter that an argument goes to. `around` is the list of the arguments."""
    call = around.parent
    for _ in range(CALL_DEPTH):
        role = reader.role_of(call) if call is not None else None
        if call is None or (role is not None and not role.does("call", "new")):
            break
        if role is not None:
            return _argument(reader, around, argument, call)
        call = call.parent
    return ""


def _argument(reader: Expressions, around: tree_sitter.Node, argument: tree_sitter.Node, call: tree_sitter.Node) -> str:
    """Return the path of the parameter that one of the arguments in a list goes to."""
    role = reader.role_of(call)
    function = role.places[0].of(call) if role is not None else None
    is_list = reader.source[around.start_byte : around.start_byte + 1] != b"["
    if role is None or function is None or function == argument or not is_list:
        return ""
    callee = _callee(reader, function) if role.does("call") else dotted(reader.text(function).partition("<")[0])
    labels = _labels(reader, [part for part in listed(around) if part != function], argument)
    place = len(labels) - 1
    parameter = stepped(callee, f"{{{place}.:{','.join(labels)}}}")
    # The argument may be a part of what a variant of an enum holds.
    return joined((parameter, stepped(callee, f"{PAYLOAD}{place}"))) if MEMBER in callee else parameter


def _labels(reader: Expressions, parts: Sequence[tree_sitter.Node], argument: tree_sitter.Node) -> list[str]:
    """List the arguments of a call up to one of them, each by its label alone."""
    labels: list[str] = []
    label = ""
    for part in parts:
        role = reader.role_of(part)
        if role is not None and role.does("labelled"):
            name = role.places[0].of(part)
            label = reader.text(name) if name != role.places[1].of(part) else ""
        elif part.next_sibling is not None and part.next_sibling.type == ":":
            # In a list without nodes of its own, a label stands before its argument.
            label = reader.text(part)
            continue
        labels.append(f"{label}={NO_ARGUMENT}" if label else NO_ARGUMENT)
        label = ""
        if part == argument:
            break
    return labels


def _callee(reader: Expressions, function: tree_sitter.Node) -> str:
    """Return the path of a function, which may be a member of what its place expects itself: `.mixed(with: .red)`."""
    role = reader.role_of(function)
    named = role.places[0].of(function) if role is not None and role.does("signed") else None
    is_implicit = named is not None and reader.text(function).startswith(MEMBER)
    if named is None or not is_implicit:
        return reader.path(function)
    return stepped(expected(reader, named), f"{MEMBER}{reader.text(named)}")
