"""Bind the parameters of a function without a name: what the call that gets the function passes to it."""

import tree_sitter

from code_graph_indexer.syntax.arguments import position_of
from code_graph_indexer.syntax.captured import (
    Captured,
    Match,
)
from code_graph_indexer.syntax.expressions import LAST_ARGUMENT, cast_to, stepped
from code_graph_indexer.syntax.holders import parameter_of


def path_passed(file: Captured, node: tree_sitter.Node, match: Match) -> str:
    """Return the expression path of a parameter of a function without a name, or an empty text.

    In `rows.map(x => x.name)` the path of `x` is `rows.map{0.0}`: argument 0 of the call is a function, and `x` is
    its parameter 0. If a type is declared for the function, the path is `<Type>{.0}`.
    """
    callee = match.captures.get("callee")
    if not callee and "signature" not in match.captures:
        return ""
    function = match.captures["within"][0]
    while node.parent is not None and not node.parent.type.endswith(("parameters", "parameter_list", "bindings")):
        # A single parameter without brackets, as in `x => x.name`, is in no list.
        if node.parent == function:
            break
        node = node.parent
    if not callee:
        return stepped(cast_to(file.first(match, "signature")), f"{{.{position_of(node)}}}")
    if len(callee) == 1:
        return path_given(file, callee[0], function, position_of(node))
    step = f"{{{position_of(function)}.{position_of(node)}{_before(file, function)}}}"
    return stepped(file.path(*callee), step)


def read_callback(file: Captured, match: Match, type_name: str) -> None:
    """Read parameters of a function `@callback` without a name, by where the function stands.

    Where nothing takes the function, nothing is bound here. Where code assigns it, callers pass its parameters under the
    name that it gets. A pattern takes its names out of the parameter: `{ op }`, or with `@key`, `{ op: link }`.
    """
    function, reader = match.captures["callback"][0], file.expressions
    outer = reader.role_of(function.parent) if function.parent is not None else None
    if outer is not None and outer.does("same") and len(outer.places) > 1:
        return
    for node in match.nodes:
        parameter = node
        while parameter.parent not in (None, function) and not parameter.parent.type.endswith("parameters"):
            parameter = parameter.parent
        place = position_of(parameter) if parameter.parent != function else 0
        value = parameter_of(reader, function, place)
        if not value and not reader.is_passed(function):
            continue
        key = file.first(match, "key") or (file.text(node) if match.name == "member" else "")
        file.bind(node, stepped(value, f".{key}") if key else value, match.part(), type_name=type_name)


def path_given(file: Captured, callee: tree_sitter.Node, function: tree_sitter.Node, position: int) -> str:
    """Return the path of what a callee with a path gives to parameter `position` of the function that is its argument."""
    path, implicit = file.expressions.callee(callee), bool(file.language.implicit_parameter)
    if not path:
        return ""
    while function.parent is not None and function.parent.type.endswith("argument"):
        function = function.parent
    is_listed = function.parent is not None and function.parent.type.endswith(("arguments", "list"))
    before = ""
    if path.endswith(")") and (callee.type == "call_expression" or (implicit and not is_listed)):
        # The function stands behind the brackets.
        path, before = _split_call(path)
    # A block of cases stands in the place of the brackets.
    listed_place = 0 if function.parent == callee.parent else position_of(function)
    place = listed_place if is_listed or not implicit else LAST_ARGUMENT
    return stepped(path, f"{{{place}.{position}{before or _before(file, function)}}}")


def _before(file: Captured, function: tree_sitter.Node) -> str:
    """Write the arguments before the one that is a function, as the end of a step: `:carts`. Empty if none has a path."""
    outer, beside = function.parent, function.prev_named_sibling
    if outer is not None and outer.type.endswith(("arguments", "list")):
        # The label of the function itself chooses its parameter.
        until = function.next_named_sibling if file.language.labels else function
        arguments = file.expressions.arguments(outer, until=until, labels=True)
    else:
        # A function behind the brackets.
        is_behind = beside is not None and beside.type.endswith("arguments")
        arguments = file.expressions.arguments(beside, labels=True) if is_behind else ""
    return f":{arguments}" if arguments else ""


def _split_call(path: str) -> tuple[str, str]:
    """Split a path at the call that it ends with: `each(carts)` → `each`, and `:carts`, its arguments as the end of a step."""
    depth = 0
    for position in range(len(path) - 1, -1, -1):
        depth += (path[position] == ")") - (path[position] == "(")
        if not depth:
            arguments = path[position + 1 : -1]
            return path[:position], f":{arguments}" if arguments else ""
    return path, ""
