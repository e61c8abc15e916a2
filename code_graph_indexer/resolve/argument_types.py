"""Tell overloads with the same number of parameters apart: by the types of a call's arguments."""

from collections.abc import Sequence
from functools import cache

from code_graph_indexer.resolve.annotations import LIST_TYPE, base_name
from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.overloads import parameter_types, runs
from code_graph_indexer.resolve.scope import Resolution, Scope
from code_graph_indexer.resolve.steps import LITERAL_ARGUMENTS, NULL
from code_graph_indexer.resolve.values import EXTERNAL, INSTANCE, Point, Values
from code_graph_indexer.syntax.records import Reference

ARRAY = "[]"
"""The end of the name of an array's type, behind the name of its elements' type."""

NO_TYPE, UNLIKELY, IMPOSSIBLE = 40, 60, 1_000
"""Costs of a parameter for an argument: its type cannot be compared, it is another class, it cannot take the argument.

If the parameter has the argument's type, or a base of it, the cost is the number of classes between them.
"""


def disambiguate(
    inference: Inference, point: Point, reference: Reference, resolution: Resolution, source: int
) -> Resolution:
    """Replace tied overloads by those that fit the types of a call's arguments.

    Of several that fit, the one that the call stands in (node `source`) comes last: calling another one is more likely.
    """
    values = [
        # Only names and casts have values. Literals are compared by their form.
        inference.values(argument, point) if argument[:1].isidentifier() or argument[:1] == "<" else ()
        for argument in reference.given
    ]
    fits = [
        _cheapest(inference.scope, runs(inference.scope, target, reference.arguments), reference.given, values)
        for target in resolution.targets
    ]
    targets = dict.fromkeys(min(overloads, key=lambda overload: overload.chunk_id == source) for overloads in fits)
    return resolution._replace(targets=tuple(targets), tied=any(len(overloads) > 1 for overloads in fits))


def _cheapest(
    scope: Scope, overloads: tuple[Target, ...], arguments: Sequence[str], values: Sequence[Values]
) -> tuple[Target, ...]:
    """List the overloads whose parameters fit the arguments best, or all if none fits."""
    costs = {
        overload: sum(
            _cost(scope, parameter, argument, argument_values)
            for parameter, argument, argument_values in zip(
                _spread(parameter_types(scope, overload), len(arguments)), arguments, values, strict=False
            )
        )
        for overload in overloads
    }
    lowest = min(costs.values())
    return tuple(overload for overload in overloads if costs[overload] == lowest) if lowest < IMPOSSIBLE else overloads


def _spread(types: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Repeat the type of a last parameter that takes any number of arguments, once for each argument."""
    missing = count - len(types)
    if not types or not types[-1].endswith(ARRAY) or missing < 0:
        return types
    return (*types[:-1], *[types[-1].removesuffix(ARRAY)] * (missing + 1)) if missing else types


def _cost(scope: Scope, parameter: str, argument: str, values: Values) -> int:
    """Return how badly an argument fits a parameter."""
    groups = scope.language.literal_types
    plain = _plain(groups)
    if argument == NULL:
        # Null is no value of a primitive type, such as `int`. `Integer` takes it.
        return IMPOSSIBLE if parameter in plain and parameter.islower() else 0
    is_literal = argument in LITERAL_ARGUMENTS
    names = groups[LITERAL_ARGUMENTS.index(argument)] if is_literal else _type_names(scope, values, groups)
    if not names:
        # Of an unknown argument only this is sure: a parameter of any type takes it.
        return 0 if parameter in scope.language.any_type else 1
    if parameter in names:
        # The names begin with the type itself and end with its farthest base.
        return names.index(parameter)
    if parameter in scope.language.any_type:
        return NO_TYPE
    if names[0].endswith(ARRAY) and parameter.endswith(ARRAY):
        # An array of plain values is no other array. An array of objects may be one of their bases.
        elements = {parameter.removesuffix(ARRAY), names[0].removesuffix(ARRAY)}
        return IMPOSSIBLE if any(element in plain and element.islower() for element in elements) else NO_TYPE - 1
    if parameter in plain or (parameter in groups[0] and (is_literal or names[0] in plain)):
        return IMPOSSIBLE
    # A text is no class of the repository, and an object of a class is no text.
    is_defined = any(value.target is not None for value in values)
    is_array = parameter.endswith(ARRAY) or names[0].endswith(ARRAY)
    is_text = parameter in groups[0] or names[0] in groups[0]
    return UNLIKELY if is_defined or is_array or is_text else NO_TYPE


@cache
def _plain(groups: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the types of characters, numbers and truth values. No object has them."""
    return frozenset(name for group in groups[1:] for name in group)


def _type_names(scope: Scope, values: Values, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """List the names of the types that a value has: its type, then the bases of it, or what it is converted to."""
    for value in values[:1]:
        if value.form == INSTANCE and value.target is not None:
            ancestors = scope.at(value.target.path).ancestors(value.target)
            return (value.target.name, *(base.name for base in ancestors))
        if value.form == EXTERNAL and value.name:
            name = value.name.rpartition(".")[2]
            if name == LIST_TYPE:
                return (base_name(value.args[-1].text).rpartition(".")[2] + ARRAY,) if value.args else ()
            return (name, *next((group for group in groups if name in group), ()))
    return ()
