"""Find what holds a value: where an object is put, what a pattern takes apart, what a function without a name is for.

The key of an object is a member of what holds the object. A function without a name gets from what holds it what its
parameters are, and what its result has to be: both `op` and `data` have a type in `const link: Link = (op) => ({ data: 1 })`.
"""

import re

import tree_sitter

from code_graph_indexer.syntax.expressions import cast_to, stepped
from code_graph_indexer.syntax.roles import Role, dotted, listed
from code_graph_indexer.syntax.trees import DEPTH, EACH, Expressions

_TAKEN = re.compile(r"(\{\d+\.)((?::[^{}]*)?\})\Z")

HOLDER_DEPTH = 16
"""How many nodes around a value are searched for what holds it."""


def holder(reader: Expressions, node: tree_sitter.Node) -> str:
    """Return the path of what holds the value of a node, typed where code says so. Empty if nothing tells it."""
    steps, is_result = _member_step(reader, node), False
    for _ in range(HOLDER_DEPTH):
        around = node.parent
        if around is None:
            break
        role = reader.role_of(around)
        if role is None or role.does("leave"):
            if not is_result and reader.is_passed(node):
                return stepped(_parameter(reader, node), steps)
            # Of a block, only what leaves it is a value.
            is_result = is_result or role is not None
            if not is_result:
                break
        elif role.does("cast", "new", "put") and (named := _named_by(reader, around, role)):
            return named + steps
        elif role.does("list"):
            steps = EACH + steps
        elif role.does("yield"):
            # A generator gives what it yields one by one.
            steps, is_result = EACH + steps, True
        elif role.does("key") and len(role.places) == 2 and not is_result:
            steps = f".{reader.text(role.places[0].of(around))}{steps}"
        elif role.does("typed", "key", "same") and len(role.places) > 1:
            return _kept_in(reader, node, around, role, steps)
        elif not role.does("same", "either", "binary", "mapping", "object", "new", "cast", "spread"):
            break
        node = around
    return ""


def parameter_of(reader: Expressions, function: tree_sitter.Node, place: int) -> str:
    """Return the path of what a parameter (0 is the first) of a function without a name gets. Empty if nothing tells it."""
    path = holder(reader, function)
    # What a call passes on: `f{0.}` is argument 0 of the call, and `f{0.1}` parameter 1 of that.
    taken = _TAKEN.search(path)
    return f"{path[: taken.end(1)]}{place}{taken[2]}" if taken else stepped(path, f"{{.{place}}}")


def _member_step(reader: Expressions, node: tree_sitter.Node) -> str:
    """Return the step from an object to a method that is written in its braces. Empty for any other node."""
    role = reader.role_of(node)
    return f".{reader.text(role.places[0].of(node))}" if role is not None and role.does("key") else ""


def _named_by(reader: Expressions, node: tree_sitter.Node, role: Role) -> str:
    """Return the path of what a cast, a new object or an assignment of this role names first. Empty if it names nothing."""
    text = reader.text(role.places[0].of(node))
    if role.does("cast"):
        return cast_to(text)
    name = dotted(text)
    return f"{name}()" if name and role.does("new") else name


def _parameter(reader: Expressions, argument: tree_sitter.Node) -> str:
    """Return the path of the parameter that takes an argument of a call. Empty if it is none."""
    around = argument.parent
    call = around.parent if around is not None else None
    role = reader.role_of(call) if call is not None else None
    function = role.places[0].of(call) if call is not None and role is not None else None
    if around is None or function is None:
        return ""
    before = reader.before(function, around, argument)
    step = f"{{{listed(around).index(argument)}.{f':{before}' if before else ''}}}"
    return stepped(reader.read(function, DEPTH), step)


def _kept_in(reader: Expressions, node: tree_sitter.Node, around: tree_sitter.Node, role: Role, steps: str) -> str:
    """Return the path of what has the type of a value, with `steps` behind it. Empty if there is none.

    It is the declared type, or where the value comes from or goes to. `node` is a part of `around`, which has `role`.
    """
    first, second, *types = [place.of(around) for place in role.places]
    if types and (kind := cast_to(reader.text(types[0]))):
        return kind + steps
    other = second if node == first else first
    if role.does("same") and other is not None:
        return stepped(reader.read(other, DEPTH), steps)
    if node != first:
        # What a function returns is the result of what holds the function.
        return stepped(holder(reader, around), f"(){steps}") if node == second else ""
    if second is not None:
        return stepped(reader.read(second, DEPTH), steps)
    parameters = around.parent
    function = parameters.parent if parameters is not None else None
    if parameters is None or function is None:
        return ""
    return stepped(parameter_of(reader, function, listed(parameters).index(around)), steps)
