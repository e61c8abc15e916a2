"""Tell overloads apart that take as many arguments: by the types of what a call gives."""

from collections.abc import Sequence
from functools import cache

from code_graph_indexer.resolve.annotations import LIST_TYPE, base_name
from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.overloads import parameter_types, runs
from code_graph_indexer.resolve.scope import Found, Scope
from code_graph_indexer.resolve.values import EXTERNAL, INSTANCE, Place, Values
from code_graph_indexer.syntax.records import Reference

LITERALS = ('"', "'", "1", "1.", "true")
"""The kinds of literals, in the order of the header `literal-types`."""

ARRAY = "[]"
"""What the name of an array's type ends with, behind that of its elements."""

NO_TYPE, UNLIKELY, IMPOSSIBLE = 40, 60, 1_000
"""Costs of a parameter whose type cannot be compared with an argument's, is another class, or does not take it. A type that an
argument has, or one of its bases, costs its distance.
"""


def told_apart(inference: Inference, place: Place, reference: Reference, found: Found, source: int) -> Found:
    """Put the overloads that fit the types of a call's arguments in the place of those that take as many.

    Of several that fit, the one that the call stands in (node `source`) comes last: it rather calls another one than itself.
    """
    values = [
        inference.values(one, place) if one[:1].isidentifier() or one[:1] == "<" else () for one in reference.given
    ]
    fits = [
        _best(inference.scope, runs(inference.scope, one, reference.arguments), reference.given, values)
        for one in found.targets
    ]
    targets = dict.fromkeys(min(one, key=lambda each: each.chunk_id == source) for one in fits)
    return found._replace(targets=tuple(targets), tied=any(len(one) > 1 for one in fits))


def _best(
    scope: Scope, overloads: tuple[Target, ...], given: Sequence[str], values: Sequence[Values]
) -> tuple[Target, ...]:
    """List the overloads whose parameters fit the arguments best: all where that tells nothing."""
    costs = {
        one: sum(
            _cost(scope, parameter, each, meant)
            for parameter, each, meant in zip(
                _spread(parameter_types(scope, one), len(given)), given, values, strict=False
            )
        )
        for one in overloads
    }
    least = min(costs.values())
    return tuple(one for one in overloads if costs[one] == least) if least < IMPOSSIBLE else overloads


def _spread(types: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Repeat the type of a last parameter that takes any number, for each of the arguments."""
    more = count - len(types)
    if not types or not types[-1].endswith(ARRAY) or more < 0:
        return types
    return (*types[:-1], *[types[-1].removesuffix(ARRAY)] * (more + 1)) if more else types


def _cost(scope: Scope, parameter: str, given: str, meant: Values) -> int:
    """Say how badly an argument fits a parameter."""
    groups = scope.language.literal_types
    plain = _plain(groups)
    if given == "null":
        return IMPOSSIBLE if parameter in plain and parameter.islower() else 0
    is_literal = given in LITERALS
    names = groups[LITERALS.index(given)] if is_literal else _names(scope, meant, groups)
    if not names:
        return 0 if parameter in scope.language.any_type else 1
    if parameter in names:
        return names.index(parameter)
    if parameter in scope.language.any_type:
        return NO_TYPE
    if names[0].endswith(ARRAY) and parameter.endswith(ARRAY):
        # An array of plain values is no other array; one of objects may be one of their bases, rather than a mere object.
        parts = {parameter.removesuffix(ARRAY), names[0].removesuffix(ARRAY)}
        return IMPOSSIBLE if any(part in plain and part.islower() for part in parts) else NO_TYPE - 1
    if parameter in plain or (parameter in groups[0] and (is_literal or names[0] in plain)):
        return IMPOSSIBLE
    # A text is no class of the repository, and an object of one is no text.
    known = any(one.target is not None for one in meant)
    is_array = parameter.endswith(ARRAY) or names[0].endswith(ARRAY)
    return UNLIKELY if known or is_array or parameter in groups[0] or names[0] in groups[0] else NO_TYPE


@cache
def _plain(groups: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the types of characters, numbers and truth values, which no object has."""
    return frozenset(name for group in groups[1:] for name in group)


def _names(scope: Scope, meant: Values, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """List the names of the types that a value has: its own, then those of its bases, or what it is converted to."""
    for one in meant[:1]:
        if one.form == INSTANCE and one.target is not None:
            return (one.target.name, *(base.name for base in scope.at(one.target.path).ancestors(one.target)))
        if one.form == EXTERNAL and one.name:
            name = one.name.rpartition(".")[2]
            if name == LIST_TYPE:
                return (base_name(one.args[-1].text).rpartition(".")[2] + ARRAY,) if one.args else ()
            return (name, *next((group for group in groups if name in group), ()))
    return ()
